import FoundationEssentials
import Glibc
import TestSupport

/// A Swift source file and the modules it imports.
struct SourceFile {
  /// The module it belongs to.
  let module: String
  /// Relative to the package.
  let path: String
  let imports: [String]
  /// The types that the file extends.
  let extended: Set<String>
  /// The properties that the types declared here store.
  let storedProperties: [StoredProperty]
  private let text: String

  /// Lines with code that crashes or reads freed memory after a mistake elsewhere.
  var unchecked: [String] { Self.unchecked(in: text) }
  /// Lines that use threads of libdispatch's global queues or of the task pool.
  var unbounded: [String] { Self.unbounded(in: text) }

  /// Those of `properties` that extensions of `type` change here, but for those whose name a
  /// constant or another type of this file has.
  func written(of properties: [StoredProperty], inExtensionsOf type: String) -> [StoredProperty] {
    let own = Set(storedProperties.map(\.name))
    let candidates = properties.filter {
      text.contains($0.name) && !own.contains($0.name) && !text.contains("let \($0.name) = ")
    }
    guard !candidates.isEmpty else { return [] }
    let lines = Self.code(of: text)
    let starts = lines.indices.filter { index in
      let words = lines[index].split(separator: " ")
      guard let place = words.firstIndex(of: "extension"), place + 1 < words.count,
        !lines[index].hasPrefix(" ")
      else { return false }
      return words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." } == type
    }
    return candidates.filter { property in
      starts.contains { start in
        lines[start...].prefix { $0 != "}" }.contains { property.isWritten(in: $0[...]) }
      }
    }
  }
  /// The comments and the literals of messages, a line each.
  var prose: [Substring] { text.lines.filter(Self.isProse) }

  private static func isProse(_ line: Substring) -> Bool {
    line.includes("//") || line.includes("\"")
  }

  /// Every source file below `Sources` and `Resources`, read once for all tests.
  static let inPackage = Result { try all(root: PackageFiles.root) }

  private static func all(root: String) throws -> [SourceFile] {
    let sources = try FileManager.default.subpathsOfDirectory(atPath: root + "/Sources")
      .map { "Sources/" + $0 }
    let resources = try FileManager.default.subpathsOfDirectory(atPath: root + "/Resources")
      .map { "Resources/" + $0 }
    return try (sources + resources).filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let parts = path.split(separator: "/")
      let bytes = try Data(contentsOf: URL(filePath: root + "/" + path))
      let text = String(decoding: bytes, as: UTF8.self)
      return SourceFile(
        module: parts[0] == "Resources" ? "DemoContent" : String(parts[1]), path: path,
        imports: imports(in: text), extended: extended(in: text),
        storedProperties: StoredProperty.declared(in: text), text: text)
    }
  }

  static func unchecked(in text: String) -> [String] {
    let words = ["unowned(unsafe)", "unsafeDowncast(", "fatalError(", "try! ", " as! "]
    guard words.contains(where: { text.contains($0) }) else { return [] }
    return code(of: text).filter { line in words.contains { line.contains($0) } }
  }

  static func unbounded(in text: String) -> [String] {
    let words = [
      ".concurrent]", ".concurrent,", ".concurrent)", "DispatchQueue.global", ".global(",
      "concurrentPerform", "Task.sleep", "Task.yield", "Task.detached",
    ]
    guard words.contains(where: { text.contains($0) }) else { return [] }
    return code(of: text).filter { line in
      words.contains { line.contains($0) } && !line.contains("detached(executorPreference:")
    }
  }

  /// The lines that are not comments.
  private static func code(of text: String) -> [String] {
    text.lines.map(String.init).filter { line in
      !line.drop { $0 == " " }.hasPrefix("//")
    }
  }

  /// The types that `text` extends, by name up to the first dot.
  private static func extended(in text: String) -> Set<String> {
    let names = text.lines.compactMap { line -> String? in
      guard line.includes("extension") else { return nil }
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "extension"), place + 1 < words.count,
        words[..<place].allSatisfy({ $0.allSatisfy { $0.isLetter || "@_()".contains($0) } })
      else { return nil }
      return String(words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
    return Set(names)
  }

  /// The modules that `text` imports: attributes and access levels may precede `import`, and the
  /// kind of a single declaration may follow it.
  static func imports(in text: String) -> [String] {
    let before: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "@testable", "@preconcurrency",
      "@_exported", "@_implementationOnly",
    ]
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    return text.lines.compactMap { line -> String? in
      guard line.includes("import") else { return nil }
      var words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }[...]
      words = words.drop { before.contains($0) || $0.hasPrefix("@_spi(") }
      guard words.popFirst() == "import" else { return nil }
      if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
      return words.first?.split(separator: ".").first.map(String.init)
    }
  }
}

extension StringProtocol {
  /// The lines without their ends, blank ones left out. Divides bytes: as characters, all sources take
  /// seconds.
  var lines: [Substring] {
    let text = Substring(self)
    return text.utf8.split(separator: 10).map { Substring($0) }
  }

  /// Whether a word occurs, compared by bytes.
  func includes(_ word: String) -> Bool {
    guard let first = word.utf8.first else { return true }
    let (text, size) = (Substring(self), word.utf8.count)
    let found = text.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
      guard let start = UnsafeRawPointer(bytes.baseAddress) else { return false }
      let end = start + bytes.count
      var place = start
      while place + size <= end, let next = memchr(place, Int32(first), end - place) {
        place = UnsafeRawPointer(next)
        if place + size <= end, memcmp(place, word, size) == 0 { return true }
        place += 1
      }
      return false
    }
    return found ?? text.contains(word)
  }
}
