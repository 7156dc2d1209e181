import Glibc
import HarkCore

/// One connection of a browser, on a thread of its own. HTTP/1.1, RFC 9112.
struct PageConnection: ~Copyable {
  private let socket: Int32
  private let gate: PageGate
  private var pending: [UInt8] = []

  /// A browser that is silent for so long is gone, in seconds.
  private static let patience = 30
  /// A request that takes longer to come is none, in seconds: others wait for its connection.
  private static let longestHead = 10
  /// Between two looks at whether something has changed, and two signs of life, in milliseconds.
  private static let pause: Int32 = 40
  private static let sign: Int32 = 10_000

  /// Takes a socket over, and closes it in the end.
  init(_ socket: Int32, _ gate: PageGate) {
    (self.socket, self.gate) = (socket, gate)
    var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    unsafe setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var isOn: Int32 = 1
    unsafe setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  /// Answers requests until the connection ends.
  mutating func run() {
    while let bytes = nextHead() {
      guard bytes.count <= RequestHead.longest else {
        _ = send(.refusal(.headersTooLarge, "the request is too long"), closes: true)
        return
      }
      guard let request = RequestHead(bytes) else {
        _ = send(.refusal(.badRequest, "this is no request"), closes: true)
        return
      }
      switch gate.reply(to: request) {
      case .stream: return stream()
      case .answer(let answer):
        let closes = request.hasBody || request.wantsClose
        guard send(answer, closes: closes), !closes else { return }
      }
    }
  }

  /// The lines in front of the next empty one; nil where nothing more comes.
  private mutating func nextHead() -> [UInt8]? {
    var looked = 0
    var begin: Int?
    while true {
      // An empty line, with or without carriage returns.
      while looked < pending.count {
        let isEnd =
          pending[looked] == 0x0A
          && (pending[..<looked].last == 0x0A || pending[..<looked].suffix(2) == [0x0A, 0x0D])
        looked += 1
        guard isEnd else { continue }
        let head = Array(pending[..<looked])
        pending.removeFirst(looked)
        return head
      }
      guard pending.count <= RequestHead.longest else { return pending }
      var room = [UInt8](repeating: 0, count: 4_096)
      let count = unsafe recv(socket, &room, room.count, 0)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      let now = unsafe time(nil)
      guard now - (begin ?? now) <= Self.longestHead else { return nil }
      begin = begin ?? now
      pending += room[..<count]
    }
  }

  private func send(_ answer: PageAnswer, closes: Bool) -> Bool {
    var head = Self.head(answer.status, answer.type)
    head.text("Content-Length: ")
    head.decimal(answer.body.count)
    head.text(closes ? "\r\nConnection: close\r\n\r\n" : "\r\n\r\n")
    return send(head.bytes + answer.body)
  }

  private static func head(_ status: PageAnswer.Status, _ type: String) -> TextBuffer {
    var head = TextBuffer()
    head.string("HTTP/1.1 \(status.rawValue)\r\nContent-Type: \(type)\r\n")
    head.string("Content-Security-Policy: \(PageGate.policy)\r\n")
    head.text("Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n")
    head.text("Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n")
    head.text("Cross-Origin-Resource-Policy: same-origin\r\n")
    return head
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { all in
        unsafe Glibc.send(
          socket, all.baseAddress.map { unsafe $0 + done }, all.count - done,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Sends the status whenever it changes, as server-sent events, until the browser goes away. HTML
  /// Living Standard, 9.2.
  private func stream() {
    var head = Self.head(.ok, "text/event-stream")
    head.text("Connection: close\r\n\r\n")
    guard send(head.bytes) else { return }
    var told: Int?
    var silence: Int32 = 0
    while true {
      let version = gate.page.version
      if version != told {
        told = version
        silence = 0
        let status = PageAnswers(page: gate.page).status()
        guard send(Array("data: ".utf8) + status + Array("\n\n".utf8)) else { return }
      } else if silence >= Self.sign {
        silence = 0
        guard send(Array(": still there\n\n".utf8)) else { return }
      }
      var watched = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      // It has nothing more to say: what can be read is the end.
      if unsafe poll(&watched, 1, Self.pause) > 0 { return }
      silence += Self.pause
    }
  }
}
