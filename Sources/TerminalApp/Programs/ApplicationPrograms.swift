/// The parts of an application that start other programs.
@MainActor struct ApplicationPrograms {
  let links: LinkHandler
  let lender: TerminalLender
  let pipe: ProgramPipe
  let runner: ProgramRunner

  /// - Parameters:
  ///   - environment: the variables that name the browser and the display.
  ///   - after: runs a closure after a delay.
  init(
    window: Window, display: any Display, notices: StatusMessages, environment: [String: String],
    starter: ProgramStarter,
    after: @escaping (Duration, @escaping @MainActor () -> Void) -> Void
  ) {
    let tell = { (text: String, kind: StatusMessages.Kind) in notices.tell(text, kind) }
    lender = TerminalLender(display: display, starter: starter, after: after)
    links = LinkHandler(
      opener: LinkOpener(
        environment: environment, starter: starter, lender: lender, after: after, tell: tell),
      clipboard: Clipboard(
        environment: environment, starter: starter, after: after,
        send: { display.copy(base64: $0) }, tell: tell),
      window: window, display: display, notices: notices)
    pipe = ProgramPipe(starter: starter, lender: lender, after: after, tell: tell)
    runner = ProgramRunner(starter: starter, after: after)
  }
}
