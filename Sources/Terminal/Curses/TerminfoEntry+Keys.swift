extension TerminfoEntry {
  /// The keys of this terminal whose bytes begin with ESC; other keys are read as characters.
  var keySequences: [InputParser.KeySequence] {
    let named: [(String, KeyPress)] = [
      ("kcuu1", KeyPress(.up)), ("kcud1", KeyPress(.down)),
      ("kcub1", KeyPress(.left)), ("kcuf1", KeyPress(.right)),
      ("khome", KeyPress(.home)), ("kend", KeyPress(.end)),
      ("kpp", KeyPress(.pageUp)), ("knp", KeyPress(.pageDown)),
      ("kich1", KeyPress(.insert)), ("kdch1", KeyPress(.delete)),
      ("kcbt", KeyPress(.tab, .shift)), ("kent", KeyPress(.enter)),
      ("kbs", KeyPress(.backspace)),
      ("kri", KeyPress(.up, .shift)), ("kind", KeyPress(.down, .shift)),
      ("kLFT", KeyPress(.left, .shift)), ("kRIT", KeyPress(.right, .shift)),
    ]
    let functions = (1...12).map { ("kf\($0)", KeyPress(.function($0))) }
    return (named + functions).compactMap { capability, press in
      let bytes = sequence(capability)
      return bytes.count > 1 && bytes.first == 0x1B ? (bytes, press) : nil
    }
  }
}
