import TestSupport
import Testing

/// A type with much state is several types. What counts is what it stores, not its lines.
@Suite struct StoredPropertyTests {
  /// Stored properties that a type may have.
  private static let limit = 12

  /// Types that store more, and why they may. The number is how many: it may fall, not rise.
  private static let exceptions: [String: (count: Int, reason: String)] = [
    // Values whose fields are what they describe.
    "Post": (28, "a post as its readers fill it and the list shows it"),
    "ImageLoaderConfiguration": (14, "independent options"),
    "HeightNode": (15, "a node of the tree is one block of memory"),
    "Tableau": (14, "one block of memory, the places in it, and its extent"),
    "LayoutConstraint": (19, "the fields of the linear relation and what the solver has of it"),
    "LayoutItem": (16, "eight variables, and what they depend on"),
    // Public views, most of whose properties their users set, each by itself.
    "ListView": (17, "nine settings and callbacks, and the parts that they configure"),
    "ImageView": (14, "the picture or what stands for it, and how large it may be"),
  ]

  @Test func noTypeStoresMoreThanTwelveProperties() throws {
    var counts: [String: Int] = [:]
    for file in try SourceFile.inPackage.get() {
      for property in file.storedProperties { counts[property.type, default: 0] += 1 }
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

  /// Properties that another file of their type writes, and why.
  private static let writtenElsewhere: [String: String] = [
    "JSONScanner.position": "one scan, whose two files move the same position",
    "CanvasCell.code": "a cell is 16 bytes that two kinds of content share",
    "LayoutItem.guides": "the guides of an item have a file",
    "LayoutItem.safeArea": "the guides of an item have a file",
    "LayoutItem.margins": "the guides of an item have a file",
  ]

  /// A property that other files of its type write has as many owners as files.
  @Test func noPropertyIsWrittenFromAnotherFile() throws {
    let files = try SourceFile.inPackage.get()
    var properties: [String: [(file: String, property: StoredProperty)]] = [:]
    for file in files {
      for property in file.storedProperties where property.isWritableElsewhere {
        properties["\(file.module).\(property.type)", default: []].append((file.path, property))
      }
    }
    var found: Set<String> = []
    for file in files {
      for type in file.extended {
        let others = properties["\(file.module).\(type)"]?.filter { $0.file != file.path } ?? []
        for property in file.written(of: others.map(\.property), inExtensionsOf: type) {
          found.insert("\(type).\(property.name)")
        }
      }
    }
    #expect(found == Set(Self.writtenElsewhere.keys))
  }

  @Test(arguments: [
    "level = 3", "self.level += 1", "level[3].mark = 2", "level.append(1)", "read(&level)",
    "(low, level) = (1, 2)", "level?.mark = nil", "  level <<= 2",
  ])
  func writesAreFound(line: String) {
    let level = StoredProperty(type: "Tide", name: "level", isWritableElsewhere: true)
    #expect(level.isWritten(in: line[...]))
  }

  @Test(arguments: [
    "level == 3", "levels = 3", "let level = 3", "read(level)", "level.read()", "gauge.level = 3",
    "if level <= 3 {", "level(3)", "return level", "&levels",
  ])
  func readsAreNoWrites(line: String) {
    let level = StoredProperty(type: "Tide", name: "level", isWritableElsewhere: true)
    #expect(!level.isWritten(in: line[...]))
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
        override var frame: Rect {
          didSet { draw() }
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
    let found = StoredProperty.declared(in: text)
    #expect(found.filter { $0.type == "Tide" }.count == 7)
    #expect(
      found.map(\.name) == ["level", "low", "high", "name", "place", "gauge", "mark", "scale"])
    #expect(found.filter(\.isWritableElsewhere).map(\.name) == ["gauge", "mark", "scale"])
  }
}
