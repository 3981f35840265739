"""What the makers of the tables of case share: the pinned version, ranges, and their text.

One character for one, as runs of codes to which the same distance is added.
"""
import sys
import unicodedata

VERSION = "14.0.0"


def check_version():
    """Ends the program where this Python's Unicode data are of another version."""
    if unicodedata.unidata_version != VERSION:
        sys.exit(f"this Python has Unicode {unicodedata.unidata_version}, not {VERSION}")


def ranges(mapped):
    """[first, last, step, distance] of all codes beyond ASCII that `mapped` maps to another."""
    found = []
    for code in range(0x80, 0x110000):
        if 0xD800 <= code < 0xE000:
            continue
        distance = mapped(code) - code
        if distance == 0:
            continue
        last = found[-1] if found else None
        if last and last[3] == distance:
            gap = code - last[1]
            if gap == last[2] or (last[0] == last[1] and gap <= 2):
                last[1:3] = [code, gap]
                continue
        found.append([code, code, 1, distance])
    return found


def print_table(name, verb, mapped):
    """Prints a Swift array of the ranges, which CaseFolding.swift's `caseMapped` reads."""
    print()
    print("/// Four numbers a range, in rising order: first code, last code, step between codes,")
    print(f"/// and what is added to {verb} one.")
    print(f"let {name}: [Int32] = [")
    line = ""
    for first, last, step, distance in ranges(mapped):
        item = f"0x{first:X}, 0x{last:X}, {step}, {distance},"
        if len(line) + len(item) + 1 > 94:
            print(f"    {line}")
            line = ""
        line = f"{line} {item}" if line else item
    print(f"    {line}")
    print("]")
