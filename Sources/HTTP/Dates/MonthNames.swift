/// Names of months in the languages that feeds are written in.
enum MonthNames {
  /// The number of the month that `word` names or abbreviates; `nil` if it names none.
  ///
  /// - Complexity: O(n) in the bytes of `word`, beside a fixed number of look-ups.
  static func number(_ word: String) -> Int? {
    let folded = folded(word)
    guard !weekdays.contains(folded) else { return nil }
    for length in stride(from: min(folded.count, longestStem), through: 3, by: -1) {
      if let number = stems[String(folded.prefix(length))] { return number }
    }
    return nil
  }

  /// Lower case, without the diacritics that occur in names of months and days.
  private static func folded(_ word: String) -> String {
    let lowered = word.lowercased()
    guard lowered.utf8.contains(where: { $0 >= 128 }) else { return lowered }
    var result = String.UnicodeScalarView()
    // Decomposed letters have combining marks.
    for scalar in lowered.unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
      result.append(plain[scalar] ?? scalar)
    }
    return String(result)
  }

  private static let plain: [Unicode.Scalar: Unicode.Scalar] = {
    let letters: [(Unicode.Scalar, String)] = [
      ("a", "áàâäãåą"), ("c", "çćč"), ("d", "ď"), ("e", "éèêëěę"), ("g", "ğ"), ("i", "íìîïı"),
      ("l", "ł"), ("n", "ñńň"), ("o", "óòôöõøő"), ("r", "ř"), ("s", "śšşș"), ("t", "ţțť"),
      ("u", "úùûüůű"), ("y", "ý"), ("z", "žźż"), ("α", "ά"), ("ε", "έ"), ("ι", "ίϊΐ"), ("ο", "ό"),
      ("υ", "ύϋΰ"), ("ω", "ώ"), ("η", "ή"), ("и", "й"),
    ]
    var plain: [Unicode.Scalar: Unicode.Scalar] = [:]
    for (letter, marked) in letters {
      for scalar in marked.unicodeScalars { plain[scalar] = letter }
    }
    return plain
  }()

  /// Names of days that begin like names of months.
  private static let weekdays: Set<String> = [
    "mardi", "martes", "martedi", "marti", "maandag", "maanantai",
  ]

  /// Beginnings of the names in English, German, French, Spanish, Portuguese, Italian, Catalan,
  /// Romanian, Dutch, the languages of Scandinavia, Finnish, Polish, Czech, Hungarian, Turkish,
  /// Indonesian, Russian, Ukrainian, Greek and Arabic.
  private static let stems: [String: Int] = {
    let months = [
      "jan ene gen ian ledn led sty tammi oca янв січ ιαν يناير",
      "feb fev fef fevr feu unor lut helmi sub фев лют φεβ فبراير",
      "mar mrz maa maerz marz mrt brez maalis мар берез μαρ مارس",
      "apr avr abr dub kwi huhti nis апр квіт απρ أبريل ابريل",
      "mai maj mei may mag maio kvet touko маи мая трав μαι مايو",
      "jun juin juny giu iun cervn cze kesa haz июн черв ιουν يونيو",
      "jul juil lug iul cervenc lip heina tem июл лип ιουλ يوليو",
      "aug aou ago avg srp sie elo agu авг серп αυγ أغسطس اغسطس",
      "sep set zar wrz syys eyl szept сен верес σεπ سبتمبر",
      "oct okt ott out rij paz loka eki окт жовт οκτ أكتوبر اكتوبر",
      "nov noi lis marras kas ноя листоп νοε نوفمبر",
      "dec dez dic des dek pros gru joulu ara дек груд δεκ ديسمبر",
    ]
    var stems: [String: Int] = [:]
    for (index, names) in months.enumerated() {
      for name in names.split(separator: " ") { stems[String(name)] = index + 1 }
    }
    return stems
  }()

  private static let longestStem = stems.keys.map(\.count).max() ?? 0
}
