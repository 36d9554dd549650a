import Synchronization

/// Links of one text as cells of a canvas know them: by numbers, one for each link of each text,
/// which stay the same however often and on however many rows the text is drawn.
///
/// 1. No number is given twice, 0 to none: cells that outlive their text lead nowhere, not
///    elsewhere. Only after 33 million numbers are those given again that no group has any more.
/// 2. The numbers hold as long as the group does, so there are as many as texts that can be shown
///    need.
public final class LinkGroup: Sendable {
  /// Links of one text at most. `10,000`
  public static let maximumCount = 10_000

  /// The first one's number; the others follow.
  private let first: UInt32
  private let count: UInt32

  /// Gives each of a text's addresses a number; those beyond ``maximumCount`` get none.
  ///
  /// - Complexity: O(log n) in the groups there are, amortised.
  public init(_ addresses: [String]) {
    let addresses = Array(addresses.prefix(Self.maximumCount))
    count = UInt32(addresses.count)
    first = Self.table.withLock { $0.add(addresses) }
  }

  deinit { Self.table.withLock { $0.remove(first) } }

  /// The number of the link at `index` of the addresses; 0 where it has none.
  public func number(of index: Int) -> UInt32 {
    index >= 0 && index < Int(count) ? first + UInt32(index) : 0
  }

  /// Where the link of this number leads, as its document says it; nil where no text has it any
  /// more.
  ///
  /// - Complexity: O(log n) in the groups.
  public static func address(of number: UInt32) -> String? {
    number == 0 ? nil : table.withLock { $0.address(of: number) }
  }

  private static let table = Mutex(LinkTable())
}
