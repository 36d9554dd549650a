/// The files named by an `<img>` and the `<source>`s of its `<picture>`.
struct PictureCandidates {
  private struct File {
    let address: Substring
    /// In pixels.
    let width: Int?
  }

  /// The files in source order: those of `<source>`s, those that a script would load, the others.
  private var sources: [File] = []
  private var lazy: [File] = []
  private var plain: [File] = []
  private var box = PictureChoice.boxWidth
  /// Whether its own file is a placeholder until a script has run.
  private(set) var isLazy = false

  init() {}

  /// Whether a script would load other files.
  var hasLazyFiles: Bool { !lazy.isEmpty }

  /// Adds a `<source>` of a `<picture>`, if its media query fits this screen and its type can be
  /// decoded.
  mutating func add(source attributes: HTMLAttributes) {
    if let type = attributes["type"], !Self.isDecoded(type) { return }
    if let media = attributes["media"], !MediaQuery.fits(media) { return }
    for name in ["srcset", "data-srcset", "data-lazy-srcset"] {
      if let set = attributes[name] { sources += Self.files(in: set, declared: nil).files }
    }
  }

  /// Adds the `<img>`.
  ///
  /// - Parameters:
  ///   - width: its declared width in pixels.
  ///   - hasPlaceholderSize: whether its size is that of a placeholder, if other files are named.
  mutating func add(image attributes: HTMLAttributes, width: Int?, hasPlaceholderSize: Bool) {
    if let width { box = min(box, width) }
    let names = attributes.dataNames
    for name in names where name.hasSuffix("srcset") {
      if let set = attributes[name] { lazy += Self.files(in: set, declared: width).files }
    }
    for name in Self.lazyNames where names.contains(name) {
      if let address = attributes[name], !address.isEmpty {
        lazy.append(File(address: address[...], width: nil))
      }
    }
    let src = attributes["src"]
    let isPlaceholderFile = hasPlaceholderSize && !lazy.isEmpty || PlaceholderDetector.isName(src)
    let set =
      attributes["srcset"].map { Self.files(in: $0, declared: width) } ?? (
        files: [], hasWidths: false
      )
    plain = set.files
    if let src {
      // The densities of a set are relative to this file; its widths do not describe it.
      let file = File(address: src[...], width: set.hasWidths ? nil : width)
      plain.insert(file, at: isPlaceholderFile ? plain.count : 0)
    }
    isLazy =
      !lazy.isEmpty && PlaceholderDetector.isClass(attributes["class"])
      || isPlaceholderFile && (src != nil || !lazy.isEmpty || plain.isEmpty)
  }

  /// The address to show: the first that `resolve` accepts, in order of preference. Types that no
  /// decoder supports come last.
  ///
  /// - Complexity: O(n log n) in the files.
  func best(_ resolve: (String) -> String?) -> String? {
    for group in isLazy ? [sources + lazy, plain] : [sources + plain, lazy] {
      let ranked = group.enumerated().sorted { left, right in
        let first = PictureChoice.rank(left.element.width, filling: box)
        let second = PictureChoice.rank(right.element.width, filling: box)
        return first == second ? left.offset < right.offset : first < second
      }
      var unknown: String?
      for (_, file) in ranked where !file.address.utf8.contains(UInt8(ascii: "{")) {
        guard let address = resolve(String(file.address)) else { continue }
        guard Self.hasUnsupportedType(address) else { return address }
        unknown = unknown ?? address
      }
      if let unknown { return unknown }
    }
    return nil
  }

  // MARK: Sets of files

  /// The files of a `srcset`, and whether it gives a width for any.
  private static func files(
    in set: String, declared: Int?
  ) -> (files: [File], hasWidths: Bool) {
    var set = set
    var hasWidths = false
    let candidates = set.withUTF8 { bytes in
      SourceSet(bytes[...]).map { candidate in
        let size = size(bytes[candidate.descriptor])
        if case .width = size { hasWidths = true }
        return (candidate.address, size.width(declared: declared))
      }
    }
    let text = set.utf8
    let files = candidates.map { range, width in
      let start = text.index(text.startIndex, offsetBy: range.lowerBound)
      let end = text.index(start, offsetBy: range.count)
      return File(address: set[start..<end], width: width)
    }
    return (files, hasWidths)
  }

  private enum Size {
    case width(Int)
    case density(Double)

    /// In pixels; of a density only if the width at density 1 is declared.
    func width(declared: Int?) -> Int? {
      switch self {
      case .width(let width): width
      case .density(let density):
        declared.flatMap { Int(exactly: (Double($0) * density).rounded()) }
      }
    }
  }

  /// Reads `320w` or `2x`; density 1 without a valid descriptor.
  private static func size(_ descriptor: Slice<UnsafeBufferPointer<UInt8>>) -> Size {
    for word in descriptor.split(whereSeparator: { $0 <= 32 }) {
      let number = Double(String(decoding: word.dropLast(), as: UTF8.self)) ?? 0
      guard number > 0, number < 100_000, let unit = word.last else { continue }
      if unit | 0x20 == UInt8(ascii: "w") { return .width(Int(number.rounded())) }
      if unit | 0x20 == UInt8(ascii: "x") { return .density(number) }
    }
    return .density(1)
  }

  private static func isDecoded(_ type: String) -> Bool {
    let type = type.trimmingBlanks.lowercased().prefix { $0 != ";" }
    return ["", "image/jpeg", "image/jpg", "image/pjpeg", "image/png", "image/webp", "image/gif"]
      .contains(type)
  }

  private static let unsupportedExtensions = [ElementName: Bool](names: [
    (true, "avif heic heif jxl svg jp2 tif tiff")
  ])

  /// Whether the name ends like that of a type that no decoder supports.
  private static func hasUnsupportedType(_ address: String) -> Bool {
    FeedAddress.pathExtension(of: address).flatMap { unsupportedExtensions[$0] } ?? false
  }

  /// Attributes that contain the address of the picture itself, the likeliest to be shown first.
  private static let lazyNames = [
    "data-src", "data-lazy-src", "data-original", "data-lazy", "data-original-src",
    "data-orig-src", "data-img-src", "data-image-src", "data-echo", "data-ll-src",
    "data-lazyload", "data-lazyload-src", "data-actualsrc", "data-real-src", "data-cfsrc",
    "data-pagespeed-lazy-src", "data-runner-src", "data-breeze", "data-delayed-url",
    "data-native-src", "data-hi-res-src", "data-hires", "data-high-res-src", "data-src-large",
    "data-large-src", "data-full-src", "data-src-full", "data-large-file", "data-orig-file",
    "data-medium-file", "data-full-url", "data-image", "data-img", "data-img-url",
    "data-image-url", "data-url", "data-src-medium", "data-src-small", "data-src-mobile",
    "data-src-desktop", "data-src-retina", "data-retina", "data-thumb",
  ]
}

/// The media queries that `<source>`s use: `screen`, `min-width` and `max-width`.
private enum MediaQuery {
  /// Whether one of the queries in a list holds for a screen as wide as the box. Unknown conditions
  /// do not hold.
  static func fits(_ media: String) -> Bool {
    guard !media.trimmingBlanks.isEmpty else { return true }
    return media.lowercased().split(separator: ",").contains { query in
      query.replacing(" and ", with: "&").split(separator: "&").allSatisfy { part in
        let part = String(part).trimmingBlanks
        if part == "screen" || part == "all" || part == "only screen" { return true }
        guard part.hasPrefix("("), part.hasSuffix(")") else { return false }
        let words = part.dropFirst().dropLast().split(separator: ":").map {
          String($0).trimmingBlanks
        }
        guard words.count == 2, let pixels = pixels(words[1]) else { return false }
        let box = Double(PictureChoice.boxWidth)
        return words[0] == "min-width" ? pixels <= box : words[0] == "max-width" && pixels >= box
      }
    }
  }

  /// The pixels of `600px`, `40em` or `40rem`.
  private static func pixels(_ length: Substring) -> Double? {
    for (unit, pixels) in [("px", 1.0), ("rem", 16), ("em", 16)] where length.hasSuffix(unit) {
      return Double(length.dropLast(unit.count)).map { $0 * pixels }
    }
    return nil
  }
}

/// Recognizes files that are shown in place of a picture until a script has run.
private enum PlaceholderDetector {
  private enum Word {
    /// Marks a placeholder anywhere in a path.
    case strong
    /// Marks a placeholder if the name has no other words.
    case weak
    /// Occurs in the names of placeholders and of pictures.
    case neutral
  }

  private static let words = [ElementName: Word](names: [
    (.strong, "lazy lazyload lazyloading placeholder placeholders spacer transparent"),
    (
      .weak,
      "blank trans pixel px pix loading loader preloader spinner clear cleardot dot empty grey gray"
        + " white dummy fallback default noimage ajax shim invisible null none b s t x"
    ), (.neutral, "image img photo picture pic thumb thumbnail no bg gif"),
  ])

  /// Whether an address is empty, contains its picture, or is named like a placeholder.
  ///
  /// - Complexity: O(n) in the bytes.
  static func isName(_ address: String?) -> Bool {
    guard let address = address?.trimmingBlanks, let first = address.utf8.first else { return true }
    let scheme = address.utf8.prefix(12).prefix { $0 != UInt8(ascii: ":") }
    if first == UInt8(ascii: "#") { return true }
    if scheme.count < address.utf8.count,
      ["data", "about", "javascript", "blob"].contains(ElementName(scheme))
    {
      return true
    }
    let path = address.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    let parts = path.split(separator: UInt8(ascii: "/"))
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      var names = part.split { !$0.isAlphanumeric }
      // The last word of a file's name is its extension.
      let hasKind = isLast && names.count > 1
      if hasKind { names.removeLast() }
      var (weak, other) = (false, false)
      for word in names {
        let plain = word.prefix { !$0.isDigit }
        switch words[ElementName(plain.isEmpty ? word : plain)] {
        case .strong: return true
        case .weak: weak = true
        case .neutral: break
        case nil:
          if isPixel(word) { weak = true } else if !isSize(word) { other = true }
        }
      }
      if hasKind, weak, !other { return true }
    }
    return false
  }

  /// `1x1`, `1px` or `2x2`.
  private static func isPixel(_ word: Substring.UTF8View) -> Bool {
    ["1x1", "1px", "2x2"].contains(ElementName(word))
  }

  /// `640` or `640x480`.
  private static func isSize(_ word: Substring.UTF8View) -> Bool {
    word.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "x") }
  }

  /// Whether a `class` shows that a script loads another file.
  static func isClass(_ words: String?) -> Bool {
    words?.split(whereSeparator: \.isWhitespace).contains { word in
      let word = word.lowercased()
      return word.hasPrefix("lazy") && word != "lazyloaded" || word.hasSuffix("-lazy")
        || word == "lozad"
    } ?? false
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { 48...57 ~= self }
}
