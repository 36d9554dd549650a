import Demos
import FoundationEssentials
import ImageDecoding
import ImageLoading
import Pictures
import TerminalApp
import TextLayout
import TimelineStore
import TimelineUI

/// What the user's file makes of the viewer, without a terminal.
@MainActor enum ConfigurationCheck {
  /// `--check-config`: a line about each thing that is wrong, with the file, the line and the word;
  /// none where it is sound, and where there is none.
  static func problems(in file: ConfigurationFile?) -> [String] { check(file).problems }

  /// `--keys`: the keys as they are bound, with what they do, a line each.
  static func keys(boundBy file: ConfigurationFile?) -> [String] { check(file).keys }

  private static func check(_ file: ConfigurationFile?) -> (problems: [String], keys: [String]) {
    let pictures = PictureStore(
      loader: ImageLoader(transport: Unconnected(), decoder: SystemImageDecoder()), depth: .none)
    // Nothing of it is read: the commands and settings are the viewer's.
    let store = TimelineStore(reader: BundledReader(showsPictures: false), isImmediate: false)
    let content = PostListContent(
      store: store, source: "", pictures: pictures, clock: .system)
    let screen = ListScreen(content: content)
    let application = TerminalApplication(checking: screen)
    let setup = ScreenSetup(
      screen: screen, pictures: pictures, names: SourceNames(), file: file)
    setup.add(to: application)
    let problems = file.map { application.load($0) } ?? []
    return (problems, application.help.map { "\(padded($0.keys))\($0.text)" })
  }

  /// Columns that keys stand in; two blanks at least follow them.
  private static let keyColumns = 24

  private static func padded(_ keys: String) -> String {
    let columns = TextMetrics.current.width(of: keys)
    return keys + String(repeating: " ", count: max(2, keyColumns - columns))
  }
}
