/// The words of a date, and the meanings of single words.
struct DateWords {
  /// The zone that a word names.
  enum Zone: Hashable {
    /// The word names no zone.
    case none
    /// An unknown name.
    case unknown
    /// Seconds east of UTC.
    case offset(Int)
    /// An offset that no zone has.
    case impossible
  }

  typealias Word = ArraySlice<UInt8>

  let all: [Word]
  private let comments: [[UInt8]]

  static let dash = UInt8(ascii: "-")
  private static let dashes = ["-", "–", "—", "|", "·"].map { Array($0.utf8) }
  private static let weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]

  /// The day of the week that a word names in English, 0 for Sunday.
  static func weekday(_ word: Word) -> Int? {
    let name = String(decoding: word.prefix(3), as: UTF8.self).lowercased()
    return weekdays.firstIndex(of: name)
  }

  init(_ bytes: [UInt8], comments: [[UInt8]]) {
    let bytes = bytes.contains { $0 >= 0xE4 } ? Self.replacingEastAsianUnits(bytes) : bytes
    all = Self.words(bytes)
    self.comments = comments
  }

  /// The parts between blanks, commas and semicolons; the comma of `14:33:00,5` does not separate.
  /// A lone dash, bar or middle dot is not a word.
  private static func words(_ bytes: [UInt8]) -> [Word] {
    let comma = UInt8(ascii: ",")
    var words: [Word] = []
    for word in bytes.split(whereSeparator: { $0 <= 32 || $0 == UInt8(ascii: ";") }) {
      var start = word.startIndex
      for index in word.indices where word[index] == comma {
        let before = word[start..<index]
        let isFraction =
          before.first.map(isDigit) == true && before.last.map(isDigit) == true
          && before.contains { $0 == UInt8(ascii: ":") || $0 | 0x20 == UInt8(ascii: "t") }
          && index + 1 < word.endIndex && isDigit(word[index + 1])
        guard !isFraction else { continue }
        if !before.isEmpty { words.append(before) }
        start = index + 1
      }
      if start < word.endIndex { words.append(word[start...]) }
    }
    return words.filter { word in !dashes.contains { word.elementsEqual($0) } }
  }

  /// The offset of `zone` or, if that is unknown or missing, the first offset in a comment.
  func offset(_ zone: Zone) -> Int? {
    switch zone {
    case .offset(let seconds): return seconds
    case .impossible: return nil
    case .unknown, .none:
      for comment in comments {
        if case .offset(let seconds) = Self.zone(comment[...]) { return seconds }
      }
      return nil
    }
  }

  /// Rewrites `2020年1月10日 14時33分` as `2020-1-10 14:33`.
  private static func replacingEastAsianUnits(_ bytes: [UInt8]) -> [UInt8] {
    var result = ""
    // Whether the minutes have just ended: a digit that follows begins the seconds.
    var endsMinutes = false
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if endsMinutes, scalar != " " {
        result += scalar.properties.numericType == nil ? " " : ":"
        endsMinutes = false
      }
      switch scalar {
      case "年", "년", "月", "월":
        while result.last == " " { result.removeLast() }
        result += "-"
      case "日", "일", "秒", "초": result += " "
      case "時", "时", "시", "点": result += ":"
      case "分", "분": endsMinutes = true
      case " " where endsMinutes || result.last == "-" || result.last == ":": break
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }

  static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }

  static func number(_ digits: Word) -> Int? {
    guard !digits.isEmpty, digits.count <= 9, digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Years of two digits are within 50 years of 2000; years of three digits count from 1900 (RFC
  /// 2822).
  static func year(_ year: (value: Int, digits: Int)) -> Int {
    switch year.digits {
    case ...2: year.value + (year.value < 50 ? 2000 : 1900)
    case 3: year.value + 1900
    default: year.value
    }
  }

  /// Splits `09-Mar-2024` into three words and `26Jun` into two; `26th` and `9.` become numbers; a
  /// zone such as `-0800` stays one word.
  static func splitDay(_ word: Word) -> [Word] {
    guard let first = word.first, isDigit(first), clock(word) == nil else { return [word] }
    return word.split(separator: dash).flatMap { part -> [Word] in
      let digits = part.prefix(while: isDigit)
      let rest = part[digits.endIndex...].drop { $0 == UInt8(ascii: ".") }
      let ordinals = ["st", "nd", "rd", "th", "er", "º", "ª", "e"]
      if rest.isEmpty || ordinals.contains(String(decoding: rest, as: UTF8.self).lowercased()) {
        return [digits]
      }
      return digits.isEmpty || rest.allSatisfy(isDigit) ? [part] : [digits, rest]
    }
  }

  /// A time such as `12:05:07.25` or `14h33` at the beginning of a word, and the rest of the word.
  static func clock(_ word: Word) -> (time: Word, rest: Word)? {
    let hour = word.prefix(while: isDigit)
    guard (1...2).contains(hour.count), hour.endIndex < word.endIndex else { return nil }
    switch word[hour.endIndex] {
    case UInt8(ascii: ":"):
      let end = word.firstIndex { !isDigit($0) && $0 != 58 && $0 != 46 } ?? word.endIndex
      return (word[..<end], word[end...])
    case UInt8(ascii: "h"), UInt8(ascii: "H"):
      var time = word
      time[hour.endIndex] = UInt8(ascii: ":")
      let minutes = word[(hour.endIndex + 1)...]
      return minutes.count == 2 && minutes.allSatisfy(isDigit)
        ? (time, word[word.endIndex...]) : nil
    default: return nil
    }
  }

  /// Sets hour, minute and second from `12:05`, `12:05:07`, `12:05:07.25`, or `1205`, `120507`.
  static func setTime(_ text: Word, in result: inout CivilTime) -> Bool {
    let parts = text.split(maxSplits: 1) { $0 == 46 || $0 == 44 }
    guard let whole = parts.first else { return false }
    var fields = whole.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    if fields.count == 1, let digits = fields.first, [2, 4, 6].contains(digits.count) {
      fields = stride(from: digits.startIndex, to: digits.endIndex, by: 2)
        .map { digits[$0..<$0 + 2] }
    }
    let numbers = fields.compactMap { number($0) }
    guard numbers.count == fields.count, (1...3).contains(numbers.count) else { return false }
    result.hour = numbers[0]
    result.minute = numbers.count > 1 ? numbers[1] : 0
    result.second = numbers.count > 2 ? Double(numbers[2]) : 0
    if numbers.count == 3, parts.count > 1, let digits = number(parts[1].prefix(9)) {
      var scale = 1.0
      for _ in parts[1].prefix(9) { scale *= 10 }
      result.second += Double(digits) / scale
    }
    return true
  }

  /// Sets the time with which `words` begin, if any, and returns the zone that follows it; `nil` if
  /// the time or the offset is invalid.
  static func readTime(_ words: ArraySlice<Word>, in result: inout CivilTime) -> Zone? {
    var words = words
    guard var first = words.popFirst() else { return Zone.none }
    var isAfternoon = Self.isAfternoon(String(decoding: first, as: UTF8.self))
    if isAfternoon != nil, let next = words.popFirst() { first = next }
    let end = first.firstIndex { !isDigit($0) && $0 != 58 && $0 != 46 && $0 != 44 }
    guard setTime(first[..<(end ?? first.endIndex)], in: &result) else { return nil }
    if let end { words = [first[end...]] + words }
    var found = Zone.none
    for word in words {
      if let half = Self.isAfternoon(String(decoding: word, as: UTF8.self)) {
        isAfternoon = half
      } else if found == .none {
        found = zone(word)
      }
    }
    applyMeridiem(isAfternoon, in: &result)
    return found == .impossible ? nil : found
  }

  static func isAfternoon(_ word: String) -> Bool? {
    switch word.uppercased() {
    case "AM", "A.M.", "上午", "오전", "午前": false
    case "PM", "P.M.", "下午", "오후", "午後": true
    default: nil
    }
  }

  static func applyMeridiem(_ isAfternoon: Bool?, in result: inout CivilTime) {
    guard let isAfternoon, (1...12).contains(result.hour) else { return }
    result.hour = result.hour % 12 + (isAfternoon ? 12 : 0)
  }

  /// The zone in `Z`, `+0100`, `-08:00`, `GMT`, `EST`, `UTC+2` and similar words.
  static func zone(_ word: Word) -> Zone {
    guard let first = word.first else { return .none }
    let sign = word.firstIndex { $0 == UInt8(ascii: "+") || $0 == dash }
    guard let sign else {
      guard !isDigit(first), first != UInt8(ascii: ".") else { return .none }
      return ZoneNames.offset(String(decoding: word, as: UTF8.self)).map(Zone.offset)
        ?? (word.count <= 5 || word.contains(UInt8(ascii: "/")) ? .unknown : .none)
    }
    let name = String(decoding: word[..<sign], as: UTF8.self)
    guard sign == word.startIndex || ZoneNames.offset(name) == 0 else { return .unknown }
    let digits = word[(sign + 1)...].filter { $0 != UInt8(ascii: ":") }
    guard let value = number(digits[...]), digits.count <= 4 else { return .impossible }
    let minutes = digits.count > 2 ? value / 100 * 60 + value % 100 : value * 60
    guard minutes <= 24 * 60 else { return .impossible }
    return .offset((word[sign] == dash ? -1 : 1) * minutes * 60)
  }
}
