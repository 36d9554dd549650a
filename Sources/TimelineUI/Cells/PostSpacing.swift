/// Decides which parts of a post have a blank line above them.
///
/// Parts that show nothing take no line and have no blank line. For the others:
/// 1. Title and warnings have none; nor has a text or a caption with only the name and warnings
///    above it.
/// 2. A caption stands directly below its picture.
/// 3. All other parts have one, except a footer with only the name above it.
struct PostSpacing {
  enum Part {
    case name, title, warning, text, picture, caption, footer
  }

  /// The part above the next one. A warning below another part does not replace it.
  private var above = Part.name

  /// The blank rows above `part`, which is the next one from the top that shows something.
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
