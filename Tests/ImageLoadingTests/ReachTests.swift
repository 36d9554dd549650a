import HTTP
import TestSupport
import Testing

@testable import HTTPTransport

/// How far requests may go, by the address that is connected to. `tide.example` is a name whose
/// lookup leads to this machine; requests through a proxy stand for the internet.
@Suite(.timeLimit(.minutes(10))) struct ReachTests {
  typealias Step = MisbehavingServer.Step
  private let server: MisbehavingServer

  init() throws { server = try MisbehavingServer() }

  private func transport(
    places: [String: String] = [:], proxy: Bool = false, logins: [HTTPLogin] = [],
    allowsPrivateAddresses: Bool = false
  ) -> CurlTransport {
    var settings = TransferSettings(userAgent: "tideline/test")
    let proxyURL = proxy ? server.url("") : ""
    settings.proxies = ProxySettings { $0 == "http_proxy" ? proxyURL : nil }
    settings.places = places.map { "\($0.key):\(server.port):\($0.value)" }
    // Even if the guard were broken, nothing would leave this machine.
    settings.isConnectionAllowed = { $0.kind == .loopback }
    return CurlTransport(
      settings, logins: logins, allowsPrivateAddresses: allowsPrivateAddresses)
  }

  private func answer(
    _ url: String, _ reach: RequestScope, by transport: CurlTransport
  ) async -> Result<HTTPResponse, HTTPError> {
    do throws(HTTPError) {
      return .success(try await transport.fetch(HTTPRequest(url: url, reach: reach)).0)
    } catch {
      return .failure(error)
    }
  }

  private func isOutOfReach(_ result: Result<HTTPResponse, HTTPError>) -> Bool {
    if case .failure(.outOfReach) = result { true } else { false }
  }

  @Test func theAddressOfTheConnectionCounts() async throws {
    server.route("/a", Step.response(body: [1]))
    let transport = transport(places: ["tide.example": "127.0.0.1", "six.example": "[::1]"])
    for (name, address) in [("tide.example", "127.0.0.1"), ("six.example", "::1")] {
      let url = "http://\(name):\(server.port)/a"
      #expect(
        await answer(url, .publicAddresses, by: transport)
          == .failure(.outOfReach(host: name, try #require(IPAddress(address)))))
    }
    #expect(server.seen.connections == 0)
    let open = await answer(
      "http://tide.example:\(server.port)/a", .privateAddresses, by: transport)
    #expect(try open.get().reach == .privateAddresses)
    #expect(server.seen.paths == ["/a"])
    server.stop()
  }

  /// Of several addresses, those within reach are tried.
  @Test func theReachableAddressIsChosen() async throws {
    server.route("/a", Step.response(body: [1]))
    let transport = transport(places: ["tide.example": "\(dotted(169, 254, 7, 7)),127.0.0.1"])
    let result = await answer(
      "http://tide.example:\(server.port)/a", .privateAddresses, by: transport)
    #expect(try result.get().status == 200)
    server.stop()
  }

  @Test(arguments: [
    "127.0.0.1", "127.1", "0x7f.1", "0177.0.0.1", "2130706433", "0", "0.0.0.0", "localhost",
    "LocalHost",
    "x.localhost", "localhost.", "127.0.0.1.", "[::1]", "[::]", "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "%31%32%37.0.0.1", "１２７.0.0.1",
    "ｌocalhost", "127。0。0。1", dotted(10, 0, 0, 1), dotted(192, 168, 1, 1),
    "172.16.0.1", "100.64.0.1", "[fd00::1]", dotted(169, 254, 169, 254), "[fe80::1%25lo]",
    "224.0.0.1", "255.255.255.255",
  ])
  func privateSpellingsAreNotSentToAProxy(host: String) async throws {
    for transport in [transport(), transport(proxy: true)] {
      let result = await answer("http://\(host):\(server.port)/", .publicAddresses, by: transport)
      #expect(isOutOfReach(result), "\(result)")
    }
    #expect(server.seen.connections == 0)
    server.stop()
  }

  @Test(arguments: [
    dotted(169, 254, 169, 254), "[fe80::1]", "[::ffff:\(dotted(169, 254, 1, 1))]", "239.1.1.1",
  ])
  func filesMayNotNameTheSameLink(host: String) async throws {
    let transport = transport(places: ["wire.example": dotted(169, 254, 169, 254)])
    for host in [host, "wire.example"] {
      let result = await answer("http://\(host):\(server.port)/", .privateAddresses, by: transport)
      #expect(isOutOfReach(result), "\(result)")
    }
    server.stop()
  }

  @Test func redirectsHaveTheRespondersReach() async throws {
    let here = server.url("")
    server.route("/here", Step.redirect(to: "/there"))
    server.route("/there", Step.response(body: [1]))
    server.route("/out", Step.redirect(to: "http://tide.invalid/in"))
    server.route("http://tide.invalid/in", Step.redirect(to: "\(here)/there"))
    server.route("http://tide.invalid/on", Step.redirect(to: "http://other.invalid/end"))
    server.route(
      "http://tide.invalid/name", Step.redirect(to: "http://localhost:\(server.port)/there"))
    server.route("http://tide.invalid/link", Step.redirect(to: "http://\(dotted(169, 254, 1, 1))/"))
    server.route("http://other.invalid/end", Step.response(body: [2]))
    let transport = transport(proxy: true)
    // The user's own address on this machine may lead to others there, but not to the same link.
    let own = try await answer(here + "/here", .everywhere, by: transport).get()
    #expect(own.url == here + "/there" && own.reach == .privateAddresses)
    let other = try await answer("http://tide.invalid/on", .everywhere, by: transport).get()
    #expect(other.url == "http://other.invalid/end" && other.reach == .publicAddresses)
    let before = server.seen.paths.count { $0 == "/there" }
    for url in [
      "http://tide.invalid/in", "http://tide.invalid/name", "http://tide.invalid/link",
      here + "/out",
    ] {
      let result = await answer(url, .everywhere, by: transport)
      #expect(isOutOfReach(result), "\(url): \(result)")
    }
    #expect(server.seen.paths.count { $0 == "/there" } == before)
    let free = self.transport(proxy: true, allowsPrivateAddresses: true)
    let there = try await answer(here + "/out", .publicAddresses, by: free).get()
    #expect(there.url == here + "/there" && there.reach == .everywhere)
    server.stop()
  }

  @Test func connectionsAreNotSharedBetweenReaches() async throws {
    let server = try MisbehavingServer(keepsConnections: true)
    server.route("/a", [.head(length: 1, closes: false), .send([1])])
    var settings = TransferSettings(userAgent: "tideline/test")
    settings.proxies = ProxySettings { _ in nil }
    settings.places = ["tide.example:\(server.port):127.0.0.1"]
    settings.isConnectionAllowed = { $0.kind == .loopback }
    let transport = CurlTransport(settings)
    let url = "http://tide.example:\(server.port)/a"
    for reach in [RequestScope.everywhere, .everywhere, .privateAddresses, .privateAddresses] {
      #expect(try await answer(url, reach, by: transport).get().status == 200)
    }
    // One for each reach, used again.
    #expect(server.seen.connections == 2)
    #expect(isOutOfReach(await answer(url, .publicAddresses, by: transport)))
    #expect(server.seen.connections == 2 && server.seen.paths.count == 4)
    server.stop()
  }

  // MARK: Filter

  private func filter(
    _ host: String, _ reach: RequestScope, proxy: String? = nil
  ) throws(HTTPError) -> ConnectionFilter {
    var settings = TransferSettings(userAgent: "tideline/test")
    settings.proxies = ProxySettings { $0 == "http_proxy" ? proxy : nil }
    settings.isConnectionAllowed = { $0.kind != .local }
    return try ConnectionFilter(scheme: "http", host: host, reach: reach, settings: settings)
  }

  @Test func addressesAreRefusedBeyondTheReach() throws {
    var filter = try filter("tide.example", .privateAddresses)
    let near = try #require(IPAddress("127.0.0.1"))
    let local = try #require(IPAddress(dotted(10, 0, 0, 1)))
    let link = try #require(IPAddress(dotted(169, 254, 0, 1)))
    // The settings refuse an address within reach; that is no address out of reach.
    let first = (filter.allows(near), filter.allows(local), filter.outOfReach)
    #expect(first == (true, false, nil))
    let second = (filter.allows(link), filter.outOfReach)
    #expect(second == (false, link))
    #expect(throws: HTTPError.outOfReach(host: dotted(169, 254, 0, 1), link)) {
      try self.filter(dotted(169, 254, 0, 1), .privateAddresses, proxy: "p:1")
    }
  }

  @Test func responsesHaveTheReachOfTheirServer() throws {
    let open = try filter("tide.example", .everywhere)
    #expect(open.proxy == nil)
    #expect(open.responseReach(server: dotted(10, 0, 0, 1)) == .privateAddresses)
    #expect(open.responseReach(server: dotted(169, 254, 0, 1)) == .everywhere)
    #expect(open.responseReach(server: dotted(93, 184, 216, 34)) == .publicAddresses)
    #expect(open.responseReach(server: nil) == .publicAddresses)
    let narrow = try filter("tide.example", .publicAddresses)
    #expect(narrow.responseReach(server: dotted(10, 0, 0, 1)) == .publicAddresses)
    // The proxy's own address says nothing about the server.
    let far = try filter("tide.example", .everywhere, proxy: "p:1")
    #expect(far.proxy == "p:1")
    #expect(far.responseReach(server: "127.0.0.1") == .publicAddresses)
    let named = try filter(dotted(10, 0, 0, 1), .everywhere, proxy: "p:1")
    #expect(named.responseReach(server: nil) == .privateAddresses)
  }

  // MARK: Proxies

  @Test func environmentSetsProxies() {
    func proxy(
      _ scheme: String = "http", _ host: String = "tide.example", in environment: [String: String]
    ) -> String? {
      ProxySettings { environment[$0] }.proxy(scheme: scheme, host: host)
    }
    #expect(proxy(in: [:]) == nil)
    #expect(
      proxy(in: ["http_proxy": "p:1"]) == "p:1" && proxy("https", in: ["http_proxy": "p:1"]) == nil)
    #expect(proxy(in: ["HTTP_PROXY": "p:1"]) == nil)
    #expect(proxy("https", in: ["HTTPS_PROXY": "p:1"]) == "p:1")
    #expect(proxy("https", in: ["https_proxy": "p:1", "HTTPS_PROXY": "q:1"]) == "p:1")
    #expect(
      proxy(in: ["ALL_PROXY": "p:1"]) == "p:1" && proxy("https", in: ["all_proxy": "p:1"]) == "p:1")
    #expect(proxy(in: ["all_proxy": "p:1", "http_proxy": "q:1"]) == "q:1")
    for host in ["localhost", "127.0.0.1", "127.9.9.9", "[::1]", "a.localhost", "2130706433"] {
      #expect(proxy("http", host, in: ["all_proxy": "p:1"]) == nil, "\(host)")
    }
    for list in [
      "*", "tide.example", ".tide.example", "example", "other, TIDE.example.", "a b\ttide.example",
    ] {
      #expect(proxy(in: ["all_proxy": "p:1", "no_proxy": list]) == nil, "\(list)")
      #expect(proxy(in: ["all_proxy": "p:1", "NO_PROXY": list]) == nil, "\(list)")
    }
    for list in ["ide.example", "www.tide.example", "", ".", "11.0.0.0/8"] {
      #expect(proxy(in: ["all_proxy": "p:1", "no_proxy": list]) == "p:1", "\(list)")
    }
    for list in ["11.0.0.0/8", "11.1.2.3", "11.1.2.0/23", "0.0.0.0/0", "a,11.1.2.3/32"] {
      #expect(
        proxy("http", "11.1.2.3", in: ["all_proxy": "p:1", "no_proxy": list]) == nil, "\(list)")
    }
    for list in ["11.0.0.0/33", "11.0.0.0/-1", "11.0.0.0/x", "12.0.0.0/8", "2.3", "::/0"] {
      #expect(
        proxy("http", "11.1.2.3", in: ["all_proxy": "p:1", "no_proxy": list]) == "p:1", "\(list)")
    }
    #expect(
      proxy("http", "[fd00::1]", in: ["all_proxy": "p:1", "no_proxy": "[fd00::]/8"]) == nil)
    #expect(proxy("http", "[fd00::1]", in: ["all_proxy": "p:1", "no_proxy": "fd00::/8"]) == nil)
  }

  // MARK: Names and passwords

  @Test func aLoginStaysAtItsOrigin() async throws {
    let other = try MisbehavingServer()
    server.route("/a", Step.redirect(to: "/b"))
    server.route("/b", Step.redirect(to: other.url("/c")))
    other.route("/c", Step.response(body: [1]))
    let login = try #require(HTTPAddress("http://me:hunter2@127.0.0.1:\(server.port)/").login)
    let transport = transport(logins: [login])
    let response = try await answer(
      "http://you:other@127.0.0.1:\(server.port)/a", .everywhere, by: transport
    ).get()
    #expect(response.url == other.url("/c"))
    // "me:hunter2"
    #expect(
      server.seen.heads.allSatisfy { $0.contains("Authorization: Basic bWU6aHVudGVyMg==\r\n") })
    #expect(server.seen.paths == ["/a", "/b"])
    #expect(try !other.seen.heads.at(0).lowercased().contains("authorization"))
    #expect(
      !(server.seen.heads + other.seen.heads).contains { $0.lowercased().contains("referer") })
    other.stop()
    server.stop()
  }
}
