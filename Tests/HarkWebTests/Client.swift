import HarkPlatform

@testable import HarkWeb

/// What says anything to a server, whether a browser would or not.
final class Client {
  private let socket = HarkPlatform.socket(AF_INET, Platform.streamType, 0)
  /// What came behind what was last taken.
  private var pending: [UInt8] = []

  struct Answer {
    let status: Int
    /// By their names in lower case.
    let fields: [String: String]
    let body: String
  }

  /// How many seconds it waits for the server's answers.
  var waitLimit: Int { didSet { limitWaits() } }

  init(_ port: UInt16, waitLimit: Int = 20) {
    self.waitLimit = waitLimit
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    limitWaits()
  }

  private func limitWaits() {
    var limit = timeval(tv_sec: waitLimit, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  deinit { close(socket) }

  /// False if the server has ended the connection, or takes no more.
  @discardableResult
  func send(_ text: String, waits: Bool = true) -> Bool {
    let bytes = Array(text.utf8)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes {
        HarkPlatform.send(
          socket, $0.baseAddress, $0.count,
          Platform.sendWithoutSignal | (waits ? 0 : Int32(MSG_DONTWAIT)))
      }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Says that nothing more is asked.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  enum Reading { case more, end, silence }

  private func read() -> Reading {
    var room = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &room, room.count, 0)
    if count < 0, errno == EAGAIN { return .silence }
    guard count > 0 else { return .end }
    pending += room[..<count]
    return .more
  }

  /// What comes up to `mark`; nil if the server ends the connection, or is silent, before.
  func take(to mark: String) -> String? {
    let mark = Array(mark.utf8)
    while true {
      if pending.count >= mark.count {
        for start in 0...(pending.count - mark.count)
        where pending[start..<(start + mark.count)].elementsEqual(mark) {
          let text = String(decoding: pending[..<start], as: UTF8.self)
          pending.removeFirst(start + mark.count)
          return text
        }
      }
      guard read() == .more else { return nil }
    }
  }

  func answer() -> Answer? {
    guard let head = take(to: "\r\n\r\n") else { return nil }
    let lines = head.split(separator: "\r\n")
    let words = lines[0].split(separator: " ")
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
      return nil
    }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ": ", maxSplits: 1)
      fields[parts[0].lowercased()] = parts.count == 2 ? String(parts[1]) : ""
    }
    let size = fields["content-length"].flatMap { Int($0) } ?? 0
    while pending.count < size { guard read() == .more else { return nil } }
    let body = String(decoding: pending[..<size], as: UTF8.self)
    pending.removeFirst(size)
    return Answer(status: status, fields: fields, body: body)
  }

  /// Whether the server has reset the connection.
  var isReset: Bool {
    var watched = pollfd(fd: socket, events: 0, revents: 0)
    return poll(&watched, 1, 0) > 0
  }

  /// Whether the server ends the connection, and how much it still sends.
  func end() -> (isEnded: Bool, count: Int) {
    while true {
      switch read() {
      case .more: continue
      case .end: return (true, pending.count)
      case .silence: return (false, pending.count)
      }
    }
  }
}
