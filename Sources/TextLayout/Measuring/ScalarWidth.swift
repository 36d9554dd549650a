import CUnistring
import Synchronization
import System

/// How many columns one code point takes, by the C library's `wcwidth` in a UTF-8 locale.
///
/// ncurses counts columns with `wcwidth`, so no other table will do: a cell that is one column for
/// the layout and two for ncurses shifts the rest of the row. All UTF-8 locales of the C library
/// share one table. `wcwidth` depends on the calling thread's locale, so its answers in a UTF-8
/// locale are cached, in pages of 256 code points that are filled on first use, from any thread.
struct ScalarWidth: Sendable {
  /// The properties of one code point that layout needs.
  struct Entry: Hashable, Sendable {
    var rawValue: UInt8
    /// 0, 1 or 2.
    var columns: Int { Int(rawValue & 3) }
    /// The C library does not know the code point, or it is a control character; it is drawn as □.
    var isUnknown: Bool { rawValue & 4 != 0 }
    /// Shows nothing by itself (soft hyphen, joiners, variation selectors, …).
    var isIgnorable: Bool { rawValue & 8 != 0 }

    /// Two adjacent code points with this property are two characters.
    var isSimple: Bool { rawValue & 16 != 0 }
    /// A space that hangs over a line's end.
    var isHangingSpace: Bool { rawValue & 32 != 0 }

    static let plain = Entry(rawValue: 1 | 16)
    static let space = Entry(rawValue: 1 | 16 | 32)
    static let unknown = Entry(rawValue: 1 | 4)
    static let ignorable = Entry(rawValue: 8)
  }

  static let shared = ScalarWidth()

  private typealias Page = UnsafeMutablePointer<UInt8>
  private static let pageCount = 0x110000 / 256
  /// One atomic pointer per page, 0 until the page is filled; lives as long as the program.
  private nonisolated(unsafe) let pages: UnsafeMutablePointer<Atomic<UInt>>

  private init() {
    pages = .allocate(capacity: Self.pageCount)
    for index in 0..<Self.pageCount { (pages + index).initialize(to: Atomic(0)) }
  }

  /// - Complexity: O(1); the first look-up in a page calls the C library 256 times.
  subscript(_ value: UInt32) -> Entry {
    if value < 0x7F { return value > 0x20 ? .plain : value == 0x20 ? .space : .unknown }
    guard value < 0x110000 else { return .unknown }
    let index = Int(value >> 8)
    let known = pages[index].load(ordering: .acquiring)
    let page = Page(bitPattern: known) ?? fill(index)
    return Entry(rawValue: page[Int(value & 0xFF)])
  }

  private func fill(_ index: Int) -> Page {
    let page = Page.allocate(capacity: 256)
    let previous = Self.locale.map { uselocale($0) }
    defer { if let previous { _ = uselocale(previous) } }
    for offset in 0..<256 {
      page[offset] = Self.entry(UInt32(index << 8 | offset)).rawValue
    }
    let (exchanged, original) = pages[index].compareExchange(
      expected: 0, desired: UInt(bitPattern: page), ordering: .acquiringAndReleasing)
    guard !exchanged, let winner = Page(bitPattern: original) else { return page }
    // Another thread filled the same page at the same time, with the same answers.
    page.deallocate()
    return winner
  }

  private static func entry(_ value: UInt32) -> Entry {
    if ScalarClass.isIgnorable(value) { return .ignorable }
    // Without any UTF-8 locale wcwidth knows only ASCII; libunistring's table is the next best.
    let columns =
      locale == nil ? uc_width(value, "UTF-8") : wcwidth(wchar_t(bitPattern: value))
    var entry = columns < 0 || value == 0 ? .unknown : Entry(rawValue: UInt8(min(columns, 2)))
    if ScalarClass.isSimple(value) { entry.rawValue |= 16 }
    if ScalarClass.isHangingSpace(value) { entry.rawValue |= 32 }
    return entry
  }

  /// The user's locale if it is a UTF-8 one, else one of the C library's. Never freed.
  private nonisolated(unsafe) static let locale: locale_t? = {
    for name in ["", "C.UTF-8", "en_US.UTF-8"] {
      guard let locale = newlocale(1 << LC_CTYPE, name, nil) else { continue }
      if let codeset = nl_langinfo_l(nl_item(CODESET), locale),
        String(cString: codeset) == "UTF-8"
      {
        return locale
      }
      freelocale(locale)
    }
    return nil
  }()
}
