print("roundtable: not yet")
