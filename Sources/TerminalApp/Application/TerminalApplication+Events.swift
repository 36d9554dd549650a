import Terminal

/// How events are handled:
///
/// 1. All events count, in order; consecutive moves in one direction are carried out as one, and
///    one frame shows the result of all.
/// 2. Work that takes longer than `maximumTurnDuration` continues in the next turn of the main queue, after
///    a frame that shows the progress and after the events that have arrived meanwhile.
/// 3. Ctrl-C and signals do not wait: earlier input is dropped, as a terminal drops input that a
///    program has not read.
extension TerminalApplication {
  /// The tables that keys are looked up in and the view that takes text, computed once for all keys
  /// between two commands.
  struct KeyTarget {
    let tables: [CommandTable]
    let textInput: (any TextInput)?
  }

  /// The time after which other work gets its turn.
  static let maximumTurnDuration = Duration.milliseconds(50)

  func handle(_ events: [InputEvent]) {
    guard exitStatus == nil else { return }
    window.forEachFrameParticipant { $0.inputArrived() }
    let isAlone = events.count == 1 && queue.isEmpty
    for event in events {
      switch event {
      case .terminate(let signal): return end(128 + signal)
      case .key(.character("c"), .control) where endsOnInterrupt: return end(130)
      // The size applies at once, whatever was typed before.
      case .resize, .resumed:
        frames.displayChanged()
      case .key, .mouse, .paste, .pasteAbandoned: queue.add(event)
      }
    }
    guard !isWorkScheduled else { return }
    work(isAlone: isAlone)
  }

  private func work(isAlone: Bool = false) {
    guard exitStatus == nil else { return }
    // Changes made here need no frame of their own.
    setNeedsFrame()
    frames.deferRequests()
    keyTarget = nil
    let end = scheduler.now + Self.maximumTurnDuration
    while exitStatus == nil, let step = queue.next(step(for:)) {
      carryOut(step, isAlone: isAlone)
      if !queue.isEmpty, scheduler.now >= end { break }
    }
    guard !queue.isEmpty else { return }
    isWorkScheduled = true
    scheduler.later { [weak self] in
      self?.isWorkScheduled = false
      self?.work()
    }
  }

  private func carryOut(_ step: EventQueue.Step, isAlone: Bool) {
    switch step {
    case .text(let text):
      currentTarget.textInput?.insertText(text)
      keyTarget = nil
    case .mouse(let event):
      // The link at the position when the button is pressed, before the press scrolls the list.
      let link = event.kind == .press(.left) ? links.link(at: event.position) : nil
      window.send(event)
      if let link { links.follow(link) }
      keyTarget = nil
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
      // Moves keep the target.
      if !call.canBeJoined { keyTarget = nil }
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

  /// The target of keys, looked up on first use after a reset.
  var currentTarget: KeyTarget {
    if let keyTarget { return keyTarget }
    let target = KeyTarget(tables: window.commandTables, textInput: window.textInput)
    keyTarget = target
    return target
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
        if call.name == Self.redrawName { notices.restore(told) }
        return .call(call)
      case .unbound(let keys):
        reportNoEffect(keys)
        return nil
      case .pending, .forgotten: return nil
      }
    case .paste(let text):
      return currentTarget.textInput == nil ? nil : .text(text)
    case .pasteAbandoned:
      tell("the paste did not end, and was dropped", .refusal)
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
    tell("\(keys.label) does nothing here", .hint)
  }

  /// The keys typed and not yet carried out.
  var pendingKeys: String { keys.pending }
}

extension TerminalApplication: FrameInput {
  var isQueued: Bool { !queue.isEmpty }
  func prepareForKey() { _ = currentTarget }
}
