import Synchronization

/// The links of one text, under the numbers that cells of a canvas hold: one for each link of each
/// text, the same however often and on however many rows the text is drawn.
///
/// 1. A number is assigned once, and 0 never: cells that outlive their text lead nowhere rather
///    than elsewhere. Only after 33 million numbers are those assigned again that no group uses.
/// 2. Numbers are valid as long as their group exists, so only the links of texts that can be shown
///    occupy numbers.
public final class LinkGroup: Sendable {
  /// The most links of one text. `10,000`
  public static let maximumCount = 10_000

  /// The number of the first link; the others follow.
  private let first: UInt32
  private let count: UInt32

  /// Assigns a number to each address of a text, except those beyond ``maximumCount``.
  ///
  /// - Complexity: O(log n) in the existing groups, amortised.
  public init(_ addresses: [String]) {
    let addresses = Array(addresses.prefix(Self.maximumCount))
    count = UInt32(addresses.count)
    first = Self.table.withLock { $0.add(addresses) }
  }

  deinit { Self.table.withLock { $0.remove(first) } }

  /// The number of the link at `index` of the addresses; 0 if it has none.
  public func number(of index: Int) -> UInt32 {
    index >= 0 && index < Int(count) ? first + UInt32(index) : 0
  }

  /// The address of the link with this number, as its document gives it; `nil` if its text no
  /// longer exists.
  ///
  /// - Complexity: O(log n) in the groups.
  public static func address(of number: UInt32) -> String? {
    number == 0 ? nil : table.withLock { $0.address(of: number) }
  }

  private static let table = Mutex(LinkTable())
}
