import HarkCore
import HarkDissection

/// The pending L2CAP signaling requests of a link. Core Specification, Vol 3, Part A, 4
struct SignalingRequests: Sendable {
  struct Request: Equatable, Sendable {
    let command: SignalingCommand
    let direction: Direction
    /// Whether the sender is known; otherwise `direction` is the likely one.
    let isDirected: Bool
    let packet: PacketID
    let time: Timestamp
    /// Whether a response announced a later one. 4.3
    var isPostponed = false
  }

  struct Answer: Sendable {
    let request: Request
    /// Whether the peer answers; nil if that is unknown.
    let byPeer: Bool?
  }

  /// By sender and identifier: each side numbers its own requests from 1 to 255 and uses each number for one pending
  /// request. A request with the same number as an earlier one ends that one, which remains unanswered.
  private var waiting: [UInt16: Request] = [:]

  private static func key(_ identifier: UInt8, from direction: Direction) -> UInt16 {
    UInt16(direction.rawValue) << 8 | UInt16(identifier)
  }

  mutating func sent(_ request: Request) {
    let identifier = request.command.identifier
    var key = Self.key(identifier, from: request.direction)
    if !request.isDirected, let other = waiting[key], other.command != request.command {
      // Both sides use the same number at the same time.
      let free = Self.key(identifier, from: request.direction.opposite)
      if waiting[free] == nil { key = free }
    }
    waiting[key] = request
  }

  /// A command that is not defined on its channel has the number `identifier`: what a Command Reject with that number
  /// answers is that command.
  mutating func replaced(_ identifier: UInt8, _ direction: Direction) {
    waiting[Self.key(identifier, from: direction)] = nil
  }

  /// Takes the request that `response` answers. If the sender of either is unknown, only the identifier decides.
  /// - Parameter direction: The direction of the response; the likely one if `isDirected` is false.
  mutating func answer(
    _ response: SignalingCommand, _ direction: Direction, isDirected: Bool
  ) -> Answer? {
    let first = Self.key(response.identifier, from: direction.opposite)
    let second = Self.key(response.identifier, from: direction)
    let expected = fitting(first, response)
    let other = fitting(second, response).flatMap { $0.isDirected && isDirected ? nil : $0 }
    guard let request = expected ?? other else { return nil }
    if !isDirected, let expected, let other, expected.command.code != other.command.code {
      // It is unknown which of the two it rejects.
      return nil
    }
    waiting[expected == nil ? second : first] = nil
    let byPeer: Bool? =
      if isDirected {
        direction.isFromPeer
      } else if request.isDirected, expected == nil || other == nil {
        request.direction == .hostToController
      } else {
        nil
      }
    return Answer(request: request, byPeer: byPeer)
  }

  /// Takes the Connection Request of a side whose response is not in the capture, if there is only one.
  mutating func takeConnection(from direction: Direction) -> Request? {
    let requests = waiting.filter {
      $0.value.direction == direction && $0.value.isDirected
        && $0.value.command.code == .connectionRequest
    }
    guard requests.count == 1, let (key, request) = requests.first else { return nil }
    waiting[key] = nil
    return request
  }

  /// How many requests of a side for channels with this PSM are older than `packet` and have no answer yet.
  func connections(to psm: UInt16, from direction: Direction, before packet: PacketID) -> Int {
    waiting.values.count {
      $0.direction == direction && $0.packet < packet && $0.command.psm == psm
        && $0.command.code == .connectionRequest
    }
  }

  /// A response announces another one.
  mutating func postpone(_ response: SignalingCommand, _ direction: Direction) {
    let key = Self.key(response.identifier, from: direction.opposite)
    if fitting(key, response) != nil { waiting[key]?.isPostponed = true }
  }

  /// The longest time that the specification gives a response: the RTX timer, and for connection parameters
  /// TGAP(conn_param_timeout). In nanoseconds. Vol 3, Part A, 6.2.1; Part C, Appendix A
  private static func timeout(_ code: SignalingCommand.Code?) -> Int64 {
    code == .connectionParameterUpdateRequest ? 30_000_000_000 : 60_000_000_000
  }

  /// The requests that have waited too long when the link ends, in order.
  /// - Parameter lost: For how long the peer may have been out of reach, in nanoseconds.
  func overdue(at time: Timestamp, lost: Int64) -> [Request] {
    waiting.values.filter {
      $0.isDirected && !$0.isPostponed
        && time.since($0.time) >= Self.timeout($0.command.code) + lost
    }
    .sorted { $0.packet < $1.packet }
  }

  var count: Int { waiting.count }

  /// The only request that a response may answer.
  func only(answeredBy code: SignalingCommand.Code?, _ identifier: UInt8) -> Request? {
    let requests = [Direction.hostToController, .controllerToHost].compactMap { direction in
      waiting[Self.key(identifier, from: direction)].flatMap {
        Self.answers(code, $0) ? $0 : nil
      }
    }
    return requests.count == 1 ? requests[0] : nil
  }

  private static func answers(_ code: SignalingCommand.Code?, _ request: Request) -> Bool {
    guard let code, let asked = request.command.code else { return false }
    return code.answers(asked)
  }

  private func fitting(_ key: UInt16, _ response: SignalingCommand) -> Request? {
    waiting[key].flatMap { Self.answers(response.code, $0) ? $0 : nil }
  }
}
