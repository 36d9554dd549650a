import HTTP

/// Where the demos' pictures come from: ``DemoTransport`` in this process, or any real server.
package struct DemoPictures: Sendable {
  /// The prefix of the addresses that ``DemoTransport`` answers. No server has a name below
  /// `.invalid` (RFC 2606).
  package static let origin = "https://tideline.invalid"
  /// The width and height of an author's picture in pixels.
  private static let iconEdge = 160

  /// The pictures that ``DemoTransport`` serves.
  package static let own = DemoPictures()

  private let template: String?
  /// The user name and password in the template, for its own origin.
  package let login: HTTPLogin?

  private init() { (template, login) = (nil, nil) }

  /// Pictures of a real server, by a template for addresses of any size, such as
  /// `https://pictures.example/{width}x{height}`.
  ///
  /// - Throws: ``DemoTemplateError`` if `template` is not such a template.
  package init(from template: String) throws(DemoTemplateError) {
    guard template.contains("{width}"), template.contains("{height}") else {
      throw DemoTemplateError(reason: "it needs {width} and {height} in it")
    }
    let address = HTTPAddress(Self.filled(template, width: 1, height: 1))
    if let problem = address.problem { throw DemoTemplateError(reason: problem) }
    self.template = URLReference.separatingUserInfo(template).address
    login = address.login
  }

  /// Whether ``DemoTransport`` serves them.
  package var areBuiltIn: Bool { template == nil }

  /// The address of an author's bundled picture, or of a server's picture of the same size.
  func icon(named name: String) -> String {
    address(width: Self.iconEdge, height: Self.iconEdge, path: "/pictures/\(name)")
  }

  /// The address of the bundled picture `name`, or of a server's picture of about its size.
  func bundled(named name: String) -> String {
    address(width: 600, height: 450, path: "/pictures/\(name)")
  }

  /// The address of a picture generated from `seed`, or of a server's picture of the same size. The
  /// first request for a flaky generated one fails.
  func made(width: Int, height: Int, seed: Int, isFlaky: Bool = false) -> String {
    address(
      width: width, height: height,
      path: "/\(isFlaky ? "flaky" : "generated")/\(width)x\(height)/\(seed).jpeg")
  }

  private func address(width: Int, height: Int, path: String) -> String {
    guard let template else { return Self.origin + path }
    return Self.filled(template, width: width, height: height)
  }

  private static func filled(_ template: String, width: Int, height: Int) -> String {
    template.replacing("{width}", with: "\(width)").replacing("{height}", with: "\(height)")
  }
}

/// Why a text is not a template of picture addresses, in one clause.
package struct DemoTemplateError: Error, Hashable, Sendable {
  /// The clause.
  package let reason: String
}
