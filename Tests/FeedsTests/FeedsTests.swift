import Testing

@testable import Feeds
@testable import HTTP

@Suite struct DateTests {
  @Test(arguments: [
    ("2017-06-02T22:05:47-07:00", 1_496_466_347.0), ("2017-06-27T00:54:20Z", 1_498_524_860),
    ("2017-06-27 00:54:20", 1_498_524_860), ("2017-06-27t00:54:20.5z", 1_498_524_860.5),
    ("2017-06-27", 1_498_521_600), ("2017-06", 1_496_275_200),
    ("2023-07-23T17:38:30+0000", 1_690_133_910), ("2023-07-23T17:38:30+02", 1_690_126_710),
    ("Mon, 26 Jun 2017 19:40:58 GMT", 1_498_506_058), ("26 Jun 17 19:40 UT", 1_498_506_000),
    ("Tue, 28 Nov 2017 21:19:26 -0800", 1_511_932_766),
    ("Mon, June 26, 2017 3:41 PM EDT", 1_498_506_060),
    ("Mon Jun 26 19:40:58 2017", 1_498_506_058), ("Mon, 26-Jun-2017 19:40:58 GMT", 1_498_506_058),
    ("Thu, 01 Jan 1970 00:00:00 +0000", 0), ("  Wed, 29 May 2019 10:16:00 GMT\n", 1_559_124_960),
    ("1 Jan 70 00:00:00 Z", 0), ("2016-12-31T23:59:60Z", 1_483_228_800),
    ("29 Feb 2024 12:00:00 GMT", 1_709_208_000), ("1969-12-31T23:59:59Z", -1),
  ])
  func reads(_ text: String, _ seconds: Double) {
    #expect(DateParser.seconds(text) == seconds)
  }

  /// All are 10 January 2020, 14:33 UTC.
  @Test(arguments: [
    "Fri, 10 Jan 2020 16:33:00 +0200 (CEST)", "Fri, 10 Jan 2020 09:33:00 GMT-05:00",
    "10 Jan 2020 16:33 UTC+2", "Fri Jan 10 2020 16:33:00 GMT+0200 (Eastern European Time)",
    "(a (nested) comment) Fri, 10 Jan 2020 14:33 UT", "2020-01-10 15:33:00 (CET)",
    "20200110T143300Z", "20200110143300Z", "20200110T1433Z", "2020-01-10T14:33Z",
    "2020/1/10 14:33:00 GMT", "2020.01.10 14:33 UTC", "2020-010T14:33:00Z", "2020010T143300Z",
    "2020-W02-5T14:33:00Z", "2020W025T143300Z", "2020-01-10T14:33:00.000+00:00",
    "2020-01-10T15:33:00 +01:00", "Freitag, 10. Januar 2020 15:33 MEZ",
    "Fr, 10. Jän 2020 15:33 Uhr MEZ", "vendredi 10 janvier 2020 15:33 +0100",
    "mar. 10 janv. 2020 14h33 GMT", "viernes, 10 de enero de 2020 14:33 UTC",
    "sexta-feira, 10 de janeiro de 2020 14:33 UTC", "venerdì 10 gennaio 2020 14:33 UTC",
    "vrijdag 10 januari 2020 14:33 UTC", "piątek, 10 stycznia 2020 14:33 UTC",
    "pátek 10. ledna 2020 14:33 UTC", "2020. január 10. 14:33 UTC", "10 Ocak 2020 14:33 UTC",
    "10 tammikuuta 2020 14:33 UTC", "пятница, 10 января 2020 17:33 MSK",
    "10 січня 2020 14:33 UTC", "Παρ, 10 Ιαν 2020 14:33 UTC", "10 يناير 2020 14:33 UTC",
    "2020年1月10日 14:33 UTC", "2020年01月10日(金) 23時33分 JST", "2020년 01월 10일 14:33:00 UTC",
    "2020-01-10 오후 02:33 UTC", "January 10th, 2020 2:33pm UTC", "10 Jan 120 14:33 UTC",
    "1/10/2020 2:33 PM UTC", "11.1.2020 00:33 +1000", "1578666780", "1578666780000",
    "Fri, 10 Jan 2020 14:33 -0000", "2020-01-10T14:33:00,0Z", "20200110T143300,000+0000",
    "Jan 10,2020 14:33 UTC", "Fri,10 Jan 2020,14:33:00,UTC",
    "2020. 01. 10. 14:33 UTC", "2020. 1. 10. 14:33 UTC", "2020 01 10 14:33 UTC",
    "2020-01-10 - 14:33 UTC", "2020-01-10 – 14:33 UTC", "2020 - 01 - 10 | 14:33 UTC",
    "Fri, 01/10/2020 - 14:33 UTC", "Fri, 10/01/2020 - 14:33 UTC", "Friday \(10).01.2020 14:33 UTC",
    "Friday, January 10, 2020 - 14:33 UTC", "2020-01-10T15:33:00+01:00[Europe/Berlin]",
    "2020-01-10T14:33:00[UTC]", "2020-01-10T14:33:00Z[UTC]",
  ])
  func readsOneMomentInManyForms(_ text: String) {
    #expect(DateParser.moment(text) == DateParser.Moment(seconds: 1_578_666_780, hasZone: true))
  }

  @Test(arguments: [
    "Fri, 10 Jan 2020 14:33:00", "Fri, 10 Jan 2020 14:33:00 XYZ", "2020-01-10T14:33:00",
    "20200110T143300", "2020-01-10 14:33:00 Europe/Berlin", "10 Jan 2020 14:33 IST",
    "2020/1/10 14:33:00", "Fri, 10 Jan 2020 14:33:00 Q", "2020年1月10日 14時33分",
    "10 janvier 2020 14:33",
    "\(10).01.2020 14:33",
  ])
  func unknownZonesAreIgnored(_ text: String) {
    #expect(DateParser.moment(text) == DateParser.Moment(seconds: 1_578_666_780, hasZone: false))
  }

  @Test func everyMonthIsKnownInItsLanguages() {
    let names = [
      "januar februar märz april mai juni juli august september oktober november dezember",
      "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
      "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
      "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
      "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
      "januari februari maart april mei juni juli augustus september oktober november december",
      "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
      "ledna února března dubna května června července srpna září října listopadu prosince",
      "január február március április május június július augusztus szeptember október november december",
      "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
      "tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu joulukuu",
      "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
      "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
      "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
      "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
      "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
    ]
    for language in names {
      let numbers = language.split(separator: " ").map { MonthNames.number(String($0)) }
      #expect(numbers == Array(1...12), "\(language)")
    }
    for word in ["mardi", "martes", "maandag", "Mon", "Uhr", "GMT", "de"] {
      #expect(MonthNames.number(word) == nil, "\(word)")
    }
    // Composed and decomposed.
    #expect(["май", "маи\u{306}"].map(MonthNames.number) == [5, 5])
  }

  @Test(arguments: [
    "", "yesterday", "2017-13-01", "2017-06-31T00:00:00Z", "29 Feb 2023 12:00:00 GMT", "12:30",
    "2017-06-02T25:00:00Z", "Mon, 26 Jun", "99999999999999999999-01-01", "2017-06-02Tnoon",
    "2017-06-02T10:00:00+99999", "Jun Jun Jun", "999999999-01-01", "2017-00-01", "2017-06-00",
    "0000-01-01T00:00:00+24:00", "9999-12-31T23:59:59-00:01", "1 Jan 0000 00:00 +0001",
    "9999-12-31T24:00:00Z", "9999-12-31T23:59:60Z", "2024-03-09T24:00:01Z", "2024-03-09T24:59:00Z",
    "2017-06-02T10:00:00+9999", "2017-06-02T999999999999:00", "0001-01-01T00:00:00Z",
    "0002-01-01T00:00:05+24:00",
    "0001-01-01 00:00:00 +0000 UTC", "0001-01-01T00:00:00", "Mon, 01 Jan 0001 00:00:00 +0000",
    "2017 10:00", "2017. 09. 10:00", "2017. 13. 01. 10:00", "1/1/0001 12:00:00 AM",
  ])
  func refuses(_ text: String) {
    #expect(DateParser.seconds(text) == nil)
  }

  @Test func civilTimeRoundTrips() {
    for day in stride(from: -800_000, through: 2_900_000, by: 373) {
      let seconds = Double(day) * 86_400 + 45_296
      let civil = CivilTime(seconds: seconds)
      guard (2...9999).contains(civil.year) else { continue }
      #expect(civil.seconds == seconds)
      #expect(DateParser.seconds(civil.rfc3339) == seconds)
    }
  }

  @Test func secondsAreNotRoundedUp() {
    let late = 1_456_787_400.9999
    #expect(CivilTime(seconds: late).rfc3339 == "2016-02-29T23:10:00.999Z")
    for seconds in [-1e-300, -1e-20, 1e9 - 1e-7, (0.0).nextDown, 86_400.0.nextDown] {
      let civil = CivilTime(seconds: seconds)
      #expect((0..<60).contains(civil.second), "\(seconds): \(civil)")
      #expect(DateParser.seconds(civil.rfc3339) != nil)
    }
    for seconds in [Double.nan, .infinity, -.infinity, 1e300, -1e300, .greatestFiniteMagnitude] {
      let civil = CivilTime(seconds: seconds)
      #expect((1...12).contains(civil.month) && (1...31).contains(civil.day))
      #expect(!RelativeTime.string(from: 0, now: seconds).contains("nan"))
      #expect(
        !RelativeTime.string(from: seconds, now: 0, style: DateStyle(utcOffset: .max)).contains(
          "inf"))
    }
  }

  @Test func relativeTime() {
    let now = 1_498_506_058.0  // 26 June 2017
    let cases: [(Double, String)] = [
      (0, "now"), (59, "now"), (60, "1 min"), (3_599, "59 min"), (7_200, "2 h"),
      (43_199, "11 h"), (43_200, "07:40"), (70_000, "00:14"), (86_399, "Sun 19:40"),
      (3 * 86_400, "Fri 19:40"), (6 * 86_400, "Tue 19:40"), (7 * 86_400, "19 Jun"),
      (170 * 86_400, "7 Jan"), (180 * 86_400, "28 Dec"), (200 * 86_400, "8 Dec 2016"),
      (-300, "in 5 min"), (-30, "now"), (-80_000, "in 22 h"), (-3 * 86_400, "in 3 d"),
      (-30 * 86_400, "26 Jul"), (-400 * 86_400, "31 Jul 2018"), (.infinity, ""),
    ]
    for (age, expected) in cases {
      #expect(RelativeTime.string(from: now - age, now: now) == expected, "\(age)")
    }
    // Near midnight the day is that of the reader's zone.
    let late = 1_496_275_199.0
    #expect(RelativeTime.string(from: late, now: now) == "31 May")
    let east = DateStyle(utcOffset: 3_600)
    #expect(RelativeTime.string(from: late, now: now, style: east) == "1 Jun")
    #expect(RelativeTime.string(from: now - 86_399, now: now, style: east) == "Sun 20:40")
  }

  /// A local time of an unknown zone is never shown as an age, and at midnight as a date.
  @Test func zonelessTimesAreNotConverted() {
    let now = 1_498_506_058.0
    let cases: [(Double, String)] = [
      (0, "19:40"), (7_200, "17:40"), (-3_600, "20:40"), (2 * 86_400, "Sat 19:40"),
      (200 * 86_400, "8 Dec 2016"), (70_858, "26 Jun"), (70_858 + 86_400, "25 Jun"),
    ]
    for (age, expected) in cases {
      let time = RelativeTime.string(
        from: now - age, now: now, hasZone: false, style: DateStyle(utcOffset: 0))
      #expect(time == expected, "\(age)")
    }
  }

  @Test func datesFollowTheLocale() {
    var style = DateStyle()
    style.isMonthFirst = true
    style.halves = ["AM", "PM"]
    #expect(style.date(day: 12, month: 3, year: 2017) == "Mar 12, 2017")
    #expect(style.clock(hour: 0, minute: 5) == "12:05 AM")
    #expect(style.clock(hour: 14, minute: 5) == "2:05 PM")
    style.months = (1...12).map { "\($0)月" }
    #expect(style.date(day: 12, month: 3, year: 2017) == "2017年3月12日")
    #expect(style.date(day: 12, month: 13, year: nil) == "")
    #expect(DateStyle.reader.months.count == 12)
    #expect(DateStyle.reader.weekdays.count == 7)
  }
}
