import Geometry
import System
import Terminal
import TerminalViews

@testable import TerminalApp

/// The parts of an application around a view, without the application, in a time that passes in
/// steps.
@MainActor struct ApplicationParts {
  let window: Window
  let display: CanvasDisplay
  let scheduler = SteppedScheduler()
  let frames: FrameScheduler
  let notices = StatusMessages(now: { 0 })
  let links: LinkHandler
  let dispatcher: CommandDispatcher
  let settings: Settings

  /// - Parameter theme: the program's own theme; by default the terminal's colours decide.
  init(_ content: View, size: Size = Size(width: 40, height: 10), theme: Theme? = nil) {
    let (scheduler, notices) = (scheduler, notices)
    let surroundings = ProgramSurroundings(
      environment: [:],
      starter: ProgramStarter { _, _ in .failure(SystemFailure(code: ENOENT)) },
      after: { scheduler.after($0, $1) }, tell: { notices.tell($0, $1) })
    window = Window(content, theme: .standard)
    display = CanvasDisplay(size: size)
    frames = FrameScheduler(window, on: display, scheduler: scheduler)
    links = LinkHandler(
      opener: LinkOpener(
        lender: TerminalLender(display: display, in: surroundings), in: surroundings),
      clipboard: Clipboard(in: surroundings) { _ in true },
      window: window, display: display, notices: notices)
    dispatcher = CommandDispatcher(
      window: window, frames: frames, scheduler: scheduler, notices: notices, links: links)
    settings = Settings(
      appearance: Appearance(theme, of: window, on: display), window: window, display: display,
      dispatcher: dispatcher, notices: notices)
    frames.displayChanged()
    scheduler.advance(to: 10)
  }
}
