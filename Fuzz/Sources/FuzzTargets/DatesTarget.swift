@testable import Feeds
@testable import HTTP

extension FuzzTarget {
  /// Dates of feeds and of HTTP. The first eight bytes are a time for the other direction.
  static let dates = FuzzTarget(
    "dates", modules: ["Feeds", "HTTP"], longestInput: 128, briefRuns: 40000,
    seeds: dateSeeds.map { Array(repeating: 7, count: 8) + Array($0.utf8) }
  ) { bytes in
    var input = InputBytes(bytes)
    let any = Double(bitPattern: UInt64(bitPattern: Int64(input.integer())))
    let text = input.text
    let civil = CivilTime(seconds: any)
    try require(
      (1...12).contains(civil.month) && (1...31).contains(civil.day)
        && (0...23).contains(civil.hour) && (0..<60).contains(civil.minute)
        && (0..<60).contains(civil.second), "\(any) is \(civil)")
    _ = RelativeTime.string(from: any, now: 1_700_000_000, style: DateStyle(utcOffset: -3_600))
    _ = RelativeTime.string(from: 1_700_000_000, now: any)
    if let seconds = DateParser.seconds(text) {
      let written = CivilTime(seconds: seconds).rfc3339
      let again = DateParser.seconds(written) ?? .nan
      try require(abs(again - seconds) <= 0.001, "\(text) is \(written), which is \(again)")
      try Unsafe.check(
        RelativeTime.string(from: seconds, now: 0), "a time ago", allowsLineBreaks: false)
    }
  }

  private static let dateSeeds = [
    "2024-03-09T08:05:00Z", "2024-03-09 08:05:07.25+01:00", "Mon, 26 Jun 2017 19:40:58 GMT",
    "26-Jun-17 7:40 PM PST", "0000-01-01T00:00:00+24:00", "9999-12-31T24:59:60-9999",
    "999999999-00-00", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
    "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37.5Z", "Feb 29 2023", "2016-02-29T23:59:60.999Z",
  ]
}
