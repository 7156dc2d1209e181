import HarkPlatform
import NIOCore
import NIOHTTP1
import NIOPosix

/// Lets connections in, as many as there is room for: more of them wait until others end. One that has not
/// shown the token makes room for the next: any program of this machine can open them.
final class ConnectionLimiter: ChannelDuplexHandler {
  typealias InboundIn = any Channel
  typealias InboundOut = any Channel
  typealias OutboundIn = Never

  /// Browsers open six connections.
  static let mostConnections = 48
  /// In addition, connections that have not shown the token.
  static let mostStrangers = 48

  /// Browsers never need more.
  private static let longestHead = 16_384
  private static let mostFields = 100

  private let page: CapturePage
  private let token: String
  private let waitLimit: TimeAmount
  private let introduction: TimeAmount
  private var open = 0
  /// The connections that have not shown the token, oldest first.
  private var strangers: [any Channel] = []
  /// Whether a connection may be waiting to be accepted.
  private var isShut = false

  init(
    _ page: CapturePage, token: String, waitLimit: TimeAmount, introduction: TimeAmount
  ) {
    (self.page, self.token) = (page, token)
    (self.waitLimit, self.introduction) = (waitLimit, introduction)
  }

  func handlerAdded(context: ChannelHandlerContext) { Self.keepFromPrograms(context.channel) }

  func read(context: ChannelHandlerContext) {
    isShut = open - strangers.count >= Self.mostConnections
    if !isShut { context.read() }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let channel = unwrapInboundIn(data)
    Self.keepFromPrograms(channel)
    let gate = RequestAuthorizer(
      page: page, token: token, port: context.channel.localAddress?.port ?? 0)
    let connection = PageConnection(
      gate, waitLimit: waitLimit, introduction: introduction, on: context.eventLoop)
    connection.whenKnown = { self.strangers.removeAll { $0 === channel } }
    if strangers.count >= Self.mostStrangers { strangers.removeFirst().close(promise: nil) }
    open += 1
    strangers.append(channel)
    channel.closeFuture.assumeIsolated().whenComplete { _ in
      self.strangers.removeAll { $0 === channel }
      connection.work.assumeIsolated().whenComplete { _ in
        self.open -= 1
        if self.isShut { self.read(context: context) }
      }
    }
    do {
      try Self.prepare(channel, connection)
      context.fireChannelRead(data)
    } catch {
      channel.close(promise: nil)
    }
  }

  private static func prepare(_ channel: any Channel, _ connection: PageConnection) throws {
    var limits = NIOHTTPDecoderLimitConfiguration()
    limits.maxHeaderFieldSize = longestHead
    limits.maxHeaderListSize = longestHead
    limits.maxHeaderFieldCount = mostFields
    let decoder = HTTPRequestDecoder(limitConfiguration: limits)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(HTTPResponseEncoder())
    // The decoder stores blanks around values, but does not count them.
    try pipeline.addHandler(ByteToMessageHandler(decoder, maximumBufferSize: 2 * longestHead))
    try pipeline.addHandler(HTTPServerPipelineHandler())
    try pipeline.addHandler(NIOHTTPResponseHeadersValidator())
    try pipeline.addHandler(connection)
  }

  /// This process starts the recorder and the browser, which must not inherit its sockets.
  private static func keepFromPrograms(_ channel: any Channel) {
    _ = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { _ = fcntl($0, F_SETFD, FD_CLOEXEC) }
  }
}
