import Foundation
import HarkCrypto
import HarkSession
import Testing

@testable import HarkWeb

/// The server, asked by what is no browser.
@Suite struct ServerTests {
  let page: CapturePage
  let port: UInt16
  let path: String

  init() throws { try self.init(waitLimit: .seconds(30)) }

  init(waitLimit: Duration, introduction: Duration = .seconds(5)) throws {
    let knowledge = Knowledge(keys: KeyRing([]), framings: .known)
    page = try CapturePage(name: "test", filter: nil, knowledge)
    let server = try WebServer(page, port: 0, waitLimit: waitLimit, introduction: introduction)
    let address = try #require(URLComponents(string: server.address))
    #expect(address.host == "127.0.0.1")
    port = try UInt16(#require(address.port))
    path = address.path
  }

  /// A request as a browser of this machine makes it.
  func request(_ name: String, _ fields: String = "", method: String = "GET") -> String {
    "\(method) \(path)\(name) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\(fields)\r\n"
  }

  func ask(_ text: String) -> Client.Answer? {
    let client = Client(port)
    client.send(text)
    return client.answer()
  }

  @Test func answers() throws {
    let client = Client(port)
    for name in ["", "app.js", "status"] {
      client.send(request(name))
      let answer = try #require(client.answer())
      #expect(answer.status == 200)
      #expect(answer.fields["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
      #expect(answer.fields["cache-control"] == "no-store")
      if name == "app.js" { #expect(answer.body == PageFiles.all[name]?.text) }
    }
    client.send(request("status", "Connection: close\r\n"))
    #expect(try #require(client.answer()).fields["connection"] == "close")
    #expect(client.end() == (true, 0))
  }

  /// RFC 3986, 2.1; the application/x-www-form-urlencoded serializing of the URL Standard, 5.2.
  @Test(arguments: [
    ("lane%20==%20link", true), ("lane+%3D%3D+link", true), ("lane%3D%3Dlink", true),
    ("text%20contains%20%22%2B%22", true), ("lane%2B==%20link", false),
    ("lan%20==%20link", false),
  ])
  func filtersAreDecoded(_ filter: String, _ isFilter: Bool) throws {
    let body = try #require(ask(request("rows?filter=" + filter))).body
    #expect(body.contains("\"rows\":") == isFilter, "\(body)")
    #expect(body.contains("\"error\":") != isFilter, "\(body)")
  }

  /// RFC 9112, 9.6: who has closed its half of the connection still reads the answer.
  @Test func answersWhoAsksNothingMore() throws {
    let client = Client(port)
    client.send(request("app.js") + request("status"))
    client.endSending()
    #expect(try #require(client.answer()).body == PageFiles.all["app.js"]?.text)
    #expect(try #require(client.answer()).status == 200)
    #expect(client.end() == (true, 0))
    // Who asks for nothing at all is not waited for, and a status without an end is for who listens.
    for text in ["", "GET /", request("live")] {
      let client = Client(port)
      client.send(text)
      client.endSending()
      #expect(client.end().isEnded, "\(text)")
    }
  }

  /// Who asks, and how: RFC 9110, 7.4 (Host), Fetch (Origin, Sec-Fetch-Site).
  @Test func refuses() {
    let head = "GET \(path)status HTTP/1.1\r\n"
    let host = "Host: 127.0.0.1:\(port)\r\n"
    let asked: [(text: String, status: Int)] = [
      (head + "Host: localhost:\(port)\r\n\r\n", 200),
      (head + "\r\n", 421), (head + "Host: evil.example\r\n\r\n", 421),
      (head + host + host + "\r\n", 421),
      (head + host + "Origin: http://127.0.0.1:\(port)\r\n\r\n", 200),
      (head + host + "Origin: http://evil.example\r\n\r\n", 403),
      (head + host + "Origin: http://127.0.0.1:\(port)\r\nOrigin: null\r\n\r\n", 403),
      (head + host + "Sec-Fetch-Site: cross-site\r\n\r\n", 403),
      ("GET /status HTTP/1.1\r\n\(host)\r\n", 404),
      ("GET /\(String(repeating: "0", count: 32))/status HTTP/1.1\r\n\(host)\r\n", 404),
      ("GET * HTTP/1.1\r\n\(host)\r\n", 404), ("OPTIONS * HTTP/1.1\r\n\(host)\r\n", 405),
      (request("status", method: "POST"), 405), (request("status", method: "HEAD"), 405),
      ("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n\(host)\r\n", 405),
    ]
    for (text, status) in asked { #expect(ask(text)?.status == status, "\(text)") }
  }

  /// Keys come with a POST of the page itself, and with no other. No answer repeats one.
  @Test func pastedKeys() throws {
    let host = "Host: 127.0.0.1:\(port)\r\n"
    let origin = "Origin: http://127.0.0.1:\(port)\r\n"
    let key = "Hark-Key: \(String(repeating: "01", count: 32))\r\n"
    let target = "POST \(path)keys?kind=accessory&suite=p256 HTTP/1.1\r\n"
    let wrong: [(text: String, status: Int)] = [
      (target + host + key, 403), (target + host + "Origin: http://evil.example\r\n" + key, 403),
      (target + host + origin + "Sec-Fetch-Site: cross-site\r\n" + key, 403),
      (target + host + origin, 400), (target + host + origin + "Hark-Key: 0101\r\n", 400),
      ("POST \(path)keys HTTP/1.1\r\n" + host + origin + key, 400),
      ("POST \(path)status HTTP/1.1\r\n" + host + origin + key, 405),
      ("GET \(path)keys HTTP/1.1\r\n" + host + key, 404),
      ("POST /\(String(repeating: "0", count: 32))/keys HTTP/1.1\r\n" + host + origin + key, 404),
    ]
    for (text, status) in wrong {
      let answer = ask(text + "\r\n")
      #expect(answer?.status == status, "\(text): \(answer?.body ?? "")")
      #expect(answer?.body.contains("0101") == false)
    }
    #expect(!page.hasPasted)
    let answer = try #require(ask(target + host + origin + key + "\r\n"))
    #expect(answer.status == 200 && answer.body.contains("accessory"), "\(answer.body)")
    #expect(!answer.body.contains("0101"))
    let keys = page.takePasted()
    #expect(keys.map(\.kind) == [.accessory] && page.takePasted().isEmpty)
    #expect(keys.first.map { answer.body.contains("\($0.fingerprint)") } == true)
  }

  /// What is no HTTP/1.1 (RFC 9112, 3 to 5), or longer than any browser's.
  @Test func refusesWhatIsNoRequest() {
    let start = "GET \(path)status HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
    let long = String(repeating: "x", count: 17_000)
    let asked: [(text: String, status: Int)] = [
      ("nothing\r\n\r\n", 400), ("GET /\r\n\r\n", 400), ("\u{16}\u{03}\u{01}\u{02}", 400),
      ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400), ("GET / HTTP/3.0\r\n\r\n", 400),
      (start + "Cookie : a\r\n\r\n", 400), (start + "no colon\r\n\r\n", 400),
      (start + "Content-Length: -1\r\n\r\n", 400),
      (start + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
      (start + "X: \(long)\r\n\r\n", 431), ("GET /\(long) HTTP/1.1\r\n\r\n", 431),
      (start + "\(long): x\r\n\r\n", 431),
      (start + String(repeating: "X: y\r\n", count: 200) + "\r\n", 431),
      (start + String(repeating: "X: \(long.prefix(900))\r\n", count: 20) + "\r\n", 431),
      (start + "X: \(long.prefix(15_000))\r\n\r\n", 200),
    ]
    for (text, status) in asked {
      let client = Client(port)
      client.send(text)
      #expect(client.answer()?.status == status, "\(text.prefix(100))")
    }
  }

  /// Nothing is read behind a request that says that something follows, so that it cannot be a request.
  @Test(arguments: [
    "Content-Length: 60\r\n", "Transfer-Encoding: chunked\r\n",
    "Connection: Upgrade\r\nUpgrade: websocket\r\n",
  ])
  func takesNoBody(_ fields: String) throws {
    let client = Client(port)
    client.send(request("status", fields) + request("status") + request("app.js"))
    let answer = try #require(client.answer())
    #expect(answer.status == 200)
    #expect(answer.fields["connection"] == "close")
    #expect(client.end() == (true, 0))
  }

  /// RFC 9112, 9.3.2.
  @Test func answersInOrder() throws {
    let client = Client(port)
    let names = ["style.css", "nothing", "app.js", "status", "util.js"]
    client.send(names.map { request($0) }.joined())
    for name in names {
      let answer = try #require(client.answer())
      #expect(answer.status == (name == "nothing" ? 404 : 200))
      if let file = PageFiles.all[name] { #expect(answer.body == file.text) }
    }
  }

  /// More connections than there is room for wait, and come in as others end.
  @Test func waitsForRoom() throws {
    // Long enough that no one is closed for not having shown the token in time.
    let server = try ServerTests(waitLimit: .seconds(300), introduction: .seconds(1_200))
    func connect() -> Client { Client(server.port, waitLimit: 60) }
    var inside = (0..<ConnectionLimiter.mostConnections).map { _ in connect() }
    for client in inside {
      client.send(server.request("live"))
      #expect(client.take(to: "\n\n") != nil)
    }
    // One more comes in: the server looked for it before the last one had shown the token.
    let outside = (0..<5).map { _ in connect() }
    for client in outside { client.send(server.request("status")) }
    outside[4].waitLimit = 1
    #expect(outside[4].answer() == nil)
    outside[4].waitLimit = 60
    // As many as came and wait: while others end, those that have not shown the token take no room.
    inside.removeFirst(outside.count)
    for client in outside { #expect(client.answer()?.status == 200) }
    // Those that are still inside are reported what changes.
    server.page.enter(.ended)
    for client in inside { #expect(client.take(to: "\"phase\":\"ended\"") != nil) }
  }

  /// Connections that say nothing, as any program of this machine can open them, keep no one out.
  @Test func strangersMakeRoom() throws {
    // Long enough that no one is closed for not having shown the token in time.
    let server = try ServerTests(waitLimit: .seconds(30), introduction: .seconds(1_200))
    let silent = (0..<110).map { _ in Client(server.port, waitLimit: 2) }
    let guesser = Client(server.port)
    guesser.send(
      "GET /\(String(repeating: "0", count: 32))/status HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    )
    #expect(guesser.answer()?.status == 404)
    let begun = ContinuousClock.now
    let client = Client(server.port)
    client.send(server.request("status"))
    #expect(client.answer()?.status == 200)
    #expect(ContinuousClock.now - begun < .seconds(10))
    // The oldest were closed; who has shown the token stays.
    #expect(silent[0].end() == (true, 0))
    let more = (0..<110).map { _ in Client(server.port) }
    client.send(server.request("status"))
    #expect(client.answer()?.status == 200)
    withExtendedLifetime(more) {}
  }

  /// Who does not show the token in time is closed, whatever else comes; who did may be silent for longer.
  @Test func strangersHaveToShowTheToken() async throws {
    // The sleep below ends when a thread is free: among all tests that can be much later.
    let server = try ServerTests(waitLimit: .seconds(1_200), introduction: .seconds(12))
    let (silent, guesser, known) = (Client(server.port), Client(server.port), Client(server.port))
    known.send(server.request("status"))
    #expect(known.answer()?.status == 200)
    let wrong = "GET /wrong/status HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
    guesser.send(wrong)
    #expect(guesser.answer()?.status == 404)
    try await Task.sleep(for: .seconds(14))
    #expect(silent.end() == (true, 0))
    #expect(guesser.end() == (true, 0))
    known.send(server.request("status"))
    #expect(known.answer()?.status == 200)
  }

  /// Silence, a request that comes byte by byte, and answers that no one reads: all end.
  @Test func isNotHeldUp() async throws {
    let server = try ServerTests(waitLimit: .seconds(3))
    let silent = Client(server.port)
    let idle = Client(server.port)
    idle.send(server.request("status"))
    #expect(idle.answer()?.status == 200)
    let slow = Client(server.port)
    var sent = 0
    for byte in server.request("status", "X: \(String(repeating: "x", count: 2_000))\r\n") {
      guard slow.send(String(byte)) else { break }
      sent += 1
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(sent < 1_000)
    #expect(silent.end() == (true, 0))
    #expect(idle.end() == (true, 0))
  }

  /// However much is asked for at once, one answer waits to be read.
  @Test func waitsForReaders() async throws {
    let server = try ServerTests(waitLimit: .milliseconds(400))
    let client = Client(server.port)
    let many = String(repeating: server.request("app.js"), count: 20)
    var count = 0
    // Takes what the system's own buffers hold.
    while count < 10_000, client.send(many, waits: false) { count += 1 }
    #expect(count < 10_000)
    for _ in 0..<200 where !client.isReset { try await Task.sleep(for: .milliseconds(50)) }
    #expect(client.isReset)
  }

  /// Blanks in front of a value, and what follows an upgrade, are not collected without bound.
  @Test(arguments: ["X:", "Connection: Upgrade\r\nUpgrade: x\r\n\r\n"])
  func collectsNothing(_ fields: String) throws {
    let client = Client(port, waitLimit: 5)
    client.send("GET \(path)live HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n" + fields)
    let blanks = String(repeating: " ", count: 65_536)
    var sent = 0
    while sent < 1_000, client.send(blanks, waits: false) {
      sent += 1
      usleep(2_000)
    }
    #expect(sent < 1_000)
  }

  /// Programs that are started later do not hold the port.
  @Test func socketsAreNotHandedOn() {
    let client = Client(port)
    client.send(request("status"))
    #expect(client.answer()?.status == 200)
    var found = 0
    for descriptor in Int32(3)..<1_024 {
      var address = sockaddr_in()
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isNamed = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getsockname(descriptor, $0, &size) == 0
        }
      }
      guard isNamed, address.sin_family == sa_family_t(AF_INET),
        UInt16(bigEndian: address.sin_port) == port
      else { continue }
      found += 1
      #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }
    #expect(found >= 2)
  }
}
