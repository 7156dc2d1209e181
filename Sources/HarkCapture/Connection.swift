import Glibc

/// Streams that others offer on this machine or another: `unix:PATH` and `tcp:HOST:PORT`.
public enum Connection: Sendable {
  case unix(path: String)
  case tcp(host: String, port: String)

  /// What `text` names; nil where it has neither prefix or is not complete.
  public init?(_ text: String) {
    if text.hasPrefix("unix:") {
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

  /// Connects, and returns the socket.
  public func open(name: String) throws(CaptureError) -> Int32 {
    switch self {
    case .unix(let path): try Self.open(path, name)
    case .tcp(let host, let port): try Self.open(host, port, name)
    }
  }

  private static func open(_ path: String, _ name: String) throws(CaptureError) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    guard path.utf8.count < capacity else {
      throw CaptureError(name, errno: ENAMETOOLONG, "cannot connect")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let socket = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0 else { throw CaptureError(name, errno: errno, "cannot connect") }
    let code = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe connect(socket, bytes, count: socklen_t(bytes.count))
    }
    guard code == 0 else {
      close(socket)
      throw CaptureError(name, errno: code, "cannot connect")
    }
    return socket
  }

  private static func open(
    _ host: String, _ port: String, _ name: String
  ) throws(CaptureError) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
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
      let socket = unsafe socket(
        entry.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), entry.ai_protocol)
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
    let code = unsafe Glibc.connect(
      socket, start.assumingMemoryBound(to: sockaddr.self), count)
    return code == 0 ? 0 : errno
  }
}
