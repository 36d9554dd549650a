import Testing

@testable import Terminal

/// Timing diagrams, ten milliseconds a character: `m` is a move by a line, `s` a move of a slide,
/// `a` a frame with another cause. The line below shows the picture in each frame: `#` sharp, `+`
/// as symbols.
@Suite struct PictureMotionTests {
  private static let start = ContinuousClock.now

  /// The picture in each frame; `.` without a frame. When the motion has come to rest, a frame is
  /// drawn.
  private func shown(_ diagram: String, picture: (Int) -> PictureMotion.Place) -> String {
    var motion = PictureMotion()
    var moves = 0
    var result = ""
    func frame(_ now: PictureMotion.Instant) -> Character {
      let place = picture(moves)
      motion.begin([place], at: now)
      motion.end(at: now)
      return motion.symbolPlaces.contains(place) ? "+" : "#"
    }
    for (index, character) in diagram.enumerated() {
      let now = Self.start + .milliseconds(10 * index)
      var drawn: Character?
      if let rest = motion.sharpeningTime, rest <= now { drawn = frame(now) }
      switch character {
      case "m", "s":
        moves += 1
        motion.announce(goesOn: character == "s")
        drawn = frame(now)
      case "a": drawn = frame(now)
      default: break
      }
      result.append(drawn ?? ".")
    }
    return result
  }

  @Test(arguments: [
    ("a...m................m.....", "#...#................#....."),
    ("a...m..m..m..m................", "#...#..+..+..+.........#......"),
    ("a...m.........m.........m.............", "#...#.........#.........#............."),
    ("a...m........m...............", "#...#........+.........#....."),
    ("a...s.s.s.s.s................", "#...+.+.+.+.+.........#......"),
    ("a...m..m.a.a..................", "#...#..+.+.+.....#............"),
    ("a...s...............m........", "#...+.........#.....#........"),
  ]) func movesShowSymbols(diagram: String, expected: String) {
    #expect(
      shown(diagram) { PictureMotion.Place(id: 1, x: 3, y: -$0) } == expected, "\(diagram)")
  }

  @Test func aPictureThatStaysIsSharp() {
    #expect(
      shown("a...m..m..s.s.s..m........") { _ in PictureMotion.Place(id: 1, x: 3, y: 4) }
        == "#...#..#..#.#.#..#........")
  }

  /// No frame is due if nothing is drawn as symbols.
  @Test func atRestNothingIsDue() {
    var motion = PictureMotion()
    #expect(motion.sharpeningTime == nil)
    let place = PictureMotion.Place(id: 1, x: 0, y: 0)
    motion.announce(goesOn: true)
    motion.begin([place], at: Self.start)
    motion.end(at: Self.start + .milliseconds(30))
    #expect(motion.sharpeningTime == Self.start + .milliseconds(130))
    motion.begin([place], at: Self.start + .milliseconds(130))
    motion.end(at: Self.start + .milliseconds(400))
    #expect(motion.sharpeningTime == nil)
    #expect(motion.symbolPlaces.isEmpty)
  }

  /// The half second that a terminal took to receive a frame was no rest.
  @Test func timeOfAFrameIsNoRest() {
    var motion = PictureMotion()
    func place(_ y: Int) -> PictureMotion.Place { PictureMotion.Place(id: 1, x: 0, y: y) }
    motion.announce(goesOn: false)
    motion.begin([place(0)], at: Self.start)
    motion.end(at: Self.start + .milliseconds(500))
    #expect(motion.symbolPlaces.isEmpty)
    motion.announce(goesOn: false)
    motion.begin([place(1)], at: Self.start + .milliseconds(520))
    motion.end(at: Self.start + .milliseconds(521))
    #expect(motion.symbolPlaces == [place(1)])
  }

  /// A program that was held up shows the next move late: that is no rest, and no large picture is
  /// sent in the middle of a motion.
  @Test func aProgramThatIsHeldUpHasNotRested() {
    var motion = PictureMotion()
    func move(_ y: Int, _ milliseconds: Int) -> Bool {
      let place = PictureMotion.Place(id: 1, x: 0, y: y)
      let now = Self.start + .milliseconds(milliseconds)
      motion.announce(goesOn: false)
      motion.begin([place], at: now)
      motion.end(at: now)
      return motion.symbolPlaces.contains(place)
    }
    #expect(!move(0, 0) && move(1, 30) && move(2, 400))
    // Nor if a key is still to be read when the time has come.
    motion.wait(at: Self.start + .milliseconds(900))
    #expect(motion.sharpeningTime == Self.start + .milliseconds(1_000))
    #expect(move(3, 905))
  }

  /// A picture that arrives during a motion is drawn as symbols, too; one that arrives at rest is
  /// sharp at once.
  @Test func newPicturesJoinTheMotion() {
    var motion = PictureMotion()
    func place(_ id: UInt32, _ y: Int) -> PictureMotion.Place {
      PictureMotion.Place(id: id, x: 0, y: y)
    }
    motion.begin([place(1, 5)], at: Self.start)
    motion.end(at: Self.start)
    #expect(motion.symbolPlaces.isEmpty)
    motion.announce(goesOn: true)
    motion.begin([place(1, 4)], at: Self.start + .milliseconds(10))
    motion.end(at: Self.start + .milliseconds(10))
    motion.begin([place(1, 4), place(2, 9)], at: Self.start + .milliseconds(20))
    motion.end(at: Self.start + .milliseconds(20))
    #expect(motion.symbolPlaces == [place(1, 4), place(2, 9)])
    motion.begin([place(1, 4), place(2, 9), place(3, 1)], at: Self.start + .milliseconds(110))
    motion.end(at: Self.start + .milliseconds(110))
    #expect(motion.symbolPlaces.isEmpty)
  }
}
