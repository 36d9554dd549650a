import System

/// The keys by which the items of a document are recognized in later ones. Version 1 of the rules:
///
/// 1. The first of these parts that an item has is its key: guid; link; title and date; the hash
///    of its content.
/// 2. While several items of a document share a key, the next part that each of them has is added
///    to its key.
/// 3. Of items that are equal in all parts only the first counts; the others are repetitions.
///
/// A key is a hash of 16 bytes. The rules must not change without a migration. If an item's guid
/// changes, `FetchRecorder` changes its key.
enum ItemIdentity {
  /// The keys of an item.
  struct Keys: Equatable {
    /// The key by rule 1, then the keys by rule 2, each with one more part.
    var all: [[UInt8]]
    /// The index of the first key that is unique in the document, else of the last.
    var chosen = 0

    var uid: [UInt8] { all[chosen] }
  }

  /// The keys of a document's items, in their order; `nil` for repetitions.
  ///
  /// - Complexity: O(n).
  static func keys(of items: [NewItem]) -> [Keys?] {
    var keys: [Keys?] = items.map { Keys(all: allKeys(of: $0)) }
    var open = Array(items.indices)
    var taken: Set<[UInt8]> = []
    while !open.isEmpty {
      var owners: [[UInt8]: [Int]] = [:]
      for index in open {
        if let uid = keys[index]?.uid { owners[uid, default: []].append(index) }
      }
      var doubled: [Int] = []
      for index in open {
        guard let own = keys[index], let same = owners[own.uid] else { continue }
        if same.count > 1, own.chosen + 1 < own.all.count {
          keys[index]?.chosen += 1
          doubled.append(index)
        } else if !taken.insert(own.uid).inserted {
          keys[index] = nil
        }
      }
      open = doubled
    }
    return keys
  }

  private static func allKeys(of item: NewItem) -> [[UInt8]] {
    var hash = StableHash()
    var keys: [[UInt8]] = []
    if let guid = item.guid, !guid.isEmpty {
      hash.combine("guid")
      hash.combine(guid)
      keys.append(hash.bytes)
    }
    if let link = item.link, !link.isEmpty {
      hash.combine("link")
      hash.combine(link)
      keys.append(hash.bytes)
    }
    if !item.title.isEmpty || item.published != nil {
      hash.combine("title")
      hash.combine(item.title)
      hash.combine(item.published.map { String(Milliseconds.of($0)) } ?? "")
      keys.append(hash.bytes)
    }
    hash.combine("content")
    hash.combine(String(item.hash))
    keys.append(hash.bytes)
    return keys
  }
}
