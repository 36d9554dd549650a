import Terminal
import TerminalViews

/// Turns the user's input into calls of commands, and performs them:
///
///     events ──▶ queue ──▶ keys ──▶ a call, looked up in the tables of the target ──▶ the view
///
/// 1. All events count, in order; consecutive moves in one direction are carried out as one, and
///    one frame shows the result of all.
/// 2. Work that takes longer than ``maximumTurnDuration`` continues in a later turn of the main
///    queue, after a frame that shows the progress; events that arrive meanwhile are queued.
/// 3. Ctrl-C and signals do not wait: earlier input is dropped, as a terminal drops input that a
///    program has not read.
/// 4. The target of keys is looked up once for all keys between two commands. Moves keep it, as
///    they change neither the focus nor which panels are open.
@MainActor final class CommandDispatcher {
  /// The tables that keys are looked up in, and the view that takes text.
  private struct Target {
    let tables: [CommandTable]
    let textInput: (any TextInput)?
  }

  private enum State {
    case idle
    /// The rest of the queue is scheduled for a later turn.
    case scheduled
    case stopped
  }

  /// The application's own commands, which are looked up after those of the views.
  let commands = ApplicationCommands()
  /// Whether Ctrl-C ends the program; otherwise it is a key like others.
  var endsOnInterrupt = true
  /// The lines entered after `:`, oldest first.
  private(set) var promptHistory: [String] = []
  private let window: Window
  private let frames: FrameScheduler
  private let scheduler: MainQueueScheduler
  private let notices: StatusMessages
  private let links: LinkHandler
  private var keys = KeyReader()
  private var queue = EventQueue()
  /// `nil` until the next key needs it; rule 4.
  private var target: Target?
  private var state = State.idle

  /// The time after which other work gets its turn.
  static let maximumTurnDuration = Duration.milliseconds(50)

  init(
    window: Window, frames: FrameScheduler, scheduler: MainQueueScheduler, notices: StatusMessages,
    links: LinkHandler
  ) {
    (self.window, self.frames, self.scheduler) = (window, frames, scheduler)
    (self.notices, self.links) = (notices, links)
    frames.takeTurns(with: self)
  }

  // MARK: Turns of work

  /// Handles events: at once, unless earlier ones take longer than a turn.
  ///
  /// - Returns: the exit status if the events end the program.
  func handle(_ events: [InputEvent]) -> Int32? {
    guard state != .stopped else { return nil }
    window.forEachResponder { $0.inputArrived() }
    let isAlone = events.count == 1 && queue.isEmpty
    for event in events {
      switch event {
      case .terminate(let signal): return 128 + signal
      case .key(.character("c"), .control) where endsOnInterrupt: return 130
      // The size applies at once, whatever was typed before.
      case .resize, .resumed: frames.displayChanged()
      case .key, .mouse, .paste, .pasteAbandoned: queue.add(event)
      }
    }
    if state == .idle { work(isAlone: isAlone) }
    return nil
  }

  /// Performs no more commands.
  func stop() { state = .stopped }

  private func work(isAlone: Bool = false) {
    // Changes made here need no frame of their own.
    frames.setNeedsFrame()
    frames.deferRequests()
    target = nil
    let end = scheduler.now + Self.maximumTurnDuration
    while state == .idle, let step = queue.next(step(for:)) {
      carryOut(step, isAlone: isAlone)
      if !queue.isEmpty, scheduler.now >= end { break }
    }
    guard state == .idle, !queue.isEmpty else { return }
    state = .scheduled
    scheduler.later { [weak self] in self?.continueWork() }
  }

  private func continueWork() {
    guard state == .scheduled else { return }
    state = .idle
    work()
  }

  private func carryOut(_ step: EventQueue.Step, isAlone: Bool) {
    switch step {
    case .text(let text):
      currentTarget.textInput?.insertText(text)
      target = nil
    case .mouse(let event):
      // The link at the position when the button is pressed, before the press scrolls the list.
      let link = event.kind == .press(.left) ? links.link(at: event.position) : nil
      window.send(event)
      if let link { links.follow(link) }
      target = nil
    case .call(var call):
      guard let (first, rest) = call.divided else {
        call.isAlone = isAlone
        _ = perform(call)
        return
      }
      if perform(first) != .exhausted { queue.putBack(rest) }
    }
  }

  /// Performs the call, or if the command passes, the next one in the responder chain.
  private func perform(_ call: CommandCall) -> CommandOutcome {
    let tables = currentTarget.tables
    var next: CommandCall? = call
    while let call = next {
      let outcome = call.command.perform(call)
      if !call.canBeJoined { target = nil }
      if case .refused(let reason) = outcome { notices.refuse(reason) }
      guard outcome == .passed else { return outcome }
      next = KeyReader.next(after: call, in: tables)
    }
    if let keys = call.keys {
      reportNoEffect(keys)
    } else {
      notices.refuse("nothing to do here for \(call.name)")
    }
    return .passed
  }

  // MARK: From events to steps

  private var currentTarget: Target {
    if let target { return target }
    let found = Target(tables: window.commandTables, textInput: window.textInput)
    target = found
    return found
  }

  private func step(for event: InputEvent) -> EventQueue.Step? {
    let told = notices.current
    notices.clear()
    switch event {
    case .key(.character(let character), let modifiers)
    where modifiers.isDisjoint(with: [.control, .alt]) && currentTarget.textInput != nil:
      return .text(String(character))
    case .key(let key, let modifiers):
      switch keys.answer(to: KeyStroke(key, modifiers), in: currentTarget.tables) {
      case .call(let call):
        // The redrawn screen keeps its message.
        if call.name == ApplicationCommands.redrawName { notices.restore(told) }
        return .call(call)
      case .unbound(let keys):
        reportNoEffect(keys)
        return nil
      case .pending: return nil
      }
    case .paste(let text):
      return currentTarget.textInput == nil ? nil : .text(text)
    case .pasteAbandoned:
      notices.tell("the paste did not end, and was dropped", .refusal)
      return nil
    case .mouse(let event):
      keys.reset()
      let stroke: KeyStroke
      switch event.kind {
      case .wheelUp: stroke = .wheelUp
      case .wheelDown: stroke = .wheelDown
      default: return .mouse(event)
      }
      let tables = window.commandTables(at: event.position)
      return keys.read(stroke, in: tables).map(EventQueue.Step.call)
    case .resize, .resumed, .terminate: return nil
    }
  }

  /// Shows that keys have no effect, so that they do not seem lost.
  private func reportNoEffect(_ keys: KeySequence) {
    guard !keys.last.isWheel else { return }
    notices.tell("\(keys.label) does nothing here", .hint)
  }

  // MARK: The prompt

  /// Opens the prompt for a command by name, with the call's count in it.
  func openPrompt(for call: CommandCall) {
    guard !(window.modalPanel is CommandPrompt) else { return }
    // If several commands share a name, the first one counts.
    let choices = Dictionary(
      window.commandTables.flatMap(\.commands).map { ($0.name, $0) },
      uniquingKeysWith: { a, _ in a })
    let prompt = CommandPrompt(
      call.count.map { "\($0) " } ?? "", choices: Array(choices.values), history: promptHistory)
    prompt.onSubmit = { [weak self] in self?.submit($0, history: $1) }
    prompt.open(in: window)
  }

  private func submit(_ line: String, history: [String]) {
    promptHistory = history
    guard let words = CommandWords(line) else { return }
    do throws(CommandRefusal) {
      queue.putBack(try words.call(in: window.commandTables))
    } catch {
      notices.refuse(error.reason)
    }
  }

  // MARK: Keys

  /// The user's key bindings.
  var bindings: KeyBindings { keys.bindings }

  /// The keys typed and not yet carried out.
  var pendingKeys: String { keys.pending }

  /// Binds keys from the argument of `bind`: `zt align-top`.
  func bind(_ argument: String) throws(CommandRefusal) {
    let tables = window.allCommandTables
    try keys.bindings.bind(argument, toCommandsOf: tables)
  }

  /// Unbinds keys, so that they have no effect.
  func unbind(_ argument: String) throws(CommandRefusal) { try keys.bindings.unbind(argument) }
}

extension CommandDispatcher: FrameInput {
  var isQueued: Bool { !queue.isEmpty }

  /// The first lookup is slow: the runtime searches for the conformances to `Responder`.
  func prepareForKey() { _ = currentTarget }
}
