import TimelineStore

/// The arguments of a usual call of the viewer: sources, and options by their whole names with
/// valid values. They need no parser, whose tables cost 1.6 ms of the time before the first frame.
///
/// 1. Whatever is not on its list, or wrong, repeated or in a form with several readings, is left
///    to the parser, which alone reports mistakes: it is asked about all arguments again.
/// 2. A value is converted by the same initializer as in the parser.
struct ExactArguments {
  private(set) var request = ViewRequest()
  private var names: [Substring] = []

  /// `nil` if the parser has to read the arguments.
  init?(_ arguments: [String]) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-"), argument != "-" else {
        request.sources.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first, !names.contains(name) else { return nil }
      names.append(name)
      if parts.count == 1, setFlag(name) { continue }
      guard CommandWord.withValues.contains(String(name)),
        let value = parts.count == 2 ? String(parts[1]) : rest.popFirst(), !value.isEmpty,
        !value.hasPrefix("-"), setOption(name, to: value)
      else { return nil }
    }
    if request.bundled || request.library != nil, !request.sources.isEmpty { return nil }
    if request.bundled, request.library != nil { return nil }
  }

  private mutating func setFlag(_ name: Substring) -> Bool {
    switch name {
    case "--bundled": request.bundled = true
    case "--plain": request.plain = true
    case "--json": request.json = true
    case "--allow-private-addresses": request.allowsPrivateAddresses = true
    case "--offline": request.isOffline = true
    case "--no-animation": request.display.noAnimation = true
    case "--no-image-cache": request.display.noImageCache = true
    case "--no-state": request.display.noState = true
    default: return false
    }
    return true
  }

  /// - Returns: false for an option that is not on the list, and for a wrong value.
  private mutating func setOption(_ name: Substring, to value: String) -> Bool {
    switch name {
    case "--format":
      guard let choice = try? FormatChoice(argument: value) else { return false }
      request.format = choice.format
    case "--pictures": return Self.set(&request.display.pictures, .init(argument: value))
    case "--color": return Self.set(&request.display.color, .init(argument: value))
    case "--theme": request.display.theme = value
    case "--filter":
      guard let query = try? PostQuery(value) else { return false }
      request.filter = query
    case "--library": (request.library, request.selection) = (value, .everything)
    case "--trace": request.display.trace = value
    case "--cache-dir": request.display.cacheDir = value
    case "--log-file": request.display.logFile = value
    case "--config": request.display.config = value
    default: return false
    }
    return true
  }

  private static func set<Value>(_ place: inout Value, _ value: Value?) -> Bool {
    guard let value else { return false }
    place = value
    return true
  }
}
