import TerminalViews

/// The commands of an application, which are looked up after those of its views.
@MainActor final class ApplicationCommands {
  /// The program's own commands.
  let own = CommandTable()
  /// Commands that a ``ConfigurationFile`` may hold; they can also be typed after `:`.
  let configuration = CommandTable()
  /// Commands available in modal panels in place of `own`.
  private let panel = CommandTable()
  /// Further commands available in panels that have status lines of their own.
  private let page = CommandTable()
  private let system = CommandTable()

  static let redrawName = "redraw"

  /// The tables looked up after those of the content and of panels beside it.
  var tables: [CommandTable] { [own, configuration, system] }

  /// The tables looked up after those of a modal panel.
  ///
  /// - Parameter isPage: whether the panel has status lines of its own.
  func tablesOfPanel(isPage: Bool) -> [CommandTable] {
    (isPage ? [page] : []) + [panel, configuration, system]
  }

  /// Adds the commands that every application has.
  func addCommands(of application: TerminalApplication) {
    let commandLine = Command<TerminalApplication>(
      "command-line", ":", help: "command by name"
    ) { application, call in application.dispatcher.openPrompt(for: call) }
    let quit = Command<TerminalApplication>("quit", help: "") { application, _ in application.end()
    }
    let help = Command<TerminalApplication>("help", "?", "f1", help: "this page") {
      application, _ in Self.openHelp(of: application)
    }
    let messages = Command<TerminalApplication>(
      "messages", help: "what was told in the status line, the newest first"
    ) { application, _ in Self.openMessages(of: application) }
    own.add(
      [
        help,
        Command("back", "q", help: "back; at the top, quit") { application, _ in
          application.end()
        },
        commandLine, quit,
        messages,
        Command("next-view", "tab", help: "") { application, _ in
          application.window.moveFocus() ? .done : .passed
        },
        Command("previous-view", "shift-tab", help: "") { application, _ in
          application.window.moveFocus(by: -1) ? .done : .passed
        },
      ], of: application, below: .screen)
    panel.add([commandLine, quit, messages], of: application, below: .screen)
    page.add(
      [help, Command("back", "q", help: "back") { _, _ in .passed }], of: application,
      below: .screen)
    system.add(
      [
        Command(Self.redrawName, "ctrl-l", help: "redraw the screen") { application, _ in
          application.display.invalidate()
        },
        Command("suspend", "ctrl-z", help: "suspend") { application, _ in
          application.display.suspend()
        },
      ], of: application, below: .screen)
  }

  private static func openHelp(of application: TerminalApplication) {
    let provider = application.window.provider
    let page = HelpPage.sections(
      title: provider?.helpTitle ?? "", notes: provider?.helpNotes ?? [],
      firstKeys: provider?.helpFirstKeys ?? [], lines: application.help)
    application.window.present(HelpView(page))
  }

  private static func openMessages(of application: TerminalApplication) -> CommandOutcome {
    guard !application.notices.log.isEmpty else { return .refused("nothing was told yet") }
    application.window.present(HelpView([application.notices.page]))
    return .done
  }
}
