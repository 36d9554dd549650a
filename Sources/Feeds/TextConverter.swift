/// Converts a source to UTF-8 piece by piece, from an encoding that does not contain ASCII
/// unchanged (UTF-16, UTF-32, ISO-2022-JP) or from the one that a server named.
///
/// The encoding named in an XML declaration is replaced by UTF-8.
package struct TextConverter: ~Copyable {
  /// `nil` for Windows-1252, of which iconv leaves some bytes undefined.
  private let converter: CharacterConverter?
  /// Bytes of the byte order mark that are still to be skipped.
  private var mark: Int
  /// Converted bytes, held back until it is known whether they begin with a declaration; `nil`
  /// afterwards.
  private var beginning: [UInt8]? = []
  /// The beginning of a character that continues in the next piece.
  private var pending: [UInt8] = []

  /// `nil` if a source with these first bytes needs no conversion.
  package init?(for head: [UInt8]) {
    guard let (name, mark) = UnicodeText.conversion(of: head),
      let converter = CharacterConverter(from: name.uppercased())
    else { return nil }
    self.init(consume converter, mark: mark)
  }

  /// Creates a converter for a document that was sent with a `charset`. `nil` if the charset is
  /// unknown, or does not count because the document has a byte-order mark, declares an encoding or
  /// is UTF-8.
  ///
  /// - Parameter isWhole: whether `bytes` are the whole document.
  /// - Complexity: O(n) in the bytes.
  package init?(for bytes: [UInt8], charset: String, isWhole: Bool) {
    guard let encoding = ServerCharset.encoding(of: bytes, sentAs: charset, isWhole: isWhole) else {
      return nil
    }
    guard case .named(let name, _) = encoding else {
      self.init(nil, mark: 0)
      return
    }
    guard let converter = CharacterConverter(from: name) else { return nil }
    self.init(consume converter, mark: 0)
  }

  private init(_ converter: consuming CharacterConverter?, mark: Int) {
    self.converter = converter
    self.mark = mark
  }

  /// Whether a source with these first bytes needs conversion.
  package static func isNeeded(for head: [UInt8]) -> Bool {
    UnicodeText.conversion(of: head) != nil
  }

  /// Converts the next piece; an incomplete character at the end of the last one (`isFinal`) is
  /// replaced.
  ///
  /// - Complexity: O(n) in the bytes.
  package mutating func convert(_ bytes: [UInt8], isFinal: Bool) -> [UInt8] {
    let skipped = min(mark, bytes.count)
    mark -= skipped
    var source = pending
    source += bytes[skipped...]
    var repair: Int?
    var unread = 0
    var result =
      converter?.utf8(source[...], isFinal: isFinal, unread: &unread, firstRepair: &repair)
      ?? UnicodeText.fromWindows1252(source)
    pending = Array(source.suffix(unread))
    guard var whole = beginning else { return result }
    whole += result
    let isText = whole.first { $0 > 32 }.map { $0 != UInt8(ascii: "<") } ?? false
    let hasTag = whole.contains(UInt8(ascii: ">"))
    guard isFinal || isText || hasTag || whole.count >= Self.longestDeclaration else {
      beginning = whole
      return []
    }
    beginning = nil
    result = Self.renamed(whole)
    return result
  }

  /// Bytes in which a declaration must end.
  private static let longestDeclaration = 1_024

  /// Replaces the encoding named in the declaration by UTF-8.
  private static func renamed(_ bytes: [UInt8]) -> [UInt8] {
    let head = bytes.prefix(longestDeclaration)
    guard let name = UnicodeText.declaredEncoding(head), !name.isEmpty,
      let key = head.indices.first(where: { head[$0...].starts(with: "encoding".utf8) }),
      let place = head[key...].indices.first(where: { head[$0...].starts(with: name.utf8) })
    else { return bytes }
    return bytes[..<place] + Array("UTF-8".utf8) + bytes[(place + name.utf8.count)...]
  }
}
