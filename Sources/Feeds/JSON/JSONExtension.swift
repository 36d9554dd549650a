import HTTP

/// What JSON Feed has no field for, under `_tideline`.
struct JSONExtension {
  var handle: String?
  var error: String?
  var warning: String?
  var inReplyTo: String?
  var width: Int?
  var height: Int?
  var isSensitive = false
  var filter: String?
  /// Read later: an author has one of these itself.
  var repostedBy: JSONValue?
  var counts: Post.Counts?
  var poll: Post.Poll?
  var card: JSONFields?
  /// Read later, as far as they are not too deep inside each other.
  var quotes: [JSONValue] = []

  init?(_ value: JSONValue) {
    guard case .object(let members) = value else { return nil }
    var odd: [String] = []
    for member in members {
      switch member.key {
      case "sensitive": isSensitive = member.text(&odd) == "true"
      case "filter": filter = member.text(&odd)
      case "reposted_by": repostedBy = member.value
      case "counts": counts = member.one(&odd, Post.Counts.init)
      case "poll": poll = member.one(&odd, Post.Poll.init)
      case "card": card = member.one(&odd) { JSONFields($0) }
      case "quotes": quotes = member.list(&odd) { $0 }
      case "handle": handle = member.text(&odd)
      case "error": error = member.text(&odd)
      case "warning": warning = member.text(&odd)
      case "in_reply_to": inReplyTo = member.text(&odd)
      case "width": width = member.text(&odd).flatMap { Int($0) }
      case "height": height = member.text(&odd).flatMap { Int($0) }
      default: break
      }
    }
  }
}

extension Post.Counts {
  fileprivate init?(_ value: JSONValue) {
    guard let fields = JSONFields(value) else { return nil }
    var odd: [String] = []
    self.init(
      replies: fields.count("replies", &odd), reposts: fields.count("reposts", &odd),
      likes: fields.count("likes", &odd))
  }
}

extension Post.Poll {
  fileprivate init?(_ value: JSONValue) {
    guard let fields = JSONFields(value) else { return nil }
    var odd: [String] = []
    let options = fields.objects("options", &odd).map { option in
      Option(
        title: Sanitizing.collapsed(option.text("title", &odd) ?? ""),
        votes: option.count("votes", &odd))
    }
    self.init(
      options: options, voters: fields.count("voters", &odd),
      closes: fields.text("closes", &odd).flatMap(DateParser.seconds))
  }
}
