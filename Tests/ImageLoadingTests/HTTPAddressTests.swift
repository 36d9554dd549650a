import HTTP
import Testing

/// Typed addresses: their problems, and the removal of passwords.
@Suite struct HTTPAddressTests {
  @Test(arguments: [
    ("http://me:hunter2@tide.example/a?b#c", "http://tide.example/a?b#c", "me", "hunter2"),
    ("HTTPS://me:hunter2@tide.example:8443", "HTTPS://tide.example:8443", "me", "hunter2"),
    ("http://me@tide.example/", "http://tide.example/", "me", ""),
    ("http://:hunter2@tide.example/", "http://tide.example/", "", "hunter2"),
    ("http://m%40e:h%75nter%3a2@tide.example/", "http://tide.example/", "m@e", "hunter:2"),
    ("http://me:a@b@tide.example/", "http://tide.example/", "me", "a@b"),
    ("http://me:a:b@[::1]:80/x@y", "http://[::1]:80/x@y", "me", "a:b"),
    (" http://me:50%@tide.example/\n", "http://tide.example/", "me", "50%"),
  ])
  func loginsAreRemoved(text: String, url: String, name: String, password: String) {
    let address = HTTPAddress(text)
    #expect(address.url == url && address.problem == nil)
    #expect(address.login?.name == name && address.login?.password == password)
    #expect(address.login?.origin == URLReference(url).origin)
  }

  @Test(arguments: [
    "http://tide.example/@me", "http://tide.example/a:b@c", "http://tide.example:80/x@y",
    "http://[::1]/me:pw@x", "http://tide.example/?q=me:pw@x", "http://@tide.example/",
  ])
  func otherAtSignsAreKept(text: String) {
    #expect(HTTPAddress(text).login == nil)
    #expect(HTTPAddress(text).problem == nil)
  }

  @Test(arguments: ["http://::", "https://:::443", "http://:80:80/", "http://:/"])
  func colonsAloneAreNoHost(text: String) {
    #expect(HTTPAddress(text).problem == "not a URL: it has no host")
  }

  /// The rest after removing one name and password may look like another.
  @Test(arguments: [
    "https://u:p@w@h:x/@", "http:x@//u:hunter2@h/", "http:a@http:b@c", "//a:b@c:d/e:f@g",
    "http://a@b:x@c:y/@d:z/@e",
  ])
  func theRestHoldsNoLogin(text: String) {
    let (address, user) = URLReference.separatingUserInfo(text)
    #expect(user != nil)
    let again = URLReference.separatingUserInfo(address)
    #expect(again.user == nil && again.address == address)
    #expect(URLReference(URLReference(text).description) == URLReference(text))
  }

  /// A delimiter with a combining character on it, or behind one that absorbs it, is a delimiter.
  @Test(arguments: ["\u{301}", "\u{20E3}", "\u{200D}", "\u{FE0F}"])
  func accentedDelimitersDelimit(accent: String) {
    let (address, user) = URLReference.separatingUserInfo(
      "http:/\(accent)/me:hunter2@\(accent)tide.example")
    #expect(!address.contains("hunter2") || user == nil)
    let typed = HTTPAddress("http://me:hunter2@\(accent)tide.example/")
    #expect(!typed.url.contains("hunter2"))
    let reference = URLReference("http://127.0.0.1/\(accent)a?\(accent)b#\(accent)c")
    #expect(reference.host == "127.0.0.1" && reference.path == "/\(accent)a")
    #expect(reference.query == "\(accent)b" && reference.fragment == "\(accent)c")
    let prepended = URLReference("http://a.example\u{70F}/b\u{70F}?c\u{70F}#d")
    #expect(prepended.path == "/b\u{70F}" && prepended.query == "c\u{70F}")
    #expect(prepended.fragment == "d")
  }

  @Test(arguments: ["\u{1B}[31m", "\u{9B}31m", "\u{202E}", "1\u{7}", "１２"])
  func problemsContainNoControlCharacters(port: String) throws {
    let problem = try #require(HTTPAddress("http://tide.example:\(port)x/").problem)
    #expect(problem.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 32 })
  }

  /// In any spelling, and in every description.
  @Test(arguments: [
    "http://me:hunter2@tide.example/", "http:/me:hunter2@tide.example/",
    "http:me:hunter2@tide.example",
    "http://me:hunter2/x@tide.example/", "http://me:hunter2?x@tide.example/",
    "http://me:hunter2#x@tide.example/", "http://me:hunter2\\x@tide.example/",
    "http:\\\\me:hunter2@tide.example/", "ftp://me:hunter2@tide.example/", "http://me:hunter2@",
    "http://me:hunter2@tide.example:99999/", "http://me:hunter2@:80/", "//me:hunter2@tide.example/",
    "\thttp://me:hunter2@ti de.example/", "gopher:/me:hunter2@tide.example",
  ])
  func noDescriptionShowsAPassword(text: String) {
    let address = HTTPAddress(text)
    var shown: [String] = ["\(address)", address.url, address.problem ?? ""]
    shown.append(String(reflecting: address))
    var dumped = ""
    dump(address, to: &dumped)
    shown.append(dumped)
    if let login = address.login {
      shown += ["\(login)", String(reflecting: login)]
      dump(login, to: &dumped)
      shown.append(dumped)
    }
    let reference = URLReference(text)
    shown += ["\(reference)", "\(reference.normalized)", reference.host ?? ""]
    shown += ["\(reference.resolved(against: URLReference("http://a.example/")))"]
    shown += ["\(HTTPRequest(url: text))", "\(HTTPError.invalidURL(text))"]
    for text in shown { #expect(!text.contains("hunter2"), "\(text)") }
  }

  @Test(arguments: [
    ("http://", "not a URL: it has no host"), ("https:///feed", "not a URL: it has no host"),
    ("http://:80/", "not a URL: it has no host"), ("http://[]/", "not a URL: it has no host"),
    ("http:/tide.example", "not a URL: two slashes are missing after http:"),
    ("https:", "not a URL: two slashes are missing after https:"),
    ("http://tide.example:0/", "not a URL: “0” is not a port number from 1 to 65535"),
    (
      "http://tide.example:99999/",
      "not a URL: “99999” is not a port number from 1 to 65535"
    ),
    ("http://tide.example:+1/", "not a URL: “+1” is not a port number from 1 to 65535"),
    ("http://ti de.example/", "not a URL: a space or control character in its host"),
    ("http://tide\u{1B}[2J.example/", "not a URL: a space or control character in its host"),
    ("http://tide.example/\u{1B}[2J", "not a URL: it holds a control character"),
    ("ftp://tide.example/", "“ftp:” cannot be opened, only http: and https: can"),
    ("gopher://tide.example/", "“gopher:” cannot be opened, only http: and https: can"),
    (
      "http://me:a/b@tide.example/",
      "not a URL: “/”, “?”, “#” and “\\” in a password are written %2F, %3F, %23 and %5C"
    ),
  ])
  func problemsAreOneClause(text: String, problem: String) {
    #expect(HTTPAddress(text).problem == problem)
  }

  @Test(arguments: [
    "HTTP://TIDE.EXAMPLE", "http://tide.example:/", "http://tide.example:65535/", "http://[::1]/",
    "http://tide.example/a b", "http://tide.example/ü", "http://tïde.example/", "https://a",
  ])
  func othersAreValid(text: String) { #expect(HTTPAddress(text).problem == nil) }
}
