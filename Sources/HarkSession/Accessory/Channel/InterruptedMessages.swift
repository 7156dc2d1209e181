import HarkCore
import HarkCrypto

/// Messages that the end of their link or stream interrupted: a sender may continue them on the next one. Receivers lose
/// such messages, and hark has reported them.
struct InterruptedMessages: Sendable {
  private struct Place: Hashable {
    let channel: VendorChannel
    let direction: MessageDirection
  }

  private struct Begun {
    /// The first packet of the message.
    let packet: PacketID
    var isRestReported = false
  }

  private static let most = 64

  private var begun: [Place: Begun] = [:]

  /// - Returns: The gap to report: one for the whole rest of an interrupted message; nil for more of that rest.
  mutating func revise(_ gap: Gap, _ origin: MessageOrigin) -> Gap? {
    let place = Place(channel: origin.channel, direction: origin.direction)
    switch gap {
    case .moreWithoutLast(.linkClosed), .moreWithoutLast(.streamClosed),
      .startWithoutEnd(.linkClosed), .startWithoutEnd(.streamClosed):
      guard let packet = origin.frames.first, begun[place] != nil || begun.count < Self.most
      else { return gap }
      begun[place] = Begun(packet: packet)
      return gap
    case .continuationWithoutFirst, .endWithoutStart, .outsideMessage:
      guard let one = begun[place] else { return gap }
      if one.isRestReported { return nil }
      begun[place]?.isRestReported = true
      return .rest(of: one.packet)
    case .moreWithoutLast, .startWithoutEnd, .lostFragments, .tooLarge:
      begun[place] = nil
      return gap
    case .rest, .repeated, .begunAgain, .interleaved, .noAnswer: return gap
    }
  }

  /// A message came: what follows does not continue an earlier one.
  mutating func received(_ origin: MessageOrigin) {
    guard !begun.isEmpty else { return }
    begun[Place(channel: origin.channel, direction: origin.direction)] = nil
  }
}
