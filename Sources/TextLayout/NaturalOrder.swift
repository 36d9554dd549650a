/// Compares names as people sort them: without regard to case, and numbers by their values.
///
///     Feed 2 < feed 10 < Feed 10b
package enum NaturalOrder {
  /// Whether `a` sorts before `b`. Names that differ only in case or leading zeros are equivalent.
  ///
  /// - Complexity: O(n) in the characters of both names.
  package static func areInOrder(_ a: String, _ b: String) -> Bool {
    var (a, b) = (Substring(a.lowercased()), Substring(b.lowercased()))
    while let first = a.first, let second = b.first {
      if isDigit(first), isDigit(second) {
        let (x, y) = (takeNumber(&a), takeNumber(&b))
        if x.count != y.count { return x.count < y.count }
        if x != y { return x < y }
      } else if first != second {
        return first < second
      } else {
        a.removeFirst()
        b.removeFirst()
      }
    }
    return a.isEmpty && !b.isEmpty
  }

  private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

  /// Removes the digits at the start of `text`, and returns them without leading zeros.
  private static func takeNumber(_ text: inout Substring) -> Substring {
    let digits = text.prefix(while: isDigit)
    text = text[digits.endIndex...]
    return digits.drop { $0 == "0" }
  }
}
