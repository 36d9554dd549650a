import Inspector
import Pictures
import TerminalApp
import TimelineUI

/// The viewer's parts besides its list: the inspector, names of sources, settings. The same for a
/// screen and for checking the configuration file.
@MainActor struct ScreenSetup {
  let screen: ListScreen
  let pictures: PictureStore
  let names: SourceNames
  /// The user's configuration file; `nil` if there is no place for one.
  let file: ConfigurationFile?

  /// Call this before the configuration file is loaded.
  func add(to application: TerminalApplication) {
    LayoutInspector(of: screen.pane, pictures: pictures).add(to: application)
    names.addCommands(to: application, file: file)
    application.settings.add(screen.settings)
    screen.article?.connect(to: application)
  }
}
