import Terminal

/// The user's input that is not yet handled, in order.
///
/// Consecutive moves in one direction are joined into one step, so a queue of them needs no more
/// room than a single one. A move that is carried out in parts is put back with its remaining
/// count.
struct EventQueue {
  /// A unit of work that an event leads to.
  enum Step {
    case call(CommandCall)
    /// Text typed or pasted into a text field.
    case text(String)
    case mouse(MouseEvent)

    var canBeJoined: Bool {
      switch self {
      case .call(let call): call.canBeJoined
      case .text: true
      case .mouse: false
      }
    }

    /// Whether a repeated event leads to the same step: a move without a count.
    var isRepeatable: Bool {
      if case .call(let call) = self { call.canBeJoined && !call.isCounted } else { false }
    }

    /// This step with the count `times`, if it is a call.
    func repeated(_ times: Int) -> Step {
      guard times > 1, case .call(var call) = self else { return self }
      call.count = times
      return .call(call)
    }

    /// This step followed by `other`, as one step; `nil` if one step cannot do both.
    func joined(with other: Step) -> Step? {
      switch (self, other) {
      case (.call(let first), .call(let second)): first.joined(with: second).map(Step.call)
      case (.text(let first), .text(let second)): .text(first + second)
      default: nil
      }
    }
  }

  /// The events and how often each occurred in a row: a held key is one entry.
  private var events: [(event: InputEvent, times: Int)] = []
  /// The index of the first event that is not yet taken.
  private var first = 0
  /// Steps already made from events, which come before `events`: at most the rest of a move and the
  /// step that ended it.
  private var made: [Step] = []

  var isEmpty: Bool { made.isEmpty && first == events.count }

  mutating func add(_ event: InputEvent) {
    if first < events.count, events[events.count - 1].event == event {
      events[events.count - 1].times += 1
    } else {
      events.append((event, 1))
    }
  }

  /// Puts a call before all other steps: the rest of the call taken last, or one typed after `:`.
  mutating func putBack(_ rest: CommandCall) { made.insert(.call(rest), at: 0) }

  /// The next step, joined with those that follow it; `nil` if there is none.
  ///
  /// - Parameter step: the step that an event completes, or `nil`. It is called for at most one
  ///   event beyond a move before that move is carried out, and once for a held key, which repeats
  ///   the same move.
  /// - Complexity: O(1) for each event taken, amortised.
  mutating func next(_ step: (InputEvent) -> Step?) -> Step? {
    if made.count > 1 { return made.removeFirst() }
    var move = made.popLast()
    if let move, !move.canBeJoined { return move }
    while first < events.count {
      let (event, times) = events[first]
      let completed = step(event)
      let isRepeatable = completed?.isRepeatable ?? false
      take(isRepeatable ? times : 1)
      guard let new = isRepeatable ? completed?.repeated(times) : completed else { continue }
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

  /// Removes `times` occurrences of the first event.
  private mutating func take(_ times: Int) {
    events[first].times -= times
    if events[first].times > 0 { return }
    first += 1
    if first == events.count { (events, first) = ([], 0) }
  }
}
