extension MisbehavingServer.Step {
  /// The head of an answer; `length` is the length it claims, true or not.
  public static func head(
    status: Int = 200, type: String? = nil, length: Int? = nil, fields: [(String, String)] = [],
    closes: Bool = true
  ) -> Self {
    var lines = ["HTTP/1.1 \(status) Status"] + (closes ? ["Connection: close"] : [])
    if let type { lines.append("Content-Type: \(type)") }
    if let length { lines.append("Content-Length: \(length)") }
    lines += fields.map { "\($0.0): \($0.1)" }
    return .send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
  }

  /// A complete and correct answer.
  public static func response(
    status: Int = 200, type: String = "application/octet-stream", body: [UInt8] = []
  ) -> [Self] {
    [.head(status: status, type: type, length: body.count), .send(body)]
  }

  /// Redirects the client.
  public static func redirect(to location: String, status: Int = 302) -> [Self] {
    [.head(status: status, length: 0, fields: [("Location", location)])]
  }

  /// A correct answer that stops after `count` bytes of the body until the gate is open.
  public static func held(_ body: [UInt8], after count: Int, by gate: ServerGate) -> [Self] {
    [
      .head(length: body.count), .send(Array(body.prefix(count))), .wait(gate),
      .send(Array(body.dropFirst(count))),
    ]
  }
}
