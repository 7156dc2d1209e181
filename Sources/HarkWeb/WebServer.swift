import HarkPlatform
import NIOCore
import NIOPosix

/// Serves the page of a capture to browsers on this machine.
public final class WebServer: Sendable {
  /// The address of the page: anyone who knows it can see the capture.
  public let address: String

  /// Listens on 127.0.0.1, and answers from now on, on separate threads.
  /// - Parameter port: 0 for any free port.
  /// - Throws: `WebError` if it cannot listen.
  public convenience init(_ page: CapturePage, port: UInt16) throws(WebError) {
    try self.init(page, port: port, waitLimit: .seconds(30), introduction: .seconds(5))
  }

  /// - Parameters:
  ///   - waitLimit: How long a browser may be idle, or take to read an answer.
  ///   - introduction: How long a connection may take to show the token.
  init(
    _ page: CapturePage, port: UInt16, waitLimit: Duration, introduction: Duration
  ) throws(WebError) {
    let token = Self.token()
    // One thread, because the limiter counts all connections.
    let listener = ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
      .serverChannelOption(.backlog, value: 64)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // Accept no more connections than there is room for.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      // Requests are short; if many arrive at once, most wait at their sender.
      .serverChannelOption(.socketOption(.so_rcvbuf), value: 1 << 16)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      // A client that has closed its side still waits for the answer.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      .childChannelOption(
        .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 1 << 12)
      )
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let door = ConnectionLimiter(
            page, token: token, waitLimit: TimeAmount(waitLimit),
            introduction: TimeAmount(introduction))
          try channel.pipeline.syncOperations.addHandler(door)
        }
      }
    do {
      let place = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
      let channel = try listener.bind(to: place).wait()
      address = "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/\(token)/"
    } catch {
      let reason = (error as? IOError).map { unsafe String(cString: strerror($0.errnoCode)) }
      throw WebError("cannot listen on port \(port): \(reason ?? "\(error)")")
    }
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
