import Foundation
import Testing

@testable import DemoContent

@Suite struct DemoContentTests {
  /// The part of JSON Feed that is checked here.
  private struct Feed: Decodable {
    struct Author: Decodable {
      let name: String
      let avatar: String
    }
    struct Attachment: Decodable {
      let url: String
      let mimeType: String
      let title: String
    }
    struct Item: Decodable {
      let id: String
      let authors: [Author]
      let contentHtml: String?
      let contentText: String?
      let language: String?
      let attachments: [Attachment]?
    }
    let version: String
    let icon: String
    let items: [Item]
  }

  private func feed() throws -> Feed {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return try decoder.decode(Feed.self, from: Data(DemoContent.timeline()))
  }

  @Test func timelineIsAJSONFeedOfSixtyPosts() throws {
    let feed = try feed()
    #expect(feed.version == "https://jsonfeed.org/version/1.1")
    #expect(feed.items.count == 60)
    #expect(Set(feed.items.map(\.id)).count == 60)
    #expect(feed.items.allSatisfy { ($0.contentHtml == nil) != ($0.contentText == nil) })
    let languages = Set(feed.items.compactMap(\.language))
    #expect(languages.isSuperset(of: ["ja", "zh", "ko", "de", "fr", "ar", "he", "hi"]))
  }

  @Test func everyPictureOfTheTimelineIsBundledAndUsed() throws {
    let feed = try feed()
    let names = Set(try DemoContent.pictureNames())
    var used: Set = [feed.icon]
    for item in feed.items {
      used.formUnion(item.authors.map(\.avatar))
      for attachment in item.attachments ?? [] where attachment.mimeType.hasPrefix("image/") {
        #expect(!attachment.title.isEmpty, "\(item.id) does not say what its picture shows")
        used.insert(attachment.url)
        let name = String(attachment.url.dropFirst("pictures/".count))
        #expect(try DemoContent.picture(named: name).mediaType == attachment.mimeType)
      }
      for part in (item.contentHtml ?? "").components(separatedBy: "src=\"").dropFirst() {
        used.insert(String(part.prefix { $0 != "\"" }))
      }
    }
    #expect(used == Set(names.map { "pictures/" + $0 }))
  }

  @Test func pictureTypesMatchTheirNames() throws {
    let beginnings: [String: [UInt8]] = [
      "image/png": [0x89, 0x50, 0x4e, 0x47], "image/jpeg": [0xff, 0xd8, 0xff],
      "image/webp": Array("RIFF".utf8), "image/gif": Array("GIF8".utf8),
    ]
    var total = 0
    var types = Set<String>()
    for name in try DemoContent.pictureNames() {
      let picture = try DemoContent.picture(named: name)
      let beginning = try #require(beginnings[picture.mediaType])
      #expect(picture.bytes.starts(with: beginning), "\(name)")
      total += picture.bytes.count
      types.insert(picture.mediaType)
    }
    #expect(types.count == 4)
    #expect(total <= 1_500_000)
  }

  @Test func unknownPicturesAreRefused() {
    for name in ["none.png", "../timeline.json", "", ".", "a/b.png", "timeline.json"] {
      #expect(throws: DemoContentError.unknownPicture(name)) {
        try DemoContent.picture(named: name)
      }
    }
  }

  @Test func autolayoutItemsAlternateAndHaveIcons() throws {
    let items = try DemoContent.texts().autolayout
    let names = try DemoContent.pictureNames()
    #expect(items.count == 5)
    #expect(items.map { $0.text.count > 100 } == [false, true, false, true, true])
    #expect(items.allSatisfy { names.contains($0.icon) })
    #expect(Set(items.map(\.icon)).count == 5)
  }

  @Test func textsOfTheOtherDemosAreComplete() throws {
    let texts = try DemoContent.texts()
    let names = try DemoContent.pictureNames()
    #expect(texts.people.allSatisfy { !$0.name.isEmpty && names.contains($0.icon) })
    #expect(texts.people.count >= 8)
    #expect(texts.slack.hasSuffix(" ") && texts.slack.count > 20)
    #expect(texts.tweets.contains { $0.count < 20 } && texts.tweets.contains { $0.count > 120 })
    #expect(texts.moments.contains { $0.content.count < 20 })
    #expect(texts.moments.contains { $0.content.count > 300 }, "none needs more than four lines")
    #expect(texts.moments.allSatisfy { !$0.title.isEmpty })
  }

  @Test func placesAreSearchedInOrder() {
    let places = ContentFolder.places(environment: [:], program: "/opt/bin/tideline")
    #expect(
      places.prefix(2) == [
        "/opt/bin/tideline_DemoFiles.resources/Content", "/opt/bin/../share/tideline/Content",
      ])
    #expect(places.last?.hasSuffix("/Resources/Content") == true)
    let named = ["TIDELINE_RESOURCES": "/srv/content"]
    #expect(ContentFolder.places(environment: named, program: "/x/y") == ["/srv/content"])
  }

  @Test func aMissingFolderIsNamed() {
    #expect(throws: DemoContentError.folderNotFound(searched: ["/no/such", "/nor/this"])) {
      try ContentFolder.first(of: ["/no/such", "/nor/this"])
    }
  }
}
