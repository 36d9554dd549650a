import Demos
import FoundationEssentials
import HTTP
import ImageDecoding
import ImageLoading
import Pictures
import TerminalApp
import TimelineStore
import TimelineUI

/// `--check-config`: what is wrong with the user's file, without a terminal.
@MainActor enum ConfigurationCheck {
  /// A line about each thing that is wrong, with the file, the line and the word; none where it is sound,
  /// and where there is none.
  static func problems(in file: ConfigurationFile?) -> [String] {
    guard let file else { return [] }
    let pictures = PictureStore(
      loader: ImageLoader(transport: Unconnected(), decoder: SystemImageDecoder()), depth: .none)
    // Nothing of it is read: the commands and settings are the viewer's.
    let store = TimelineStore(reader: BundledReader(showsPictures: false), isImmediate: false)
    let content = PostListContent(
      store: store, source: "", pictures: pictures, now: Date().timeIntervalSince1970)
    let screen = ListScreen(content: content)
    let application = TerminalApplication(checking: screen)
    let setup = ScreenSetup(screen: screen, pictures: pictures, names: SourceNames())
    setup.add(to: application)
    return application.load(file)
  }

  /// Nothing is fetched.
  private struct Unconnected: HTTPTransport {
    func send(_ request: HTTPRequest) async throws(HTTPError) -> (HTTPResponse, HTTPBody) {
      throw .cancelled
    }
  }
}
