/// The parts of an application that start other programs.
@MainActor struct ApplicationPrograms {
  let links: LinkHandler
  let lender: TerminalLender
  let pipe: ProgramPipe
  let runner: ProgramRunner

  init(
    window: Window, display: any Display, notices: StatusMessages,
    in surroundings: ProgramSurroundings
  ) {
    lender = TerminalLender(display: display, in: surroundings)
    links = LinkHandler(
      opener: LinkOpener(lender: lender, in: surroundings),
      clipboard: Clipboard(in: surroundings) { display.copy($0) },
      window: window, display: display, notices: notices)
    pipe = ProgramPipe(lender: lender, in: surroundings)
    runner = ProgramRunner(in: surroundings)
  }
}
