import Inspector
import Pictures
import TerminalApp
import TimelineUI

/// What the viewer has besides its list: the inspector, names of sources, settings. The same for a
/// screen and for checking the user's file.
@MainActor struct ScreenSetup {
  let screen: ListScreen
  let pictures: PictureStore
  let names: SourceNames
  /// The user's file; nil where nobody can have one.
  let file: ConfigurationFile?

  /// To be called before the user's file is loaded.
  func add(to application: TerminalApplication) {
    LayoutInspector(of: screen.pane, pictures: pictures).add(to: application)
    names.addCommands(to: application, file: file)
    if let reading = screen.reading { application.settings.add([reading.setting]) }
  }
}
