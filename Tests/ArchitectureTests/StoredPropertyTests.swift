import TestSupport
import Testing

/// A type with much state is several types. What counts is what it stores, not its lines.
@Suite struct StoredPropertyTests {
  /// Stored properties that a type may have.
  private static let limit = 12

  /// Types that store more, and why they may. The number is how many: it may fall, not rise.
  private static let exceptions: [String: (count: Int, reason: String)] = [
    // Values whose fields are what they describe.
    "Post": (26, "a post as its readers fill it and the list shows it"),
    "ImageLoaderConfiguration": (14, "independent options"),
    "HeightNode": (15, "a node of the tree is one block of memory"),
    "LayoutConstraint": (19, "the fields of the linear relation and what the solver has of it"),
    "LayoutItem": (16, "eight variables, and what they depend on"),
    // Types that are to be divided.
    "PostCell": (30, "the views of a cell"),
    "ListView": (22, "the cells, the selection and what moves"),
    "XMLFeedParser": (20, "the state of two formats"),
    "FilePostSource": (20, "rows, the index and reloading"),
    "Transfer": (19, "the exchange and its limits"),
    "SourceReader": (18, "the file and its beginnings"),
    "ImagePresenter": (18, "the request and its drawing"),
    "Paging": (18, "pages in both directions"),
    "LayoutInspector": (18, "its panel and the marks in the list"),
    "BackgroundSearch": (17, "the pieces and their results"),
    "PagedPostSource": (16, "pages and their posts"),
    "Screen": (15, "the terminal's modes and frames"),
    "HTMLParagraphBuilder": (15, "paragraphs and their indents"),
    "Tableau": (14, "rows, columns and their work lists"),
    "InMemoryPostSource": (14, "posts and their reload"),
    "ListPane": (15, "the list and its search"),
    "ImageView": (15, "the picture and its states"),
    "ImageLoader": (14, "queue, jobs and caches"),
    "TerminalSetup": (13, "the steps of the setup"),
    "AnswerReader": (13, "the answer and its limits"),
    "FullPictureView": (13, "the picture, its place and its animation"),
  ]

  @Test func noTypeStoresMoreThanTwelveProperties() throws {
    var counts: [String: Int] = [:]
    for file in try SourceFile.inPackage.get() {
      for (type, count) in file.storedProperties { counts[type, default: 0] += count }
    }
    #expect(counts.count > 500)
    for (type, count) in counts where count > Self.limit {
      let allowed = Self.exceptions[type]?.count ?? Self.limit
      #expect(count <= allowed, "\(type) stores \(count) properties, \(allowed) are allowed")
    }
    for (type, exception) in Self.exceptions {
      let count = counts[type] ?? 0
      #expect(count == exception.count, "\(type) stores \(count) now: lower its exception")
    }
  }

  @Test func storedPropertiesAreFound() {
    let text = """
      /// var a: Int
      public struct Tide {
        static let limit = 3
        public private(set) var level = 0
        let (low, high): (Int, Int)
        private let name: String, place: [String: (x: Int, y: Int)]
        var isLow: Bool { level < low }
        var gauge: Gauge? {
          didSet { update() }
        }
        var height: Int {
          get { level }
          set { level = newValue }
        }
        struct Gauge {
          var mark = { 3 }
        }
        lazy var scale: Int = {
          let factor = 2
          return factor
        }()
        func read() {
          let value = 1
        }
      }

      extension Tide {
        var double: Int { level * 2 }
      }
      """
    #expect(SourceFile.storedProperties(in: text) == ["Tide": 7, "Tide.Gauge": 1])
  }
}
