import Dispatch
import Glibc
import Synchronization

/// Serves the page of a capture to browsers on this machine.
public final class WebServer: Sendable {
  /// Where the page is: whoever knows it can see the capture.
  public let address: String

  /// A browser opens six; more than these have to wait for others to end.
  private static let mostConnections = 48

  /// Listens on 127.0.0.1 and answers from now on, on threads of its own.
  /// - Parameter port: 0 for one that is free.
  /// - Throws: `WebError` where it cannot listen.
  public init(_ page: CapturePage, port: UInt16) throws(WebError) {
    let (listener, port) = try Self.listen(port)
    let token = Self.token()
    address = "http://127.0.0.1:\(port)/\(token)/"
    let gate = PageGate(
      page: page, token: token, hosts: ["127.0.0.1:\(port)", "localhost:\(port)"])
    let connections = DispatchQueue(label: "connections", attributes: .concurrent)
    let room = DispatchSemaphore(value: Self.mostConnections)
    DispatchQueue(label: "listener").async {
      while true {
        room.wait()
        let socket = accept(listener, nil, nil)
        guard socket >= 0 else {
          room.signal()
          // Out of descriptors, for one: others will end.
          if errno != EINTR, errno != ECONNABORTED { usleep(100_000) }
          continue
        }
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        connections.async {
          var connection = PageConnection(socket, gate)
          connection.run()
          room.signal()
        }
      }
    }
  }

  private static func listen(_ port: UInt16) throws(WebError) -> (Int32, UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
    var isOn: Int32 = 1
    unsafe setsockopt(
      listener, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(listener, pointer, size) == 0 && Glibc.listen(listener, 64) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard isBound else {
      let reason = unsafe String(cString: strerror(errno))
      close(listener)
      throw WebError("cannot listen on port \(port): \(reason)")
    }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  /// 128 bits from the system's own source of randomness, as hexadecimal digits.
  private static func token() -> String {
    var source = SystemRandomNumberGenerator()
    return (0..<2).map { _ in
      let digits = String(source.next() as UInt64, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
