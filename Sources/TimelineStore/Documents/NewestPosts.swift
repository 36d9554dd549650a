import Feeds

/// The newest posts of several sources, up to a limit: a heap whose first entry is the next to be
/// dropped.
///
/// 1. Posts of equal date keep the order of their sources, and within a source its order. So the
///    result does not depend on which source is read first.
/// 2. Posts are large: each stays in its slot while the heap is ordered, and is moved once, at the
///    end.
struct NewestPosts {
  /// The sort key of a post; lesser keys come first.
  private struct Place: Comparable {
    var date: Double
    var source: Int
    var number: Int

    static func < (one: Place, other: Place) -> Bool {
      if one.date != other.date { return one.date > other.date }
      return (one.source, one.number) < (other.source, other.number)
    }
  }

  private struct Entry {
    var place: Place
    var slot: Int
    var bytes: Int
  }

  private var heap: [Entry] = []
  private var slots: [Post] = []
  private var free: [Int] = []
  private var bytes = 0
  private let limit: PostLimit
  /// The number of posts that were dropped.
  private(set) var omitted = 0

  init(_ limit: PostLimit) { self.limit = limit }

  /// The number of posts held.
  var count: Int { heap.count }

  /// Adds a post if it is new enough.
  ///
  /// - Parameters:
  ///   - date: of the post, or of the last one before it that has a date.
  ///   - source: the number of its source.
  ///   - number: its number in the source.
  /// - Complexity: O(log n) in the posts held.
  mutating func add(_ post: Post, date: Double, source: Int, number: Int) {
    let place = Place(date: date, source: source, number: number)
    if heap.count >= limit.count || bytes >= limit.bytes, let last = heap.first, last.place < place
    {
      omitted += 1
      return
    }
    let size = post.footprint
    bytes += size
    if let slot = free.popLast() {
      slots[slot] = post
      heap.append(Entry(place: place, slot: slot, bytes: size))
    } else {
      heap.append(Entry(place: place, slot: slots.count, bytes: size))
      slots.append(post)
    }
    rise()
    while heap.count > 1, heap.count > limit.count || bytes > limit.bytes {
      removeLast()
      omitted += 1
    }
  }

  /// Removes and returns the posts, newest first, and the numbers of their sources.
  ///
  /// - Complexity: O(n log n)
  mutating func take() -> (posts: [Post], sources: [Int]) {
    heap.sort { $0.place < $1.place }
    // Which post is in a slot by now, and in which slot a post is.
    var posts = Array(slots.indices)
    var places = posts
    for index in heap.indices {
      let wanted = heap[index].slot
      let place = places[wanted]
      guard place != index else { continue }
      slots.swapAt(index, place)
      let other = posts[index]
      (posts[place], places[other]) = (other, place)
      (posts[index], places[wanted]) = (wanted, index)
    }
    slots.removeLast(slots.count - heap.count)
    let taken = (slots, heap.map(\.place.source))
    self = NewestPosts(limit)
    return taken
  }

  // MARK: The heap

  private mutating func rise() {
    var child = heap.count - 1
    while child > 0, case let parent = (child - 1) / 2, heap[parent].place < heap[child].place {
      heap.swapAt(parent, child)
      child = parent
    }
  }

  /// Drops the post that comes last.
  private mutating func removeLast() {
    heap.swapAt(0, heap.count - 1)
    let removed = heap.removeLast()
    bytes -= removed.bytes
    slots[removed.slot] = Post(id: "")
    free.append(removed.slot)
    var parent = 0
    while case let left = 2 * parent + 1, left < heap.count {
      let right = left + 1
      let child = right < heap.count && heap[left].place < heap[right].place ? right : left
      guard heap[parent].place < heap[child].place else { break }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
