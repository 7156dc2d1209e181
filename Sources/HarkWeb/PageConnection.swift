import Dispatch
import NIOCore
import NIOHTTP1

/// One connection of a browser: takes one request after the other, and sends what the gate answers.
final class PageConnection: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case waiting
    /// A request is being processed, or its answer sent.
    case answering
    /// The status is sent whenever it changes, without an end.
    case streaming
    /// No more answers: input is dropped until the browser has read everything.
    case closing
  }

  /// The time between two checks for changes, and between two keep-alives.
  private static let pause = TimeAmount.milliseconds(40)
  private static let sign = TimeAmount.seconds(10)

  /// Ends when the requested data is found, even if the client no longer waits for it.
  private(set) var work: EventLoopFuture<Void>

  private let gate: RequestAuthorizer
  /// The queue that computes answers, some of which take long; separate, so that others need not wait.
  private let answerQueue = DispatchQueue(label: "answers")
  private let waitLimit: TimeAmount
  /// The time limit for showing the token.
  private let introduction: TimeAmount
  /// Called once the connection has shown the token.
  var whenKnown: (() -> Void)?
  private var isKnown = false
  private var state = State.waiting
  private var limit: Scheduled<Void>?
  /// Whether the client sends no more requests.
  private var isLast = false

  /// - Parameters:
  ///   - waitLimit: The time limit for receiving a complete request, counted from the previous answer, and for
  ///     the client to read an answer.
  ///   - introduction: The time limit until a request shows the token.
  init(
    _ gate: RequestAuthorizer, waitLimit: TimeAmount, introduction: TimeAmount,
    on loop: any EventLoop
  ) {
    (self.gate, self.waitLimit, self.introduction) = (gate, waitLimit, introduction)
    work = loop.makeSucceededVoidFuture()
  }

  func channelActive(context: ChannelHandlerContext) {
    expectProgress(context)
    context.eventLoop.assumeIsolated().scheduleTask(in: introduction) {
      if !self.isKnown { context.close(promise: nil) }
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    limit?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Bodies are not read.
    guard case .head(let request) = unwrapInboundIn(data), state == .waiting else { return }
    state = .answering
    limit?.cancel()
    if !isKnown, gate.isMeant(by: request) {
      isKnown = true
      whenKnown?()
      whenKnown = nil
    }
    let closes = !request.isKeepAlive || request.method != .GET || Self.isFollowed(request)
    find(context) { [gate] in
      gate.reply(to: request)
    } then: { reply in
      switch reply {
      case .answer(let answer): self.send(answer, closes: closes, context)
      case .stream where self.isLast: context.close(promise: nil)
      case .stream: self.stream(request.version, context)
      }
    }
  }

  /// A browser that has gone looks like one that only sends no more requests: hark still
  /// answers earlier requests, but not forever.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard let event = event as? ChannelEvent, event == .inputClosed else {
      return context.fireUserInboundEventTriggered(event)
    }
    isLast = true
    if state != .answering { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError else {
      if state != .closing { context.close(promise: nil) }
      return
    }
    // Of a body, which ends the connection anyway.
    guard state == .waiting else { return }
    state = .answering
    let refusal: PageAnswer =
      switch error {
      case .headerOverflow: .refusal(.requestHeaderFieldsTooLarge, "the request is too long")
      default: .refusal(.badRequest, "not a valid request")
      }
    send(refusal, closes: true, context)
  }

  /// Whether unread input follows the head: a body, another protocol.
  private static func isFollowed(_ request: HTTPRequestHead) -> Bool {
    ["content-length", "transfer-encoding", "upgrade"].contains {
      request.headers.contains(name: $0)
    }
  }

  /// Ends the connection unless this is called again, or cancelled, in time.
  private func expectProgress(_ context: ChannelHandlerContext) {
    limit?.cancel()
    limit = context.eventLoop.assumeIsolated().scheduleTask(in: waitLimit) {
      context.close(promise: nil)
    }
  }

  /// Computes an answer on another thread.
  private func find<Found: Sendable>(
    _ context: ChannelHandlerContext, _ body: @escaping @Sendable () -> Found,
    then: @escaping (Found) -> Void
  ) {
    let promise = context.eventLoop.makePromise(of: Found.self)
    work = promise.futureResult.map { _ in }
    answerQueue.async { promise.succeed(body()) }
    promise.futureResult.assumeIsolated().whenSuccess { found in
      if context.channel.isActive { then(found) }
    }
  }

  private func send(_ answer: PageAnswer, closes: Bool, _ context: ChannelHandlerContext) {
    var head = Self.head(answer.status, answer.type)
    head.headers.add(name: "Content-Length", value: "\(answer.body.count)")
    if closes { head.headers.add(name: "Connection", value: "close") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    send(answer.body, context) {
      self.expectProgress(context)
      let isLast = self.isLast
      let closes = closes || isLast
      self.state = closes ? .closing : .waiting
      // Accepts the next request, which may have been waiting, now that this answer is sent.
      context.writeAndFlush(self.wrapOutboundOut(.end(nil)), promise: nil)
      if isLast {
        context.close(promise: nil)
      } else if closes {
        context.close(mode: .output, promise: nil)
      }
    }
  }

  /// Sends a part of a body, and continues once it is sent.
  private func send(
    _ bytes: [UInt8], _ context: ChannelHandlerContext, then: @escaping () -> Void
  ) {
    expectProgress(context)
    let sent = context.eventLoop.makePromise(of: Void.self)
    context.writeAndFlush(
      wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: sent)
    sent.futureResult.assumeIsolated().whenSuccess {
      self.limit?.cancel()
      then()
    }
  }

  private static func head(
    _ status: HTTPResponseStatus, _ type: String, _ version: HTTPVersion = .http1_1
  ) -> HTTPResponseHead {
    HTTPResponseHead(
      version: version, status: status,
      headers: [
        "Content-Type": type, "Content-Security-Policy": RequestAuthorizer.policy,
        "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "no-referrer", "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
      ])
  }

  // MARK: Live

  /// Sends the status whenever it changes, as server-sent events, until the browser disconnects. HTML
  /// Living Standard, 9.2.
  private func stream(_ version: HTTPVersion, _ context: ChannelHandlerContext) {
    state = .streaming
    context.write(
      wrapOutboundOut(.head(Self.head(.ok, "text/event-stream", version))), promise: nil)
    look(since: nil, reported: .now(), context)
  }

  /// Checks whether anything has changed since a version of the page; the next check waits until the
  /// result of this one has been sent.
  private func look(
    since reported: Int?, reported time: NIODeadline, _ context: ChannelHandlerContext
  ) {
    find(context) { [page = gate.page] in
      let version = page.version
      return (version, version == reported ? nil : PageAnswers(page: page).status())
    } then: { version, status in
      let now = NIODeadline.now()
      if let status {
        self.send(Array("data: ".utf8) + status + Array("\n\n".utf8), context) {
          self.rest(since: version, reported: now, context)
        }
      } else if now - time >= Self.sign {
        self.send(Array(": still there\n\n".utf8), context) {
          self.rest(since: version, reported: now, context)
        }
      } else {
        self.rest(since: version, reported: time, context)
      }
    }
  }

  private func rest(
    since version: Int, reported time: NIODeadline, _ context: ChannelHandlerContext
  ) {
    context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
      if context.channel.isActive { self.look(since: version, reported: time, context) }
    }
  }
}
