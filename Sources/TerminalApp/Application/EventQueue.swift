import Terminal

/// What the user did and what is still to be done for it, in order.
///
/// Moves that follow one another the same way come out as one, however many keys they are: a queue
/// of them takes no more room than one. What is left of a move that is carried out in parts is put
/// back.
struct EventQueue {
  /// What an event asks for.
  enum Step {
    case call(CommandCall)
    /// Typed or pasted where text is taken.
    case text(String)
    case mouse(MouseEvent)

    var canBeJoined: Bool {
      switch self {
      case .call(let call): call.canBeJoined
      case .text: true
      case .mouse: false
      }
    }

    /// Whether the same event right after it asks for the same: it is a move without a number of
    /// its own.
    var isSameAgain: Bool {
      if case .call(let call) = self { call.canBeJoined && !call.isCounted } else { false }
    }

    /// This so many times, where it is the same each time.
    func repeated(_ times: Int) -> Step {
      guard times > 1, case .call(var call) = self else { return self }
      call.count = times
      return .call(call)
    }

    /// This and then `other`, where one step does both.
    func joined(with other: Step) -> Step? {
      switch (self, other) {
      case (.call(let first), .call(let second)): first.joined(with: second).map(Step.call)
      case (.text(let first), .text(let second)): .text(first + second)
      default: nil
      }
    }
  }

  /// What is done, and how often in a row: a key that is held is one entry.
  private var events: [(event: InputEvent, times: Int)] = []
  /// Events before this one are taken.
  private var first = 0
  /// Steps already made of events, before all others: at most what is left of a move and the one
  /// that ended it.
  private var made: [Step] = []

  var isEmpty: Bool { made.isEmpty && first == events.count }

  mutating func add(_ event: InputEvent) {
    if first < events.count, events[events.count - 1].event == event {
      events[events.count - 1].times += 1
    } else {
      events.append((event, 1))
    }
  }

  /// What is left of the call taken last.
  mutating func putBack(_ rest: CommandCall) { made.insert(.call(rest), at: 0) }

  /// The next step, joined with those that follow it; nil where there is none.
  ///
  /// - Parameter step: what an event completes, if it does; asked for at most one beyond a move
  ///   before that move is carried out. Of a key that is held, asked once: it is the same move each
  ///   time.
  /// - Complexity: O(1) for each event taken, amortised.
  mutating func next(_ step: (InputEvent) -> Step?) -> Step? {
    if made.count > 1 { return made.removeFirst() }
    var move = made.popLast()
    if let move, !move.canBeJoined { return move }
    while first < events.count {
      let (event, times) = events[first]
      let completed = step(event)
      let isSameAgain = completed?.isSameAgain ?? false
      take(isSameAgain ? times : 1)
      guard let new = isSameAgain ? completed?.repeated(times) : completed else { continue }
      if let known = move {
        guard let joined = known.joined(with: new) else {
          made = [new]
          return known
        }
        move = joined
      } else if new.canBeJoined {
        move = new
      } else {
        return new
      }
    }
    return move
  }

  /// Takes the first event so many times.
  private mutating func take(_ times: Int) {
    events[first].times -= times
    if events[first].times > 0 { return }
    first += 1
    if first == events.count { (events, first) = ([], 0) }
  }
}
