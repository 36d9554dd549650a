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

  /// To be called before the user's file is loaded.
  func add(to application: TerminalApplication) {
    LayoutInspector(of: screen.pane, pictures: pictures).add(to: application)
    names.addCommand(to: application)
  }
}
