/// What an element of HTML does to text.
enum HTMLTag {
  case paragraph, heading, quote, preformatted, bulletList, numberedList, listItem
  case term, definition, table, tableRow, tableCell, headerCell, caption, rule, lineBreak
  case bold, italic, underline, strike, code, quotation, link, span
  case image, video, audio, source, frame
  /// Its content is not for readers.
  case hidden

  init?(_ name: String) {
    guard let tag = Self.tags[name] else { return nil }
    self = tag
  }

  private static let tags: [String: HTMLTag] = {
    let names: [(HTMLTag, String)] = [
      (
        .paragraph,
        "p div section article header footer main aside nav address figure details summary center"
          + " fieldset form dl body hgroup"
      ),
      (.heading, "h1 h2 h3 h4 h5 h6"), (.quote, "blockquote"),
      (.preformatted, "pre listing xmp plaintext"), (.bulletList, "ul menu dir"),
      (.numberedList, "ol"), (.listItem, "li"), (.term, "dt"), (.definition, "dd"),
      (.table, "table"), (.tableRow, "tr"), (.tableCell, "td"), (.headerCell, "th"),
      (.caption, "figcaption caption"), (.rule, "hr"), (.lineBreak, "br"), (.bold, "b strong"),
      (.italic, "i em cite var dfn"), (.underline, "u ins"), (.strike, "s del strike"),
      (.code, "code kbd samp tt"), (.quotation, "q"), (.link, "a"), (.span, "span"),
      (.image, "img image amp-img"), (.video, "video"), (.audio, "audio"), (.source, "source"),
      (.frame, "iframe embed object"),
      (
        .hidden,
        "script style head title template svg select option textarea button noframes map canvas"
      ),
    ]
    var tags: [String: HTMLTag] = [:]
    for (tag, list) in names {
      for name in list.split(separator: " ") { tags[String(name)] = tag }
    }
    return tags
  }()

  /// Whether a title may hold elements of that name; tags of all others are a part of its words.
  static func isOfTitles(_ name: String) -> Bool {
    switch HTMLTag(name) {
    case .bold, .italic, .underline, .strike, .code, .quotation, .link, .span, .lineBreak, .heading,
      .image, .hidden:
      true
    case .paragraph: name == "p"
    case .none:
      ["font", "sup", "sub", "small", "big", "abbr", "mark", "wbr"].contains(name)
    default: false
    }
  }

  /// Whether it stands between paragraphs rather than inside one.
  var isBlock: Bool {
    switch self {
    case .paragraph, .heading, .quote, .preformatted, .bulletList, .numberedList, .listItem, .term,
      .definition, .table, .tableRow, .caption, .rule:
      true
    default: false
    }
  }
}
