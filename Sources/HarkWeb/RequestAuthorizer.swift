import NIOHTTP1

/// Accepts only requests that contain the token and come from the page itself, and passes them on.
struct RequestAuthorizer: Sendable {
  let page: CapturePage
  private let token: String
  /// The names under which browsers may reach this server.
  private let hosts: [String]

  init(page: CapturePage, token: String, port: Int) {
    (self.page, self.token) = (page, token)
    hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
  }

  /// Only the page's own scripts, styles, pictures and connections; no other page may show it in a frame.
  static let policy = """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
    """

  enum Reply {
    case answer(PageAnswer)
    /// The status whenever it changes.
    case stream
  }

  /// Whether a request contains the token and is not refused.
  func isMeant(by request: HTTPRequestHead) -> Bool {
    refusal(request) == nil && isToken(Self.path(request))
  }

  private static func path(_ request: HTTPRequestHead) -> [Substring] {
    request.uri.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
  }

  private func isToken(_ path: [Substring]) -> Bool {
    path.count == 3 && path[0].isEmpty && isToken(path[1])
  }

  func reply(to request: HTTPRequestHead) -> Reply {
    if let refusal = refusal(request) { return .answer(refusal) }
    let target = request.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = Self.path(request)
    guard isToken(path) else {
      return .answer(.refusal(.notFound, "this is not the address that hark printed"))
    }
    let name = String(path[2])
    if request.method == .GET, name == "live" { return .stream }
    if request.method == .GET, let file = PageFiles.all[name.isEmpty ? "index.html" : name] {
      return .answer(PageAnswer(Array(file.text.utf8), type: file.type))
    }
    let asked = PageRequest(path: name, query: target.count == 2 ? target[1] : "")
    if request.method == .POST { return .answer(PastedKeys.answer(request, asked, page)) }
    return .answer(PageAnswers(page: page).answer(asked))
  }

  /// Why a request is refused, regardless of its content. A page elsewhere can make a browser send requests
  /// here, under a name that it makes point to this machine, but it cannot change these headers.
  private func refusal(_ request: HTTPRequestHead) -> PageAnswer? {
    let isPaste = request.method == .POST && Self.path(request).last == Substring(PastedKeys.path)
    guard request.method == .GET || isPaste else {
      return .refusal(.methodNotAllowed, "only GET is allowed")
    }
    let names = request.headers["host"]
    guard names.count == 1, let name = names.first, hosts.contains(name) else {
      return .refusal(.misdirectedRequest, "wrong host name")
    }
    guard request.headers["origin"].allSatisfy({ $0 == "http://" + name }) else {
      return .refusal(.forbidden, "requests from other pages are not allowed")
    }
    // Browsers name the origin of a POST.
    guard !isPaste || request.headers["origin"].count == 1 else {
      return .refusal(.forbidden, "only the page may send keys")
    }
    // Following a link to the page is harmless: only its user sees the answer.
    let isVisit = request.headers["sec-fetch-mode"] == ["navigate"]
    let sites = request.headers["sec-fetch-site"]
    guard isVisit || sites.allSatisfy({ $0 == "same-origin" || $0 == "none" }) else {
      return .refusal(.forbidden, "requests from other pages are not allowed")
    }
    return nil
  }

  /// In constant time: it does not depend on how many characters are right.
  private func isToken(_ text: Substring) -> Bool {
    guard text.utf8.count == token.utf8.count else { return false }
    var difference: UInt8 = 0
    for (a, b) in zip(text.utf8, token.utf8) { difference |= a ^ b }
    return difference == 0
  }
}
