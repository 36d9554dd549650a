extension TerminfoEntry {
  /// The keys of this terminal by their bytes, those that begin with ESC: others are characters.
  var keySequences: [[UInt8]: KeyPress] {
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
    var keys: [[UInt8]: KeyPress] = [:]
    for (capability, press) in named + functions {
      let bytes = sequence(capability)
      if bytes.count > 1, bytes.first == 0x1B { keys[bytes] = press }
    }
    return keys
  }
}
