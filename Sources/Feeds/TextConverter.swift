/// A source in another encoding as UTF-8, piece by piece: in one in which ASCII is something else
/// (UTF-16, UTF-32, ISO-2022-JP), or in the one that it was sent with.
///
/// The encoding that an XML declaration names is written over: what is converted is UTF-8.
package struct TextConverter: ~Copyable {
  /// Nil where it is Windows-1252, of which iconv leaves some bytes out.
  private let converter: CharacterConverter?
  /// Bytes of the mark that are to be left out yet.
  private var mark: Int
  /// What is converted before it is known whether it begins with a declaration; nil behind that.
  private var beginning: [UInt8]? = []
  /// The beginning of a character that goes on in the next piece.
  private var pending: [UInt8] = []

  /// Nil where the bytes that a source begins with need none.
  package init?(for head: [UInt8]) {
    guard let (name, mark) = UnicodeText.conversion(of: head),
      let converter = CharacterConverter(from: name.uppercased())
    else { return nil }
    self.init(consume converter, mark: mark)
  }

  /// As the `charset` says that a source was sent with: that counts where the source has no byte
  /// order mark, names no encoding and is not UTF-8. Nil where it does not count, and where nobody
  /// knows what it stands for.
  ///
  /// - Parameter isWhole: whether `bytes` are all that there are.
  /// - Complexity: O(n) in the bytes.
  package init?(for bytes: [UInt8], charset: String, isWhole: Bool) {
    guard let encoding = SentCharset.encoding(of: bytes, sentAs: charset, isWhole: isWhole) else {
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

  /// Whether a source that begins so needs one.
  package static func isNeeded(for head: [UInt8]) -> Bool {
    UnicodeText.conversion(of: head) != nil
  }

  /// The next piece; the last one (`isFinal`) may end inside a character, which is replaced.
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

  /// Bytes in which a declaration ends.
  private static let longestDeclaration = 1_024

  /// Names UTF-8 in the declaration.
  private static func renamed(_ bytes: [UInt8]) -> [UInt8] {
    let head = bytes.prefix(longestDeclaration)
    guard let name = UnicodeText.declaredEncoding(head), !name.isEmpty,
      let key = head.indices.first(where: { head[$0...].starts(with: "encoding".utf8) }),
      let place = head[key...].indices.first(where: { head[$0...].starts(with: name.utf8) })
    else { return bytes }
    return bytes[..<place] + Array("UTF-8".utf8) + bytes[(place + name.utf8.count)...]
  }
}
