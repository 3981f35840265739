print("simulate: not yet")
