import FoundationEssentials

/// The two tables of Documentation/Architecture.md.
struct ModuleTable {
  /// A module and its allowed imports.
  struct Row {
    var module: String
    var imports: Set<String>
  }

  /// The modules of this package from the bottom up.
  var modules: [Row] = []
  /// Modules of the system and the modules that may import them; `nil` for all.
  var system: [String: Set<String>?] = [:]

  /// Reads the rows of both tables: lines such as ``| `Module` | … | `A`, `B` |``.
  init(markdown: String) {
    for line in markdown.split(separator: "\n") where line.hasPrefix("| `") {
      let columns = line.split(separator: "|").map {
        $0.trimmingPrefix { $0 == " " }
      }
      guard let first = columns.first, let name = Self.quoted(first).first,
        let last = columns.last
      else { continue }
      if columns.count == 3 {
        modules.append(Row(module: name, imports: Set(Self.quoted(last))))
      } else if columns.count == 2 {
        system[name] = last.hasPrefix("all") ? .some(nil) : .some(Set(Self.quoted(last)))
      }
    }
  }

  /// The names between backquotes.
  private static func quoted(_ text: Substring) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
