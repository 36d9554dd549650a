import Testing

@testable import Feeds

@Suite struct FeedScheduleTests {
  private func schedule(_ channel: String, root: String = "rss") throws -> FeedSchedule {
    let text =
      "<\(root) xmlns:sy=\"http://purl.org/rss/1.0/modules/syndication/\"><channel><title>T</title>"
      + "\(channel)<item><title>x</title></item></channel></\(root)>"
    return try FeedReader.read(Array(text.utf8)).info.schedule
  }

  @Test(arguments: [
    ("<ttl>60</ttl>", 3_600.0), ("<ttl> 1.5 </ttl>", 90), ("<ttl>-5</ttl>", 0), ("<ttl>x</ttl>", 0),
    ("<ttl>nan</ttl>", 0), ("", 0), ("<sy:updatePeriod> Daily </sy:updatePeriod>", 86_400),
    ("<sy:updatePeriod>hourly</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>", 1_800),
    ("<sy:updateFrequency>4</sy:updateFrequency>", 21_600),
    (
      "<sy:updatePeriod>weekly</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", 604_800
    ),
    ("<sy:updatePeriod>never</sy:updatePeriod>", 0),
    ("<ttl>30</ttl><sy:updatePeriod>hourly</sy:updatePeriod>", 3_600),
  ])
  func theLongestPeriodCounts(channel: String, seconds: Double) throws {
    #expect(try schedule(channel).period == seconds)
  }

  @Test func excludedHoursAndDaysAreBits() throws {
    let read = try schedule(
      "<skipHours><hour>0</hour><hour> 5 </hour><hour>24</hour><hour>25</hour><hour>x</hour>"
        + "</skipHours><skipDays><day>Sunday</day><day>friday</day><day>Someday</day></skipDays>")
    #expect(read.skippedHours == 1 | 1 << 5)
    #expect(read.skippedDays == 1 | 1 << 5)
  }

  @Test func otherFormatsHaveThePrefixOnly() throws {
    let json =
      "{\"rss\":{\"channel\":{\"title\":\"T\",\"ttl\":10,\"item\":[{\"title\":\"x\"}]}}}"
    #expect(try FeedReader.read(Array(json.utf8)).info.schedule.period == 600)
    let atom =
      "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:sy=\"x\"><title>T</title>"
      + "<sy:updatePeriod>hourly</sy:updatePeriod><entry><id>1</id></entry></feed>"
    #expect(try FeedReader.read(Array(atom.utf8)).info.schedule.period == 3_600)
  }
}
