/// Which pictures a terminal with kitty's graphics has, and what it must be sent so that it has
/// those that are shown.
///
/// 1. A picture is sent once, with the first frame that shows it, before that frame's cells.
/// 2. It is deleted once it is out of use, after the frame that no longer shows it. Nothing has to
///    be sent when it is scrolled, covered or cut: that is a matter of cells.
/// 3. Of pictures that are not shown, those shown longest ago go first when there are more than the
///    terminal should keep; should they be shown again, they are sent again.
/// 4. Numbers have a low byte of 16 to 255, the foreground colour of its cells, and are not given a
///    second time before 61,440 others: a late deletion cannot hit another picture.
struct KittyPainter {
  private struct Image {
    var number: UInt32
    var bytes: Int
    var lastShown: Int
  }

  /// Pictures that may be at the terminal at once: all must fit into the bytes that delete them.
  static let countLimit = 240

  /// Decoded bytes that the terminal may keep for pictures that are not shown.
  let byteLimit: Int
  private var images: [UInt32: Image] = [:]
  private var frame = 0
  private var sent: UInt32 = 0

  init(byteLimit: Int = 96 << 20) { self.byteLimit = byteLimit }

  /// The numbers of the pictures at the terminal, by what cells name them.
  var numbers: [UInt32: UInt32] { images.mapValues(\.number) }

  /// What to send before and after the cells of a frame that shows the pictures `ids`.
  ///
  /// - Complexity: O(pictures at the terminal), plus the bytes of those it has not yet.
  mutating func show(
    _ ids: Set<UInt32>, of shelf: PictureShelf
  ) -> (before: [UInt8], after: [UInt8]) {
    frame += 1
    var after: [UInt8] = []
    for id in shelf.takeGone() { delete(id, into: &after) }
    var before: [UInt8] = []
    for id in ids.sorted() {
      if images[id] == nil {
        guard images.count < Self.countLimit || makeRoom(for: ids, deleting: &before),
          case .kitty(let picture) = shelf.graphic(id)
        else { continue }
        let number = nextNumber()
        images[id] = Image(number: number, bytes: picture.terminalByteCount, lastShown: frame)
        before += picture.transmission(number: number)
      }
      images[id]?.lastShown = frame
    }
    var total = images.values.reduce(0) { $0 + $1.bytes }
    if total > byteLimit {
      for id in idle(ids) where total > byteLimit {
        total -= images[id]?.bytes ?? 0
        delete(id, into: &after)
      }
    }
    return (before, after)
  }

  /// Deletes all that the terminal has.
  var farewell: [UInt8] {
    images.values.map(\.number).sorted().flatMap { KittyPicture.deletion(number: $0) }
  }

  /// The terminal has nothing any more.
  mutating func forget() { images.removeAll() }

  /// Pictures that are not shown, those shown longest ago first.
  private func idle(_ shown: Set<UInt32>) -> [UInt32] {
    images.filter { !shown.contains($0.key) }.sorted { $0.value.lastShown < $1.value.lastShown }
      .map(\.key)
  }

  private mutating func makeRoom(for shown: Set<UInt32>, deleting bytes: inout [UInt8]) -> Bool {
    guard let oldest = idle(shown).first else { return false }
    delete(oldest, into: &bytes)
    return true
  }

  private mutating func delete(_ id: UInt32, into bytes: inout [UInt8]) {
    guard let image = images.removeValue(forKey: id) else { return }
    bytes += KittyPicture.deletion(number: image.number)
  }

  private mutating func nextNumber() -> UInt32 {
    defer { sent &+= 1 }
    return (sent / 240 % 256) << 24 | (16 + sent % 240)
  }
}
