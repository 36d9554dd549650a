/// An HTML element, as far as its name determines it: its effect on text, its traits, the
/// attributes that hold addresses, and how it ends if it hides content.
struct HTMLElement: Sendable {
  /// The effect on text.
  enum Effect {
    case paragraph, heading, quote, preformatted, bulletList, numberedList, listItem
    case term, definition, table, tableRow, tableCell, headerCell, caption, rule, lineBreak
    case bold, italic, underline, strike, code, quotation, link, span, raised, lowered
    case summary, checkBox, reading, readingMark, formula
    case image, picture, noscript, video, audio, source, frame, embedded
    /// Nothing of it is shown.
    case hidden
  }

  struct Traits: OptionSet {
    let rawValue: UInt16

    /// It stands between paragraphs rather than inside one.
    static let breaks = Traits(rawValue: 1)
    /// Its content is not shown.
    static let hides = Traits(rawValue: 1 << 1)
    /// It has neither content nor an end tag.
    static let void = Traits(rawValue: 1 << 2)
    /// In a title, a single tag of it counts as markup, even without attributes.
    static let standsAlone = Traits(rawValue: 1 << 3)
    /// In a title it counts as markup, although it has no effect.
    static let isInTitles = Traits(rawValue: 1 << 4)
    /// Its content is code: there are no addresses in it.
    static let opaque = Traits(rawValue: 1 << 5)
    /// It is a picture, a video or another file, or encloses some.
    static let media = Traits(rawValue: 1 << 6)
    /// It belongs to the media element that contains it, and has no content.
    static let mediaPart = Traits(rawValue: 1 << 7)
    /// It describes the page or the object that contains it.
    static let metadata = Traits(rawValue: 1 << 8)
    /// It divides a page.
    static let page = Traits(rawValue: 1 << 9)
    /// While it is open, the next term, definition or reading still ends the one around it; other
    /// blocks prevent that.
    static let isPassed = Traits(rawValue: 1 << 10)
  }

  /// How an element ends that would hide the rest of the text if it were left open
  /// (``HTMLEndTagRepair``).
  enum Ending {
    /// The first end tag of its name: its content is not markup.
    case raw
    /// Its own end tag.
    case nested
    /// The next element of its kind, or the end of its parent.
    case choice, reading
  }

  /// `nil` if only its content has an effect.
  let effect: Effect?
  let traits: Traits
  /// The attributes that hold addresses.
  let addresses: Set<ElementName>
  let ending: Ending?

  private init(
    _ effect: Effect? = nil, _ traits: Traits = [], _ addresses: Set<ElementName> = [],
    ends ending: Ending? = nil
  ) {
    self.effect = effect
    self.traits = traits
    self.addresses = addresses
    self.ending = ending
  }

  /// The element of that name; `nil` if HTML has no such element, or it has neither effect nor
  /// traits.
  ///
  /// - Complexity: O(1).
  init?(_ name: ElementName) {
    guard let element = Self.table[name] else { return nil }
    self = element
  }

  func has(_ trait: Traits) -> Bool { traits.contains(trait) }

  private static let table = [ElementName: HTMLElement](names: [
    // Blocks.
    (
      HTMLElement(.paragraph, .breaks),
      "section article header footer main aside nav figure details center fieldset form dl hgroup"
        + " legend search"
    ),
    (HTMLElement(.paragraph, [.breaks, .isPassed]), "p div address"),
    (HTMLElement(.paragraph, [.breaks, .page]), "body"),
    (HTMLElement(.heading, .breaks), "h1 h2 h3 h4 h5 h6"),
    (HTMLElement(.quote, .breaks, ["src", "cite"]), "blockquote"),
    (HTMLElement(.preformatted, .breaks), "pre listing plaintext"),
    (HTMLElement(.preformatted, .breaks, ends: .raw), "xmp"),
    (HTMLElement(.bulletList, .breaks), "ul menu dir"), (HTMLElement(.numberedList, .breaks), "ol"),
    (HTMLElement(.listItem, .breaks), "li"), (HTMLElement(.term, .breaks), "dt"),
    (HTMLElement(.definition, .breaks), "dd"), (HTMLElement(.table, .breaks), "table"),
    (HTMLElement(.tableRow, .breaks), "tr"), (HTMLElement(.tableCell, .breaks), "td"),
    (HTMLElement(.headerCell, .breaks), "th"),
    (HTMLElement(.caption, .breaks), "figcaption caption"),
    (HTMLElement(.rule, [.breaks, .void, .standsAlone]), "hr"),
    (HTMLElement(.summary, .breaks), "summary"),

    // Parts of a paragraph.
    (HTMLElement(.lineBreak, [.void, .standsAlone]), "br"), (HTMLElement(.bold), "b strong"),
    (HTMLElement(.italic), "i em cite var dfn"), (HTMLElement(.underline), "u"),
    (HTMLElement(.underline, [], ["src", "cite"]), "ins"), (HTMLElement(.strike), "s strike"),
    (HTMLElement(.strike, [], ["src", "cite"]), "del"), (HTMLElement(.code), "code kbd samp tt"),
    (HTMLElement(.quotation, [], ["src", "cite"]), "q"),
    (HTMLElement(.link, [], ["href", "src"]), "a"),
    (HTMLElement(.span), "span"), (HTMLElement(.raised), "sup"), (HTMLElement(.lowered), "sub"),
    (HTMLElement(.checkBox, .void, ["src"]), "input"), (HTMLElement(.formula), "math"),
    (HTMLElement(.reading, ends: .reading), "rt"),
    (HTMLElement(.readingMark, .hides, ends: .reading), "rp"),
    (HTMLElement(ends: .reading), "ruby rb rtc"),
    (HTMLElement(nil, .isInTitles), "font small big abbr mark"),
    (HTMLElement(nil, [.isInTitles, .void, .standsAlone]), "wbr"),

    // Pictures and other files.
    (HTMLElement(.image, [.media, .void, .standsAlone], ["src", "srcset"]), "img"),
    (HTMLElement(.image, .media), "image amp-img"),
    (HTMLElement(.picture, .media, ["src"]), "picture"),
    (HTMLElement(.noscript, .media, ["src"], ends: .nested), "noscript"),
    (HTMLElement(.video, [.media, .hides], ["src", "poster"], ends: .nested), "video"),
    (HTMLElement(.audio, [.media, .hides], ["src", "poster"], ends: .nested), "audio"),
    (HTMLElement(.source, [.media, .mediaPart, .void], ["src", "srcset"]), "source"),
    (HTMLElement(nil, [.mediaPart, .void], ["src", "srcset"]), "track"),
    (HTMLElement(.frame, [.media, .hides], ["src"], ends: .raw), "iframe"),
    (HTMLElement(.frame, [.media, .hides], ["src", "data"], ends: .nested), "object"),
    (HTMLElement(.embedded, [.media, .mediaPart, .void], ["src"]), "embed"),
    (HTMLElement(nil, [.mediaPart, .metadata, .void]), "param"),

    // Hidden content.
    (HTMLElement(.hidden, [.hides, .opaque], ends: .raw), "script style"),
    (HTMLElement(.hidden, .hides, ends: .raw), "title textarea noframes"),
    (HTMLElement(.hidden, [.hides, .page], ends: .nested), "head"),
    (HTMLElement(.hidden, .hides, ends: .nested), "template svg select button map canvas"),
    (HTMLElement(.hidden, .hides, ends: .choice), "option"),
    (HTMLElement(ends: .choice), "optgroup datalist"), (HTMLElement(ends: .raw), "noembed"),

    // Other parts of a page.
    (HTMLElement(nil, .page), "html"), (HTMLElement(nil, .void), "col"),
    (HTMLElement(nil, .void, ["href", "src"]), "area"),
    (HTMLElement(nil, [.void, .metadata]), "base link meta"),
  ])
}
