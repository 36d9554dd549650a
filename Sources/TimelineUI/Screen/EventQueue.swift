import Terminal

/// What the user did and what is still to be done for it, in order.
///
/// Moves that follow one another the same way come out as one, however many keys they are: a queue of
/// them takes no more room than one. What is left of a move that is carried out in parts is put back.
struct EventQueue {
  private var events: [InputEvent] = []
  /// Events before this one are taken.
  private var first = 0
  /// Commands already made of events, before all others: at most what is left of a move and the one
  /// that ended it.
  private var made: [Command] = []

  var isEmpty: Bool { made.isEmpty && first == events.count }

  mutating func add(_ event: InputEvent) { events.append(event) }

  /// What is left of the command taken last.
  mutating func putBack(_ rest: Command) { made.insert(rest, at: 0) }

  /// The next command, joined with those that follow it; nil where there is none.
  ///
  /// - Parameter command: the command an event completes, if it does; asked once for each event, and for
  ///   at most one beyond a move before that move is carried out.
  /// - Complexity: O(1) for each event taken, amortised.
  mutating func next(_ command: (InputEvent) -> Command?) -> Command? {
    if made.count > 1 { return made.removeFirst() }
    var move = made.popLast()
    if let move, !move.canBeJoined { return move }
    while let event = nextEvent() {
      guard let new = command(event) else { continue }
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

  private mutating func nextEvent() -> InputEvent? {
    guard first < events.count else { return nil }
    defer {
      first += 1
      if first == events.count { (events, first) = ([], 0) }
    }
    return events[first]
  }
}
