/// Decides which pictures are drawn as symbols during a motion: lines then follow one another so
/// quickly that a sharp picture could not be recognized, and sending it takes longer than a line is
/// visible. Times are passed in; it reads no clock.
///
///     a move ──▶ the next within `rest` ──▶ … ──▶ none for `rest`: all are sharp again
///     sharp      symbols, except pictures that stay in place
///
/// 1. A move is a frame that the owner announces as caused by the user; pictures that arrive are no
///    moves.
/// 2. A single move changes nothing: its pictures are painted at their new places. This does not
///    hold for a move that is announced as the first of several.
/// 3. During a motion a picture is drawn as symbols from its first change of place on, or from its
///    first appearance; a picture that stays in place stays as it is.
/// 4. When no move has come for `rest`, all pictures are sharp: the owner requests that frame,
///    once. A move that comes before that frame, or is waiting to be read then, is part of the same
///    motion, however late it is: the program was held up, not the user.
struct PictureMotion {
  typealias Instant = ContinuousClock.Instant

  /// The longest time between two moves of one motion; a held key repeats after some 30 ms.
  static let rest = Duration.milliseconds(100)

  /// A picture and the position of its upper left corner, which may be off the screen.
  struct Place: Hashable {
    var id: UInt32
    var x: Int
    var y: Int
  }

  /// The pictures that the last frame shows sharp, and those it shows as symbols.
  private var sharp: Set<Place> = []
  private(set) var symbolPlaces: Set<Place> = []
  private var last: Instant?
  private var isAnnounced = false
  private var goesOn = false

  /// Announces that the next frame shows a move by the user; `goesOn` if more frames of that move
  /// follow.
  mutating func announce(goesOn: Bool) {
    isAnnounced = true
    self.goesOn = goesOn
  }

  /// Decides how a frame shows pictures at `places`; the result is ``symbolPlaces``.
  mutating func begin(_ places: Set<Place>, at now: Instant) {
    let isNear = last.map { now < $0 + Self.rest } ?? false
    let isMoving = !symbolPlaces.isEmpty
    let moves = isAnnounced ? isNear || isMoving || goesOn : isNear && isMoving
    symbolPlaces = moves ? places.subtracting(sharp) : []
    sharp = places.subtracting(symbolPlaces)
  }

  /// Notes that the frame is shown. The time that a terminal took to receive it is no rest.
  mutating func end(at now: Instant) {
    if isAnnounced { last = now }
    isAnnounced = false
  }

  /// Starts the rest again, because keys are waiting to be read at its end.
  mutating func wait(at now: Instant) { last = now }

  /// The time at which all pictures are sharp again, unless something moves until then; `nil` if
  /// they are sharp.
  var sharpeningTime: Instant? { symbolPlaces.isEmpty ? nil : last.map { $0 + Self.rest } }
}
