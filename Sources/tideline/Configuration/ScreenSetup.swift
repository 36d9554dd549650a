import Demos
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
  /// The panel that F12 closes and opens, open from the start; `nil` for the layout inspector,
  /// which is closed at first.
  var monitor: MonitorPanel?
  /// The settings of what is followed.
  let library: LibrarySettings
  /// The user's configuration file; `nil` if there is no place for one.
  let file: ConfigurationFile?

  /// Call this before the configuration file is loaded.
  func add(to application: TerminalApplication) {
    if let monitor {
      monitor.add(to: application)
    } else {
      LayoutInspector(of: screen.pane, pictures: pictures) { [screen] in
        screen.pictureAddress(in: $0)
      }.add(to: application)
    }
    names.addCommands(to: application, file: file)
    application.settings.add(screen.settings + library.settings + [UserAgentSetting().setting])
    screen.article?.connect(to: application)
  }
}
