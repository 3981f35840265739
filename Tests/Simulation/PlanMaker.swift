// Makes a plan from a seed: which steps, when, by whom. What an operation touches is drawn only
// when it is submitted, from what its author sees then (OpMaker.swift).

extension Plan {
    /// The plan that belongs to a seed.
    ///
    /// - Parameters:
    ///   - seed: what everything is drawn from.
    ///   - fixed: settings that are not drawn.
    ///   - bug: a bug to plant.
    package init(
        seed: UInt64, fixed: [Knob: Int64] = [:], bug: PlantedBug? = nil
    ) {
        var random = SeededGenerator(seed: seed).fork(1)
        var options = WorldOptions()
        options.vary(&random)
        for knob in Knob.allCases {
            if let value = fixed[knob] { options[knob] = value }
        }
        self.init(seed: seed, options: options, bug: bug, steps: [])
        let span = options[.playMilliseconds] * 1_000
        for _ in 0..<options[.steps] {
            let action = drawAction(&random)
            steps.append(Step(time: random.between(0, span), action: action))
        }
        for late in 0..<options[.lateClients] {
            let client = Int(options[.clients] + late)
            let time = random.between(span / 3, span)
            steps.append(Step(time: time, action: .join(client: client)))
        }
        makeTimesDistinct()
    }

    private func drawAction(_ random: inout SeededGenerator) -> StepAction {
        let client = random.below(Int(options[.clients] + options[.lateClients]))
        var roll = Int64(random.below(100))
        func falls(_ percent: Int64) -> Bool {
            roll -= percent
            return roll < 0
        }
        if falls(options[.cutPercent]) { return .cut(client: client, seed: short(&random)) }
        if falls(options[.crashPercent]) {
            let milliseconds = random.between(1, 2_000)
            if random.chance(20) { return .stop(milliseconds: milliseconds) }
            if random.chance(20) { return .failStore(isStored: random.chance(50)) }
            return .crash(milliseconds: milliseconds, seed: short(&random))
        }
        if falls(options[.offlinePercent]) {
            let milliseconds = random.between(10, options[.playMilliseconds])
            if random.chance(30) { return .leave(client: client, milliseconds: milliseconds) }
            if random.chance(30) { return .restart(client: client, milliseconds: milliseconds) }
            return .offline(client: client, milliseconds: milliseconds)
        }
        if falls(options[.stallPercent]) {
            return .stall(client: client, milliseconds: random.between(10, 3_000))
        }
        if falls(options[.botPercent]) {
            return random.chance(20)
                ? .garbage(seed: short(&random)) : .bot(seed: short(&random))
        }
        if falls(options[.forkPercent]) { return .fork(client: client) }
        if falls(1) { return .clock(milliseconds: random.between(-86_400_000, 86_400_000)) }
        if falls(3) { return .cursor(client: client, seed: short(&random)) }
        return .submit(client: client, kind: drawKind(&random), seed: short(&random))
    }

    private func drawKind(_ random: inout SeededGenerator) -> OpKind {
        let weights = [
            14, 8, 16, 10, 8, 10, 12, 4, 3, 3, 3, 3, 8, 3, 2, 3, 4, 8, 6, 12, 6, 4, 1, 1, 8, 6, 3,
            24, 8,
        ]
        return OpKind.allCases[random.weighted(weights)]
    }

    /// A seed that is short to read in a plan.
    private func short(_ random: inout SeededGenerator) -> UInt64 {
        random.next() >> 40
    }

    /// Sorts the steps and moves those of the same time apart, so that a plan read back from
    /// text has the same course.
    private mutating func makeTimesDistinct() {
        steps.sort { $0.time < $1.time }
        for place in steps.indices.dropFirst() {
            steps[place].time = max(steps[place].time, steps[place - 1].time + 1)
        }
    }
}
