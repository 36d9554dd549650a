import Terminal

/// Turns keys into commands: a state machine that remembers a count (`5j`, `12G`, `50%`) and the first
/// key of a pair (`zt`).
public struct KeyMap: Sendable {
  /// The count typed so far, for the status line; nil where there is none.
  public private(set) var count: Int?
  private var prefix: Character?
  /// While the inspector is open its keys come before all others.
  public var isInspecting = false

  /// Counts stop growing here, so that nobody can overflow them.
  static let maximumCount = 999_999_999
  static let linesPerWheelStep = 3

  public init() {}

  /// What is typed and not yet carried out, to be shown: `"12"`, `"z"`.
  public var pending: String {
    (count.map(String.init) ?? "") + (prefix.map(String.init) ?? "")
  }

  /// The command that `event` completes; nil where it completes none.
  public mutating func command(for event: InputEvent) -> Command? {
    switch event {
    case .key(let key, let modifiers): command(for: key, modifiers)
    case .mouse(let mouse): command(for: mouse)
    default: nil
    }
  }

  private mutating func command(for mouse: MouseEvent) -> Command? {
    reset()
    return switch mouse.kind {
    case .wheelUp: .scrollLines(-Self.linesPerWheelStep)
    case .wheelDown: .scrollLines(Self.linesPerWheelStep)
    case .press(.left): .mouseDown(mouse.position)
    case .drag(.left): .mouseDrag(mouse.position)
    case .release(.left), .release(.other): .mouseUp(mouse.position)
    default: nil
    }
  }

  private mutating func command(for key: Key, _ modifiers: KeyModifiers) -> Command? {
    if modifiers.isEmpty, case .character(let character) = key, prefix == nil,
      let digit = character.wholeNumberValue, character.isASCII, digit > 0 || count != nil
    {
      count = min((count ?? 0) * 10 + digit, Self.maximumCount)
      return nil
    }
    if modifiers.isEmpty, prefix == nil, key == .character("z") {
      prefix = "z"
      return nil
    }
    defer { reset() }
    if prefix == "z" { return alignment(for: key) }
    if isInspecting, key == .tab {
      return .inspector(modifiers.contains(.shift) ? .previousSection : .nextSection)
    }
    if modifiers.contains(.control), case .character(let character) = key {
      return controlCommand(for: character)
    }
    return plainCommand(for: key)
  }

  private func alignment(for key: Key) -> Command? {
    switch key {
    case .character("z"): .alignSelection(.middle)
    case .character("t"): .alignSelection(.top)
    case .character("b"): .alignSelection(.bottom)
    default: nil
    }
  }

  private func controlCommand(for character: Character) -> Command? {
    let times = count ?? 1
    return switch character {
    case "e": .scrollLines(times)
    case "y": .scrollLines(-times)
    case "d": .halfPages(times)
    case "u": .halfPages(-times)
    case "f": .pages(times)
    case "b": .pages(-times)
    case "n": .selectNext(times)
    case "p": .selectPrevious(times)
    case "l": .redraw
    case "z": .suspend
    case "c": .interrupt
    default: nil
    }
  }

  private func plainCommand(for key: Key) -> Command? {
    let times = count ?? 1
    if isInspecting, let command = inspectorCommand(for: key) { return .inspector(command) }
    return switch key {
    case .character("j"), .down: .selectNext(times)
    case .character("k"), .up: .selectPrevious(times)
    case .character(" "), .pageDown: .pages(times)
    case .character("b"), .pageUp: .pages(-times)
    case .character("g"), .home: count.map { .goToRow($0) } ?? .goToTop
    case .character("G"), .end: count.map { .goToRow($0) } ?? .goToEnd
    case .character("%"): count.map { .goToPercent(min($0, 100)) }
    case .character("."): .showNewRows
    case .character("r"): .reload
    case .character("x"): .toggleCover
    case .character("?"), .function(1): .help
    case .function(12): .inspect
    case .character("q"): .back
    // Never quits: losing the timeline to a key that other programs use to be safe would be a surprise.
    case .escape: .dismiss
    default: nil
    }
  }

  private func inspectorCommand(for key: Key) -> InspectorCommand? {
    let times = count ?? 1
    return switch key {
    case .character("v"): .nextView
    case .character("V"): .previousView
    case .character("c"): .nextConstraint
    case .character("C"): .previousConstraint
    case .character("x"): .toggleConstraint
    case .character("<"), .left: .widen(-times)
    case .character(">"), .right: .widen(times)
    case .character("p"): .pauseArrivals
    case .character("i"): .admitArrival
    case .character("J"): .scroll(times)
    case .character("K"): .scroll(-times)
    default: nil
    }
  }

  private mutating func reset() {
    count = nil
    prefix = nil
  }
}
