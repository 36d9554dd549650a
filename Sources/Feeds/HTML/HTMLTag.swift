/// The effect of an HTML element on text.
enum HTMLTag {
  case paragraph, heading, quote, preformatted, bulletList, numberedList, listItem
  case term, definition, table, tableRow, tableCell, headerCell, caption, rule, lineBreak
  case bold, italic, underline, strike, code, quotation, link, span, raised, lowered
  case summary, checkBox, reading, readingMark, formula
  case image, picture, noscript, video, audio, source, frame, embedded
  /// Its content is not shown.
  case hidden

  init?(_ name: ElementName) {
    guard let tag = Self.names[name] else { return nil }
    self = tag
  }

  private static let names = ElementNames<HTMLTag>([
    (
      .paragraph,
      "p div section article header footer main aside nav address figure details center"
        + " fieldset form dl body hgroup legend search"
    ),
    (.heading, "h1 h2 h3 h4 h5 h6"), (.quote, "blockquote"),
    (.preformatted, "pre listing xmp plaintext"), (.bulletList, "ul menu dir"),
    (.numberedList, "ol"), (.listItem, "li"), (.term, "dt"), (.definition, "dd"),
    (.table, "table"), (.tableRow, "tr"), (.tableCell, "td"), (.headerCell, "th"),
    (.caption, "figcaption caption"), (.rule, "hr"), (.lineBreak, "br"), (.bold, "b strong"),
    (.italic, "i em cite var dfn"), (.underline, "u ins"), (.strike, "s del strike"),
    (.code, "code kbd samp tt"), (.quotation, "q"), (.link, "a"), (.span, "span"),
    (.raised, "sup"), (.lowered, "sub"), (.summary, "summary"), (.checkBox, "input"),
    (.reading, "rt"), (.formula, "math"),
    (.image, "img image amp-img"), (.picture, "picture"), (.noscript, "noscript"),
    (.video, "video"), (.audio, "audio"), (.source, "source"),
    (.frame, "iframe object"), (.embedded, "embed"),
    (
      .hidden,
      "script style head title template svg select option textarea button noframes map canvas"
    ), (.readingMark, "rp"),
  ])

  /// Whether a title may contain elements of that name; tags of all others are part of its words.
  static func isAllowedInTitles(_ name: String) -> Bool {
    switch HTMLTag(ElementName(name)) {
    case .bold, .italic, .underline, .strike, .code, .quotation, .link, .span, .lineBreak, .heading,
      .image, .hidden, .readingMark, .raised, .lowered:
      true
    case .paragraph: name == "p"
    case .none: ["font", "small", "big", "abbr", "mark", "wbr"].contains(name)
    default: false
    }
  }

  /// Whether it stands between paragraphs rather than inside one.
  var isBlock: Bool {
    switch self {
    case .paragraph, .heading, .quote, .preformatted, .bulletList, .numberedList, .listItem, .term,
      .definition, .table, .tableRow, .tableCell, .headerCell, .caption, .rule, .summary:
      true
    default: false
    }
  }
}
