import Feeds
import Glibc
import TestSupport
import Testing
import TextLayout
import VirtualList

@testable import TimelineStore

/// The files in which places are kept.
@Suite struct PlaceFileTests {
  private let folder: TemporaryFolder
  private var files: PlaceStore { PlaceStore(folder: folder.path + "/state/places") }

  init() throws { folder = try TemporaryFolder() }

  private func place(_ number: Int) -> RememberedPlace {
    var post = Post(id: "post \(number)")
    post.body = StyledText("text")
    return RememberedPlace(
      post: StoredPostIdentity(post), row: number, place: Place(part: 3, offset: Int32(number)))
  }

  private func random(_ generator: inout SeededGenerator) -> RememberedPlace {
    let letters = Array("aZ09 %\u{0A}é潮🚢\u{7F}\u{1B}=\\\"")
    func text(_ count: ClosedRange<Int>) -> String {
      String(
        (0..<Int.random(in: count, using: &generator)).map { _ in
          letters.randomElement(using: &generator) ?? "a"
        })
    }
    var result = RememberedPlace(
      post: StoredPostIdentity(Post(id: text(1...300))),
      row: .random(in: 0...1 << 40, using: &generator),
      place: Place(
        part: .random(in: -40...40, using: &generator),
        offset: .random(in: 0 ... .max, using: &generator)))
    if Bool.random(using: &generator) { result.byte = .random(in: 0...1 << 50, using: &generator) }
    result.words = Sanitizer.line(text(0...48))
    result.words = String(result.words.prefix(48))
    if Bool.random(using: &generator) {
      result.selection = .random(in: -1_000...1_000, using: &generator)
    }
    func mark() -> StoredPostIdentity? {
      Bool.random(using: &generator) ? StoredPostIdentity(Post(id: text(1...2_000))) : nil
    }
    result.first = mark()
    (result.selected, result.below, result.above) = (mark(), mark(), mark())
    return result
  }

  @Test func aPlaceComesBackAsItWas() throws {
    var generator = SeededGenerator(seed: .random(in: 0 ... .max))
    for number in 0..<200 {
      let place = random(&generator)
      let source = "/a % b\n\(number)/é"
      try files.keep(place, of: source)
      #expect(files.place(of: source) == place, "seed \(generator.seed), number \(number)")
      #expect(files.place(of: source + "x") == nil)
    }
  }

  /// Random sequences of keeping, damage and pruning, compared with a dictionary.
  @Test func filesAgreeWithANaiveModel() throws {
    var generator = SeededGenerator(seed: .random(in: 0 ... .max))
    var model: [String: RememberedPlace] = [:]
    let sources = (0..<12).map { "source \($0)" }
    for step in 0..<Rounds.times(100) {
      let source = sources.randomElement(using: &generator) ?? ""
      switch Int.random(in: 0..<10, using: &generator) {
      case 0:
        if let name = try name(of: source) { unlink("\(files.folder)/\(name)") }
        model[source] = nil
      case 1:
        // A damaged file has no place; a truncated one may have a place with fewer values.
        if let name = try name(of: source) {
          try folder.write([UInt8](repeating: 0xFF, count: 300), to: "state/places/" + name)
        }
        model[source] = nil
      case 2: files.prune(now: Int(time(nil)))
      case 3: try folder.makeFolder("state/places/kept \(step % 3)")
      default:
        let place = random(&generator)
        try files.keep(place, of: source)
        model[source] = place
      }
      for source in sources {
        #expect(files.place(of: source) == model[source], "seed \(generator.seed), step \(step)")
      }
    }
  }

  /// The name of a source's file; `nil` if there is none.
  private func name(of source: String) throws -> String? {
    let empty = PlaceStore(folder: folder.path + "/names")
    try empty.keep(place(1), of: source)
    let names = try folder.names(in: "names")
    for name in names { unlink("\(empty.folder)/\(name)") }
    return names.first.flatMap { access("\(files.folder)/\($0)", F_OK) == 0 ? $0 : nil }
  }

  // MARK: Versions and damage

  private func read(_ text: String) -> RememberedPlace? {
    RememberedPlace(Array(text.utf8), of: "/tides")
  }

  @Test func unknownVersionsAndNamesAreIgnored() {
    let known = "source /tides\npost id 1\nrow 4\npart 2\ncharacter 7\n"
    let place = read("tideline place 1\n" + known)
    #expect(place?.row == 4 && place?.place == Place(part: 2, offset: 7) && place?.byte == nil)
    #expect(read("tideline place 1\ncolour blue\n" + known + "mood\n\n") == place)
    for head in [
      "tideline place 2", "tideline place 0", "tideline place", "place 1", "", "\u{FEFF}",
    ] {
      #expect(read(head + "\n" + known) == nil, "\(head)")
    }
    // Values that an earlier version did not write.
    let least = read("tideline place 1\nsource /tides\npost id 1\n")
    #expect(least?.row == 0 && least?.words == "" && least?.first == nil)
    #expect(read("tideline place 1\nsource /tides\nrow 3\n") == nil)
    #expect(read("tideline place 1\nsource /other\npost id 1\n") == nil)
    #expect(read("tideline place 1\nsource /tides\npost 1\n") == nil)
  }

  @Test func valuesFromFilesAreBounded() {
    let head = "tideline place 1\nsource /tides\npost id 1\n"
    for number in ["-1", "99999999999999999999999", "1e9", "", "9223372036854775807", "x"] {
      let names = ["row", "byte", "part", "character", "selection"]
      let place = read(head + names.map { "\($0) \(number)\n" }.joined())
      #expect(place != nil && (place?.row ?? -1) >= 0 && place?.byte ?? 0 >= 0, "\(number)")
      #expect((place?.selection?.magnitude ?? 0) <= 1_000)
    }
    let words = read(head + "words a%1B[31mb%0Ac\n")?.words ?? ""
    #expect(!words.isEmpty && words.unicodeScalars.allSatisfy { $0.value >= 32 })
  }

  @Test func otherFilesAreIgnored() throws {
    try files.keep(place(1), of: "tides")
    let name = try #require(try folder.names(in: "state/places").first)
    let path = "\(files.folder)/\(name)"
    let kinds: [(String) throws -> Void] = [
      { try folder.write([UInt8](repeating: 0, count: 1 << 20), to: "state/places/" + $0) },
      { _ in mkdir(path, 0o700) }, { _ in mkfifo(path, 0o600) },
      { _ in symlink("/dev/zero", path) }, { _ in symlink("/etc/passwd", path) },
      { try folder.write("", to: "state/places/" + $0) },
    ]
    for make in kinds {
      unlink(path)
      rmdir(path)
      try make(name)
      #expect(files.place(of: "tides") == nil)
    }
    unlink(path)
    try files.keep(place(2), of: "tides")
    #expect(files.place(of: "tides") == place(2))
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    #expect(stat(files.folder, &status) == 0 && status.st_mode & 0o777 == 0o700)
  }

  @Test func anUnwritableFolderIsReported() throws {
    try folder.write("no folder", to: "file")
    for path in ["/proc/tideline/places", folder.path + "/file/places", folder.path + "/file"] {
      let files = PlaceStore(folder: path)
      #expect(throws: (any Error).self) { try files.keep(place(1), of: "tides") }
      #expect(files.place(of: "tides") == nil)
      files.prune(now: 0)
      let keeper = PlaceWriter(files: files, source: "tides", place: nil)
      keeper.keep(place(1))
      keeper.finish(now: 0)
      #expect(keeper.failure?.isEmpty == false)
    }
  }

  // MARK: Bounds

  @Test func pruningRemovesTheOldest() throws {
    let count = PlaceStore.maximumCount
    let now = 2_000_000_000
    for number in 0..<count + 20 {
      try files.keep(place(number), of: "source \(number)")
    }
    // The files' ages follow the order in which they were written.
    for number in 0..<count + 20 {
      let other = PlaceStore(folder: folder.path + "/one")
      try other.keep(place(number), of: "source \(number)")
      let name = try #require(try folder.names(in: "one").first)
      unlink("\(other.folder)/\(name)")
      age("\(files.folder)/\(name)", to: now - 10_000 + number)
    }
    try folder.write("mine", to: "state/places/notes.txt")
    try folder.write("half", to: "state/places/\(String(repeating: "a", count: 32)).77")
    age(files.folder + "/" + String(repeating: "a", count: 32) + ".77", to: now - 4_000)
    files.prune(now: now)
    #expect(try folder.names(in: "state/places").count == count + 1)
    for number in [0, 19] { #expect(files.place(of: "source \(number)") == nil) }
    for number in [20, count + 19] {
      #expect(files.place(of: "source \(number)") == place(number))
    }
    files.prune(now: now + PlaceStore.maximumAge - 10_000 + 30)
    #expect(files.place(of: "source 29") == nil)
    #expect(files.place(of: "source 31") == place(31))
    files.prune(now: now + 2 * PlaceStore.maximumAge)
    #expect(try folder.names(in: "state/places") == ["notes.txt"])
  }

  private func age(_ path: String, to seconds: Int) {
    let time = timespec(tv_sec: seconds, tv_nsec: 0)
    #expect(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
  }

  /// Several keepers write to the same folder, some for the same source, while it is pruned.
  @Test func concurrentWritersLoseNothing() async throws {
    let files = files
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<6 {
        group.addTask {
          let own = PlaceWriter(files: files, source: "own \(writer)", place: nil)
          let common = PlaceWriter(files: files, source: "common", place: nil)
          for number in 0..<60 {
            own.keep(place(number))
            common.keep(place(number))
            if number % 20 == writer { own.finish(now: Int(time(nil)), within: .seconds(60)) }
            // A reader finds one of the places.
            if let found = files.place(of: "common") { #expect(found.row < 60) }
          }
          own.finish(now: 0, within: .seconds(60))
          common.finish(now: 0, within: .seconds(60))
        }
      }
    }
    for writer in 0..<6 { #expect(files.place(of: "own \(writer)") == place(59)) }
    #expect(files.place(of: "common") == place(59))
    #expect(try folder.names(in: "state/places").count == 7)
  }

  // MARK: Names

  @Test func namesOmitPasswords() {
    let url = TimelineSource(argument: "https://reader:secret@harbour.example/feed?a=1")
    let name = PlaceStore.name(of: [url, .file("tides.xml")], in: "/home")
    #expect(name == "https://harbour.example/feed?a=1\n/home/tides.xml")
    #expect(PlaceStore.name(of: [url, .file("/home/tides.xml")], in: "/") == name)
    #expect(PlaceStore.name(of: [.file("/home/tides.xml"), url], in: "/") != name)
    #expect(PlaceStore.name(of: [.standardInput], in: "/") == nil)
    #expect(PlaceStore.name(of: [], in: "/") == nil)
  }
}
