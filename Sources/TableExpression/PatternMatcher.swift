// Runs a pattern over a text in one pass without going back: sets of states are made when they are
// first reached and kept, so that most characters cost one look-up. What is kept is bounded.
package import TableValue

/// The most sets of states that are kept; beyond, all are dropped and made again.
private let keptSetsMax = 200
/// The most entries of the table of transitions.
private let transitionsMax = 65_536

/// A pattern with the sets of states that it has met.
///
/// A value of its own for each thread; the result never depends on what was matched before.
package struct PatternMatcher: Sendable {
    private struct StateSet {
        /// States that take a character or wait for the end, in rising order.
        var states: [Int]
        /// True where the pattern has matched by here, whatever follows.
        var accepts: Bool
        /// True where the pattern matches if the text ends here.
        var acceptsAtEnd: Bool
    }

    private let program: PatternProgram
    /// The first is the set at the start of a text.
    private var sets: [StateSet] = []
    private var indexOfStates: [[Int]: Int] = [:]
    /// By set and class: the next set, or -1 where it is not made yet.
    private var transitions: [Int32] = []
    private var marks: [Int]
    private var markNumber = 0
    /// Steps that matching has taken so far, for budgets: one a state that was looked at.
    package private(set) var stepsSpent = 0

    /// Takes a pattern.
    package init(_ program: PatternProgram) {
        self.program = program
        marks = Array(repeating: 0, count: program.states.count)
    }

    /// True where the pattern matches the text.
    ///
    /// Complexity: linear in the bytes of the text, at worst times the number of states.
    package mutating func matches(_ text: Text) -> Bool {
        matches(text, stepsMax: .max) ?? false
    }

    /// True where the pattern matches the text; nil where finding out takes more steps than it may.
    ///
    /// Complexity: linear in the bytes of the text, at worst times the number of states.
    package mutating func matches(_ text: Text, stepsMax: Int) -> Bool? {
        let before = stepsSpent
        if sets.isEmpty { reset() }
        let bytes = text.string.utf8.span
        let count = bytes.count
        stepsSpent &+= 1 &+ count / 16
        if count == 0 { return matchesEmpty() }
        let width = program.classStarts.count
        let acceptsEarly = program.scope == .anywhere
        var current = 0
        var index = 0
        while index < count {
            if acceptsEarly, sets[current].accepts { return true }
            let lead = bytes[index]
            let characterClass: Int
            if lead < 0x80 {
                characterClass = Int(program.asciiClasses[Int(lead)])
                index &+= 1
            } else {
                let (code, length) = decode(bytes, index)
                characterClass = program.characterClass(code)
                index &+= length
            }
            let known = transitions[current &* width &+ characterClass]
            if known >= 0 {
                current = Int(known)
            } else {
                current = makeTransition(current, characterClass)
                if stepsSpent &- before > stepsMax { return nil }
            }
            if sets[current].states.isEmpty, !sets[current].accepts { return false }
        }
        return sets[current].acceptsAtEnd
    }

    /// The character at a byte and its length; the text is valid UTF-8.
    private func decode(_ bytes: Span<UInt8>, _ index: Int) -> (code: UInt32, length: Int) {
        let lead = bytes[index]
        let length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard index &+ length <= bytes.count else { return (0xFFFD, bytes.count &- index) }
        var code = UInt32(lead) & (0x7F >> UInt32(length))
        for place in 1..<length { code = code << 6 | UInt32(bytes[index &+ place] & 0x3F) }
        return (code, length)
    }

    // MARK: Sets of states

    private mutating func reset() {
        sets = [closure(of: [program.start], isStart: true, isEnd: false)]
        indexOfStates = [:]
        transitions = Array(repeating: -1, count: program.classStarts.count)
    }

    private mutating func matchesEmpty() -> Bool {
        closure(of: [program.start], isStart: true, isEnd: true).accepts
    }

    /// The set that a character of a class leads to; may drop all sets that are kept.
    private mutating func makeTransition(_ from: Int, _ characterClass: Int) -> Int {
        var targets: [Int] = []
        for state in sets[from].states {
            if case .take(let set, let next) = program.states[state],
                program.membership[set][characterClass]
            {
                targets.append(next)
            }
        }
        stepsSpent &+= sets[from].states.count
        let made = closure(of: targets, isStart: false, isEnd: false)
        // A set that accepts has more than the states in its list to tell it by.
        let key = made.accepts ? made.states + [-1] : made.states
        let width = program.classStarts.count
        if let index = indexOfStates[key] {
            transitions[from &* width &+ characterClass] = Int32(truncatingIfNeeded: index)
            return index
        }
        let isFull = sets.count >= keptSetsMax || transitions.count >= transitionsMax
        if isFull { reset() }
        sets.append(made)
        indexOfStates[key] = sets.count - 1
        transitions.append(contentsOf: repeatElement(-1, count: width))
        if !isFull {
            transitions[from &* width &+ characterClass] = Int32(
                truncatingIfNeeded: sets.count - 1)
        }
        return sets.count - 1
    }

    /// All states that are reached from some without taking a character.
    private mutating func closure(of start: [Int], isStart: Bool, isEnd: Bool) -> StateSet {
        var (states, accepts) = reach(start, isStart: isStart, isEnd: isEnd)
        states.sort()
        var acceptsAtEnd = accepts
        if !accepts, !isStart, !isEnd {
            acceptsAtEnd = reach(states, isStart: false, isEnd: true).accepts
        }
        return StateSet(states: states, accepts: accepts, acceptsAtEnd: acceptsAtEnd)
    }

    private mutating func reach(
        _ start: [Int], isStart: Bool, isEnd: Bool
    ) -> (states: [Int], accepts: Bool) {
        markNumber &+= 1
        var waiting = start
        var reached: [Int] = []
        var accepts = false
        while let state = waiting.popLast() {
            guard marks[state] != markNumber else { continue }
            marks[state] = markNumber
            stepsSpent &+= 1
            switch program.states[state] {
            case .take: reached.append(state)
            case .split(let first, let second):
                waiting.append(first)
                waiting.append(second)
            case .atStart(let next): if isStart { waiting.append(next) }
            case .atEnd(let next):
                if isEnd { waiting.append(next) } else { reached.append(state) }
            case .accept: accepts = true
            }
        }
        return (reached, accepts)
    }
}
