import BenchmarkPictures
import Glibc
import Pixels
import TerminalSession

/// From the last byte of a picture of 400x300 pixels to the last byte that shows it: of one whose
/// place is on the screen already, and of one that comes whole, so that its row grows first.
enum PictureLatency {
  static let modes = ["symbols", "sixel", "kitty", "iterm2"]

  static func measure(
    _ options: Options, folder: borrowing TemporaryFolder
  ) throws(BenchmarkError) {
    guard let picture = TestPicture.all(folder: nil).bundled.first else {
      throw .system(call: "open", subject: "Resources/Content/pictures", code: ENOENT)
    }
    let body = picture.pixels.scaled(to: PixelSize(width: 400, height: 300)).png
    for mode in modes where options.mode == nil || options.mode == mode {
      for isWhole in [false, true] {
        var times = try times(options, body: body, mode: mode, isWhole: isWhole, folder: folder)
        if options.printsAll { print(times.map(tenths).joined(separator: " ")) }
        times.sort()
        // At least 99 of 100 take no longer.
        let slow = times[(times.count * 99 + 99) / 100 - 1]
        print(
          "\(mode): last byte to the painted frame, \(isWhole ? "come whole" : "place shown"), ms: "
            + "median \(tenths(times[times.count / 2])), 99 of 100 \(tenths(slow)), "
            + "most \(tenths(times[times.count - 1])) (\(times.count) pictures of 400x300)")
      }
    }
  }

  private static func times(
    _ options: Options, body: [UInt8], mode: String, isWhole: Bool,
    folder: borrowing TemporaryFolder
  ) throws(BenchmarkError) -> [Double] {
    let paths = (0..<options.count).map { "/\($0).png" }
    let bodies = Dictionary(paths.map { ($0, body) }, uniquingKeysWith: { first, _ in first })
    let server = try HeldServer(bodies, holdsAll: isWhole)
    let path = try Timeline.write(paths.map { server.address + $0 }, in: folder.path)
    let session = try Timeline.open(
      options, path, mode: mode, home: folder.emptyFolder("home"))
    var times: [Double] = []
    for (number, name) in paths.enumerated() {
      try session.type("\(number + 1)G")
      let end = ContinuousClock.now + patience
      while !server.holds(name), ContinuousClock.now < end { try session.rest(.milliseconds(5)) }
      try session.becomeCalm(within: patience)
      let start = server.release(name)
      // Fewer tell of the fetch alone, or of the next one, which begins now.
      let last = try session.wait(
        forBurst: 1_500, named: "picture \(number)", within: patience)
      times.append((last - start) / .milliseconds(1))
    }
    return times
  }
}
