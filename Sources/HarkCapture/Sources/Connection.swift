import HarkPlatform

/// Streams that others offer on this machine or another, `unix:PATH` and `tcp:HOST:PORT`, and the
/// place where they come to, `unix-listen:PATH`.
public enum Connection: Sendable {
  case unix(path: String)
  case tcp(host: String, port: String)
  /// A socket that is made, as `btmon --server` makes one, for who has something to send.
  case listening(path: String)

  /// What `text` names; nil if it has no such prefix or is not complete.
  public init?(_ text: String) {
    if text.hasPrefix("unix-listen:") {
      let path = String(text.dropFirst(12))
      guard !path.isEmpty else { return nil }
      self = .listening(path: path)
    } else if text.hasPrefix("unix:") {
      let path = String(text.dropFirst(5))
      guard !path.isEmpty else { return nil }
      self = .unix(path: path)
    } else if text.hasPrefix("tcp:"), let colon = text.lastIndex(of: ":") {
      // An IPv6 address may stand in brackets.
      let start = text.index(text.startIndex, offsetBy: 4)
      guard colon >= start else { return nil }
      var host = text[start..<colon]
      let port = text[text.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
      guard !host.isEmpty, let number = UInt16(port), number > 0 else { return nil }
      self = .tcp(host: String(host), port: String(number))
    } else {
      return nil
    }
  }

  /// Whether `text` begins as one does, complete or not.
  public static func isMeant(_ text: String) -> Bool {
    ["unix:", "tcp:", "unix-listen:"].contains { text.hasPrefix($0) }
  }

  /// Connects, or waits for somebody who does, and returns the socket.
  /// - Parameter waitPolicy: What ends that wait.
  public func open(
    name: String, waitPolicy: ReadWaitPolicy? = nil
  ) throws(CaptureError) -> Int32 {
    switch self {
    case .unix(let path): try UnixSocket(path, name).connect()
    case .tcp(let host, let port): try Self.open(host, port, name)
    case .listening(let path): try UnixSocket(path, name).accept(waitPolicy)
    }
  }

  private static func open(
    _ host: String, _ port: String, _ name: String
  ) throws(CaptureError) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Platform.streamType
    unsafe hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = unsafe getaddrinfo(host, port, &hints, &list)
    guard failure == 0 else {
      let text = unsafe gai_strerror(failure).map { unsafe String(cString: $0) }
      throw CaptureError(name, "cannot find \(host): \(text ?? "error \(failure)")")
    }
    defer { unsafe freeaddrinfo(list) }
    var code = EADDRNOTAVAIL
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      let socket = unsafe Platform.streamSocket(entry.ai_family, protocol: entry.ai_protocol)
      code = errno
      if socket >= 0 {
        code = unsafe connect(
          socket, UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen)),
          count: entry.ai_addrlen)
        if code == 0 { return socket }
        close(socket)
      }
      unsafe next = entry.ai_next
    }
    throw CaptureError(name, errno: code, "cannot connect")
  }

  /// 0, or the `errno` value.
  private static func connect(
    _ socket: Int32, _ address: UnsafeRawBufferPointer, count: socklen_t
  ) -> Int32 {
    guard let start = address.baseAddress else { return EINVAL }
    let code = unsafe HarkPlatform.connect(
      socket, start.assumingMemoryBound(to: sockaddr.self), count)
    return code == 0 ? 0 : errno
  }
}
