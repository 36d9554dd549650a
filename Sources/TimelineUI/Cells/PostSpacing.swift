/// Where a blank line stands between the parts of a post.
///
/// What shows nothing takes no line and has no blank line. Of what shows something:
/// 1. Title and warnings stand directly below the name, as a text without a title does.
/// 2. A caption stands directly below its picture.
/// 3. All else has one blank line above it, but for a footer with only the name above.
struct PostSpacing {
  enum Part {
    case name, title, warning, text, picture, caption, footer
  }

  /// What stands above the next part. A warning does not hide the title above it.
  private var above = Part.name

  /// The empty rows above `part`, the next one from the top that shows something.
  mutating func rows(above part: Part) -> Int {
    defer { if part != .warning || above == .name { above = part } }
    switch (above, part) {
    case (_, .title), (_, .warning), (.name, .footer): return 0
    case (.name, .text), (.warning, .text), (.name, .caption), (.warning, .caption): return 0
    case (.picture, .caption), (.caption, .caption): return 0
    default: return 1
    }
  }
}
