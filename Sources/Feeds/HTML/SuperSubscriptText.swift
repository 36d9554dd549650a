/// Superscripts and subscripts, in Unicode's letters for them if all characters have one.
enum SuperSubscriptText {
  /// - Parameter isRaised: whether it is a superscript; otherwise a subscript.
  static func shown(_ text: String, isRaised: Bool) -> String {
    guard !text.isEmpty else { return "" }
    // Signs that are raised already.
    if isRaised, text.allSatisfy({ "™®©℠*†‡§¶ªº′″°".contains($0) || superscripts.contains($0) }) {
      return text
    }
    let letters = isRaised ? raised : lowered
    let known = isRaised ? superscripts : subscripts
    let found = text.compactMap { letters[$0] ?? (known.contains($0) ? $0 : nil) }
    if found.count == text.count { return String(found) }
    return "\(isRaised ? "^" : "_")(\(text))"
  }

  /// A reference to a note, such as `1` or `*`, in brackets to separate it from its word.
  static func note(_ mark: String) -> String {
    let isBracketed = mark.hasPrefix("[") || mark.hasPrefix("(")
    return isBracketed ? mark : "[\(mark)]"
  }

  private static let raised = letters(
    "0123456789+−-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ")
  private static let superscripts = Set(raised.values)
  private static let lowered = letters(
    "0123456789+−-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ")

  private static let subscripts = Set(lowered.values)

  private static func letters(_ plain: String, _ scripts: String) -> [Character: Character] {
    Dictionary(zip(plain, scripts), uniquingKeysWith: { first, _ in first })
  }
}
