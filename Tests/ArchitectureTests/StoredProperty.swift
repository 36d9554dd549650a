/// A stored property of a type, as its declaration names it.
struct StoredProperty: Hashable {
  /// The name of the type after those of its parents.
  let type: String
  let name: String
  /// Whether other files of the module can change it.
  let isWritableElsewhere: Bool

  /// Finds stored properties by the layout that `swift format` gives a file: members are indented
  /// by two columns more than their type.
  static func declared(in text: String) -> [StoredProperty] {
    let lines = text.utf8.split(separator: 10, omittingEmptySubsequences: false).map {
      Substring($0)
    }
    var found: [StoredProperty] = []
    var types: [(indent: Int, name: String)] = []
    for (index, line) in lines.enumerated() {
      let indent = line.utf8.prefix { $0 == 32 }.count
      let words = line.utf8.split(separator: 32).map { Substring($0) }
      guard let first = words.first, !first.hasPrefix("//") else { continue }
      while let last = types.last, last.indent >= indent { types.removeLast() }
      if let place = words.firstIndex(where: typeKeywords.contains), place + 1 < words.count,
        words[..<place].allSatisfy(isModifier),
        line.hasSuffix("{") || line.hasSuffix("}")
          || words.contains(":")
      {
        let name = words[place + 1].prefix { $0.isLetter || $0.isNumber || $0 == "." }
        types.append(
          (indent, ((types.last.map { [$0.name] } ?? []) + [String(name)]).joined(separator: ".")))
      } else if let type = types.last, type.indent + 2 == indent,
        let place = words.firstIndex(where: { $0 == "let" || $0 == "var" }),
        words[..<place].allSatisfy(isModifier), !words[..<place].contains("static"),
        // It observes what its superclass stores.
        !words[..<place].contains("override"),
        !isComputed(lines[index...], indent: indent)
      {
        let isWritable =
          words[place] == "var"
          && !words[..<place].contains { $0.hasPrefix("private") || $0.hasPrefix("fileprivate") }
        found += names(in: words[(place + 1)...].joined(separator: " ")).map {
          StoredProperty(type: type.name, name: $0, isWritableElsewhere: isWritable)
        }
      }
    }
    return found
  }

  private static let typeKeywords: Set<Substring> = [
    "class", "struct", "enum", "actor", "extension", "protocol",
  ]

  private static func isModifier(_ word: Substring) -> Bool {
    let modifiers: Set<Substring> = [
      "public", "package", "internal", "fileprivate", "private", "private(set)", "package(set)",
      "fileprivate(set)", "final", "lazy", "weak", "unowned", "static", "nonisolated", "override",
      "indirect", "open", "nonisolated(unsafe)",
    ]
    return word.hasPrefix("@") || modifiers.contains(word)
  }

  /// Whether the property declared in the first of `lines` has a getter.
  private static func isComputed(_ lines: ArraySlice<Substring>, indent: Int) -> Bool {
    guard let first = lines.first, let brace = first.firstIndex(of: "{") else { return false }
    guard !first[..<brace].contains("=") else { return false }
    let body = lines.dropFirst().prefix { $0.isEmpty || $0.prefix { $0 == " " }.count > indent }
    return !([first] + body).contains { $0.contains("didSet") || $0.contains("willSet") }
  }

  /// The names that a pattern declares, without their types and values.
  private static func names(in pattern: String) -> [String] {
    let declared = pattern.prefix { $0 != "=" && $0 != "{" }
    if declared.first == "(" {
      return declared.dropFirst().prefix { $0 != ")" }.split(separator: ",").map(identifier)
    }
    var (names, depth) = ([Substring()], 0)
    for character in declared {
      switch character {
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      case "," where depth == 0:
        names.append("")
        continue
      default: break
      }
      names[names.count - 1].append(character)
    }
    return names.map(identifier)
  }

  private static func identifier(_ text: Substring) -> String {
    String(text.drop { $0 == " " }.prefix(while: isPart))
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }

  // MARK: Changes

  private static let mutating: Set<Substring> = [
    "append", "insert", "remove", "removeAll", "removeFirst", "removeLast", "removeSubrange",
    "popFirst", "popLast", "formUnion", "subtract", "swapAt", "sort", "reverse", "toggle",
    "replaceSubrange", "reserveCapacity",
  ]

  /// Whether a line of code assigns to this property, passes it as `inout`, or calls a method of
  /// the standard library on it that changes it.
  ///
  /// A local variable of that name counts as well: it would hide the property.
  func isWritten(in line: Substring) -> Bool {
    var rest = line[...]
    while let place = rest.firstRange(of: "&\(name)") {
      rest = rest[place.upperBound...]
      if rest.first.map({ !Self.isPart($0) }) ?? true { return true }
    }
    let statement = line.drop { $0 == " " }
    guard statement.first == "(", let end = statement.firstIndex(of: ")") else {
      return isChanged(by: statement)
    }
    let after = statement[statement.index(after: end)...]
    return after.hasPrefix(" = ")
      && statement[..<end].dropFirst().split(separator: ",").contains {
        isChanged(by: $0.drop { $0 == " " } + after)
      }
  }

  /// Whether `statement` is an assignment to the property or its parts, or a mutating call.
  private func isChanged(by statement: some StringProtocol) -> Bool {
    var rest = Substring(statement)
    if rest.hasPrefix("self.") { rest = rest.dropFirst(5) }
    guard rest.hasPrefix(name) else { return false }
    rest = rest.dropFirst(name.count)
    guard let next = rest.first, !Self.isPart(next) else { return false }
    while let next = rest.first {
      if next == "." || next == "?" || next == "!" {
        rest = rest.dropFirst()
        let member = rest.prefix(while: Self.isPart)
        rest = rest.dropFirst(member.count)
        if rest.first == "(" { return Self.mutating.contains(member) }
      } else if next == "[", let end = Self.closing(rest) {
        rest = rest[rest.index(after: end)...]
      } else {
        break
      }
    }
    rest = rest.drop { $0 == " " }.drop { "+-*/|&^%<>".contains($0) }
    return rest.hasPrefix("= ") || rest == "="
  }

  /// The bracket that closes the first one of `text`.
  private static func closing(_ text: Substring) -> Substring.Index? {
    var depth = 0
    return text.indices.first { index in
      if text[index] == "[" { depth += 1 }
      if text[index] == "]" { depth -= 1 }
      return depth == 0
    }
  }
}
