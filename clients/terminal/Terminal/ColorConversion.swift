// Colours as a terminal with fewer of them can show them: the nearest of its palette.
// It chooses no colours: whoever draws does, and StyleWriter.swift writes what comes out here.

extension Color {
    /// The colour as it is shown at a depth.
    func shown(at depth: ColorDepth) -> Color {
        switch (self, depth) {
        case (.standard, _), (_, .none): .standard
        case (_, .truecolor), (.palette, .palette256), (.palette(..<16), .sixteen): self
        case (.palette(let index), .sixteen): .palette(nearestOf16(paletteColor(index)))
        case (.rgb(let red, let green, let blue), .palette256):
            .palette(nearestOf256((Int(red), Int(green), Int(blue))))
        case (.rgb(let red, let green, let blue), .sixteen):
            .palette(nearestOf16((Int(red), Int(green), Int(blue))))
        }
    }
}

private typealias Components = (red: Int, green: Int, blue: Int)

/// The first sixteen colours as xterm has them; a user's theme may differ.
private let firstSixteen: [Components] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0),
    (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0),
    (92, 92, 255), (255, 0, 255), (0, 255, 255), (255, 255, 255),
]

/// The steps of the palette's cube of 6 × 6 × 6 colours.
private let cubeSteps = [0, 95, 135, 175, 215, 255]

private func paletteColor(_ index: UInt8) -> Components {
    let index = Int(index)
    if index < 16 { return firstSixteen[index] }
    if index >= 232 {
        let gray = 8 + (index - 232) * 10
        return (gray, gray, gray)
    }
    let place = index - 16
    return (cubeSteps[place / 36], cubeSteps[place / 6 % 6], cubeSteps[place % 6])
}

/// How far two colours are apart; the eye is keenest for green.
private func distance(_ left: Components, _ right: Components) -> Int {
    let red = left.red - right.red
    let green = left.green - right.green
    let blue = left.blue - right.blue
    return 3 * red * red + 6 * green * green + blue * blue
}

private func nearestOf16(_ color: Components) -> UInt8 {
    var best = 0
    for index in firstSixteen.indices
    where distance(firstSixteen[index], color) < distance(firstSixteen[best], color) {
        best = index
    }
    return UInt8(best)
}

private func nearestOf256(_ color: Components) -> UInt8 {
    func step(_ value: Int) -> Int {
        var best = 0
        for index in cubeSteps.indices
        where abs(cubeSteps[index] - value) < abs(cubeSteps[best] - value) {
            best = index
        }
        return best
    }
    let inCube = 16 + 36 * step(color.red) + 6 * step(color.green) + step(color.blue)
    let mean = (color.red + color.green + color.blue) / 3
    let gray = 232 + min(23, max(0, (mean - 3) / 10))
    let isGrayNearer =
        distance(paletteColor(UInt8(gray)), color) < distance(paletteColor(UInt8(inCube)), color)
    return UInt8(isGrayNearer ? gray : inCube)
}
