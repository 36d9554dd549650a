import Demos
import FoundationEssentials
import ImageDecoding
import ImageLoading
import Pictures
import TerminalApp
import TextLayout
import TimelineStore
import TimelineUI

/// Evaluates the user's configuration file for the viewer, without a terminal.
@MainActor enum ConfigurationCheck {
  /// `--check-config`: a line for each problem, with the file, the line and the word; none if the
  /// file is valid or missing.
  static func problems(in file: ConfigurationFile?) -> [String] { check(file).problems }

  /// `--keys`: a line for each bound key, with its effect.
  static func keys(boundBy file: ConfigurationFile?) -> [String] { check(file).keys }

  private static func check(_ file: ConfigurationFile?) -> (problems: [String], keys: [String]) {
    let pictures = PictureStore(
      loader: ImageLoader(transport: Unconnected(), decoder: SystemImageDecoder()), depth: .none)
    // The store is never opened: it only provides the viewer's commands and settings.
    let store = TimelineStore(reader: BundledReader(showsPictures: false), isImmediate: false)
    let content = PostListContent(
      store: store, source: "", pictures: pictures, clock: .system)
    let screen = ListScreen(content: content)
    let application = TerminalApplication(checking: screen)
    let setup = ScreenSetup(
      screen: screen, pictures: pictures, names: SourceNames(), library: LibrarySettings(),
      file: file)
    setup.add(to: application)
    let problems = file.map { application.load($0) } ?? []
    return (problems, application.help.map { "\(padded($0.keys))\($0.text)" })
  }

  /// The columns for the keys and the blanks after them, of which there are at least two.
  private static let keyColumns = 24

  private static func padded(_ keys: String) -> String {
    let columns = TextMetrics.current.width(of: keys)
    return keys + String(repeating: " ", count: max(2, keyColumns - columns))
  }
}
