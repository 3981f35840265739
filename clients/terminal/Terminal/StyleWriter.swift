// Styles as the bytes that switch to them (SGR): whatever is shorter, what differs from the style
// before, or everything anew.

/// Appends what switches a terminal from one style to another; `before` is nil where the
/// terminal's is not known.
func writeStyle(from before: Style?, to after: Style, into bytes: inout [UInt8]) {
    guard before != after else { return }
    var anew: [[UInt8]] = after == .plain ? [] : [[0x30]]
    if after != .plain {
        for (attribute, code) in onCodes where after.attributes.contains(attribute) {
            anew.append(decimal(code))
        }
        anew += colorCodes(after.foreground, isForeground: true, canOmitStandard: true)
        anew += colorCodes(after.background, isForeground: false, canOmitStandard: true)
    }
    var shortest = joined(anew)
    if let before {
        let change = joined(changeCodes(from: before, to: after))
        if change.count < shortest.count { shortest = change }
    }
    bytes += [0x1B, 0x5B]
    bytes += shortest
    bytes.append(0x6D)
}

private let onCodes: [(Attributes, Int)] = [
    (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7), (.strikethrough, 9),
]

/// What switches an attribute off; bold and dim go together.
private let offCodes: [(Attributes, Int)] = [
    ([.bold, .dim], 22), (.italic, 23), (.underline, 24), (.reverse, 27), (.strikethrough, 29),
]

private func changeCodes(from before: Style, to after: Style) -> [[UInt8]] {
    var codes: [[UInt8]] = []
    var left = before.attributes
    for (attributes, code) in offCodes {
        guard !left.subtracting(after.attributes).isDisjoint(with: attributes) else { continue }
        codes.append(decimal(code))
        left.subtract(attributes)
    }
    for (attribute, code) in onCodes
    where after.attributes.contains(attribute) && !left.contains(attribute) {
        codes.append(decimal(code))
    }
    if before.foreground != after.foreground {
        codes += colorCodes(after.foreground, isForeground: true, canOmitStandard: false)
    }
    if before.background != after.background {
        codes += colorCodes(after.background, isForeground: false, canOmitStandard: false)
    }
    return codes
}

private func colorCodes(
    _ color: Color, isForeground: Bool, canOmitStandard: Bool
) -> [[UInt8]] {
    let base = isForeground ? 30 : 40
    switch color {
    case .standard: return canOmitStandard ? [] : [decimal(base + 9)]
    case .palette(let index) where index < 8: return [decimal(base + Int(index))]
    case .palette(let index) where index < 16: return [decimal(base + 60 + Int(index) - 8)]
    case .palette(let index): return [decimal(base + 8), decimal(5), decimal(Int(index))]
    case .rgb(let red, let green, let blue):
        return [decimal(base + 8), decimal(2)] + [red, green, blue].map { decimal(Int($0)) }
    }
}

private func joined(_ codes: [[UInt8]]) -> [UInt8] {
    Array(codes.joined(separator: [0x3B]))
}

/// The digits of a number that is not negative.
func decimal(_ number: Int) -> [UInt8] {
    Array(String(max(0, number)).utf8)
}
