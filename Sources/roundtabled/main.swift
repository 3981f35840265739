print("roundtabled: not yet")
