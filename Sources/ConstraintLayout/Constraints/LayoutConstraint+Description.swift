/// The text of a constraint in reports.
extension LayoutConstraint: @MainActor CustomStringConvertible {
  /// "'icon side' icon.width == 0.25 * cell.width + 1 @750 (PostCell.swift:31)".
  public var description: String {
    var text = label.map { "'\($0)' " } ?? ""
    text += first.description
    switch relation {
    case .equal: text += " == "
    case .lessThanOrEqual: text += " <= "
    case .greaterThanOrEqual: text += " >= "
    }
    if let second {
      if multiplier != 1 { text += "\(Self.short(multiplier)) * " }
      text += second.description
      if constant != 0 {
        text += constant < 0 ? " - " : " + "
        text += Self.short(abs(constant))
      }
    } else {
      text += Self.short(constant)
    }
    if priority != .required { text += " @\(Self.short(Double(priority.rawValue)))" }
    if let source { text += " (\(source))" }
    return text
  }

  /// Multiples of 1/64 exactly; other values to four decimals, or below 0.1 to four significant
  /// digits: "-12", "0.015625", "0.3073".
  static func short(_ value: Double) -> String {
    guard abs(value) < 1e12 else { return "\(value)" }
    if Double(Int(value)) == value { return "\(Int(value))" }
    if (value * 64).rounded() == value * 64 { return "\(value)" }
    var factor = 1e4
    while abs(value) * factor < 1000 && factor < 1e15 { factor *= 10 }
    let rounded = (value * factor).rounded() / factor
    return Double(Int(rounded)) == rounded ? "\(Int(rounded))" : "\(rounded)"
  }
}

extension LayoutConstraint {
  /// The source location at which a constraint was made.
  public struct Source: Sendable, CustomStringConvertible {
    private let path: StaticString
    /// The line, counted from 1.
    public let line: UInt

    init(_ file: StaticString, _ line: UInt) {
      self.path = file
      self.line = line
    }

    /// "PostCell.swift", without folders or module.
    public var file: String {
      let text = "\(path)"
      return text.split(separator: "/").last.map(String.init) ?? text
    }

    /// "PostCell.swift:31".
    public var description: String { "\(file):\(line)" }
  }
}
