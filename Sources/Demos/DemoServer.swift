/// Serves the demos' pictures over HTTP on the loopback interface, each after a wait of its own, as
/// if they came from far away.
///
/// What there is says ``DemoServerContent``; everything else is answered with 404, and what is
/// flaky with 503 the first time.
public actor DemoServer {
  private let latency: DemoServerLatency
  private var listener: DemoServerListener?
  private var loop: DemoServerLoop?

  /// Opens a port of the system's choice.
  ///
  /// - Throws: `DemoServerError.cannotListen`.
  public init(latency: DemoServerLatency) throws(DemoServerError) {
    self.latency = latency
    listener = try DemoServerListener()
  }

  /// - Parameter seed: fixes how long each picture takes, 100...2,000 ms.
  public init(seed: UInt64) throws(DemoServerError) {
    try self.init(latency: DemoServerLatency(seed: seed))
  }

  /// Begins to serve and returns the address that paths are appended to, such as
  /// `"http://127.0.0.1:40123"`. A server that runs already returns its address again. It runs until
  /// ``stop()``, whether or not anybody keeps this object.
  ///
  /// - Throws: `DemoServerError.cannotListen`.
  public func start() throws(DemoServerError) -> String {
    if let loop { return loop.address }
    let started = try DemoServerLoop(listener: takeListener(), latency: latency)
    started.start()
    loop = started
    return started.address
  }

  private func takeListener() throws(DemoServerError) -> DemoServerListener {
    defer { listener = nil }
    if let listener { return listener }
    return try DemoServerListener()
  }

  /// Stops serving; requests under way are cut off.
  public func stop() async {
    listener = nil
    await loop?.stop()
    loop = nil
  }
}

/// Why the demos' pictures cannot be served.
public enum DemoServerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No port could be opened; what the system says.
  case cannotListen(String)
  /// A made-up picture of this size could not be encoded; what the codec says.
  case cannotEncode(width: Int, height: Int, reason: String)

  public var description: String {
    switch self {
    case .cannotListen(let reason): "the demo's picture server cannot listen: \(reason)"
    case .cannotEncode(let width, let height, let reason):
      "a demo picture of \(width)x\(height) cannot be encoded: \(reason)"
    }
  }
}
