/// Which pictures are drawn as symbols for the time being, because lines follow one another so
/// quickly that nobody could look at them sharp, and sending them takes longer than a line lasts. A
/// value without a clock.
///
///     a move ──▶ the next within `rest` ──▶ … ──▶ none for `rest`: all are sharp again
///     sharp         symbols, but for those that stay where they are
///
/// 1. A move is what the reader asks for, as its owner is told; pictures that arrive are none.
/// 2. A single move changes nothing: pictures are painted where they stand now. Of a move that is
///    announced as the first of several, this holds for none.
/// 3. While it goes on, a picture is symbols from when it first stands elsewhere, or is new; one
///    that stands where it stood stays as it is.
/// 4. When the moves have rested, all are sharp: its owner asks for that frame, once. A move that
///    comes before that frame, or that waits to be read then, is part of the same motion, however
///    late: the program was held up, not the reader.
struct SixelMotion {
  typealias Instant = ContinuousClock.Instant

  /// Between two moves that belong together, at most; a held key repeats after some 30 ms.
  static let rest = Duration.milliseconds(100)

  /// A picture and where its upper left corner stands, which may be off the screen.
  struct Place: Hashable {
    var id: UInt32
    var x: Int
    var y: Int
  }

  /// What the last frame shows sharp, and what as symbols.
  private var sharp: Set<Place> = []
  private(set) var asSymbols: Set<Place> = []
  private var last: Instant?
  private var isAnnounced = false
  private var goesOn = false

  /// What comes next was moved by the reader; `goesOn` where more is known to follow.
  mutating func announce(goesOn: Bool) {
    isAnnounced = true
    self.goesOn = goesOn
  }

  /// Decides for a frame that shows pictures at `places`; ``asSymbols`` says how.
  mutating func begin(_ places: Set<Place>, at now: Instant) {
    let isNear = last.map { now < $0 + Self.rest } ?? false
    let isMoving = !asSymbols.isEmpty
    let moves = isAnnounced ? isNear || isMoving || goesOn : isNear && isMoving
    asSymbols = moves ? places.subtracting(sharp) : []
    sharp = places.subtracting(asSymbols)
  }

  /// The frame is shown. A terminal may have taken long to take it in, and that is no rest.
  mutating func end(at now: Instant) {
    if isAnnounced { last = now }
    isAnnounced = false
  }

  /// The time to be sharp has come, but keys wait to be read.
  mutating func wait(at now: Instant) { last = now }

  /// When all are to be sharp again, unless something moves until then; nil where they are.
  var restsAt: Instant? { asSymbols.isEmpty ? nil : last.map { $0 + Self.rest } }
}
