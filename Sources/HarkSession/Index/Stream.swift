import HarkCore
import HarkDissection

/// One stream of data between two devices, on any layer.
public struct Stream: Sendable {
  public enum Kind: Equatable, Sendable {
    /// A dynamic L2CAP channel.
    case channel(psm: UInt16)
    /// One direction of an L2CAP channel that was open before the capture began: only its CID is known.
    case unknownChannel(cid: UInt16)
    /// An RFCOMM data link connection, by the server channel it leads to.
    case dataLink(serverChannel: UInt8)
    /// A session of Apple's External Accessory framework in iAP2, by its identifier.
    case externalAccessory(session: UInt16)
    /// A connection over the local network, by the port of its server.
    case tcp(port: UInt16)
    /// The data of a USB interface for accessories, by the number of the interface, from 0.
    case usbAccessory(number: UInt16)
    /// The values of an attribute whose layout cuts them into messages.
    case attribute(handle: UInt16)
    /// The data of a synchronous link: `.sco`, `.esco`, or `.unknown` if its beginning is not in the capture.
    case synchronous(Link.Transport)
    /// The data of a CIS or BIS.
    case isochronous

    /// The lane of the timeline that shows its messages.
    var lane: Event.Lane {
      switch self {
      case .channel, .unknownChannel: .l2cap
      case .dataLink: .rfcomm
      case .externalAccessory, .usbAccessory: .iap2
      case .tcp: .link
      case .attribute: .gatt
      case .synchronous, .isochronous: .audio
      }
    }

    var isDataLink: Bool { if case .dataLink = self { true } else { false } }
  }

  public let id: StreamID
  public internal(set) var kind: Kind
  public let link: LinkID
  /// The stream that carries it.
  public let parent: StreamID?
  public let opened: PacketID
  public internal(set) var closed: PacketID?
  /// Its purpose, if that was reported.
  public internal(set) var name: String?
  /// Whether the purpose follows only from its data.
  public internal(set) var isInferred = false
  /// Of an RFCOMM data link: whether it leads to a service of the recorded host.
  public internal(set) var isOfLocalService = false
  /// By direction.
  public var bytes: [Int] { [byteCounts[0], byteCounts[1]] }
  public var packets: [Int] { [packetCounts[0], packetCounts[1]] }
  // In place: an array would check for each packet whether it is shared.
  var byteCounts: InlineArray<2, Int> = [0, 0]
  var packetCounts: InlineArray<2, Int> = [0, 0]
  /// How many frames were retransmitted.
  public internal(set) var repeatedFrames = 0
  /// Of a synchronous link: what the controller did not receive correctly.
  public internal(set) var losses = Losses()

  /// Packets of synchronous data by their Packet_Status_Flag. Core Specification, Vol 4, Part E, 5.4.3
  public struct Losses: Equatable, Sendable {
    /// Possibly invalid.
    public internal(set) var doubtful = 0
    public internal(set) var notReceived = 0
    public internal(set) var partlyLost = 0

    public var count: Int { doubtful + notReceived + partlyLost }

    mutating func add(_ status: HCISynchronousStatus) {
      switch status {
      case .correct: break
      case .doubtful: doubtful += 1
      case .notReceived: notReceived += 1
      case .partlyLost: partlyLost += 1
      }
    }
  }
}

/// A piece of the stream that is followed. See `Session.followed`.
public struct StreamPiece: Sendable {
  public let packet: PacketID
  public let time: Timestamp
  public let direction: Direction
  public let bytes: [UInt8]
}

extension Tables {
  mutating func openStream(
    _ kind: Stream.Kind, _ link: LinkID, parent: StreamID? = nil, name: String? = nil,
    isInferred: Bool = false, _ moment: PacketContext
  ) -> StreamID {
    let id = StreamID(streams.count)
    streams.append(
      Stream(
        id: id, kind: kind, link: link, parent: parent, opened: moment.packet, name: name,
        isInferred: isInferred))
    return id
  }

  private static let mostUnknownStreams = 256

  /// Data of a CID that no request in the capture opened, and whose content is not recognized.
  mutating func streamedUnknown(
    _ bytes: RawSpan, _ cid: UInt16, _ link: LinkID, _ moment: PacketContext
  ) {
    let at = LinkCID(link, cid, moment.direction)
    if let known = unknownStreams[at] { return streamed(bytes, known, moment) }
    guard unknownStreams.count < Self.mostUnknownStreams else { return }
    let id = openStream(.unknownChannel(cid: cid), link, isInferred: true, moment)
    unknownStreams[at] = id
    streamed(bytes, id, moment)
  }

  /// The stream of a channel that is recognized by its frames: the one that has counted them, if there is one.
  mutating func recognizedStream(
    _ psm: UInt16, at: LinkCID, _ moment: PacketContext
  ) -> StreamID {
    guard let id = unknownStreams.removeValue(forKey: at) else {
      return openStream(.channel(psm: psm), at.link, isInferred: true, moment)
    }
    streams[Int(id.index)].kind = .channel(psm: psm)
    return id
  }

  /// Data of a stream, in the direction of the packet that is being read.
  /// - Parameter packet: Its packet, if that is an earlier one.
  mutating func streamed(
    _ bytes: RawSpan, _ id: StreamID, from packet: PacketID? = nil, _ moment: PacketContext
  ) {
    // Data that is read again, now that its protocol is known, has already been counted.
    guard !record.isRereading else { return }
    streams[Int(id.index)].byteCounts[moment.side] += bytes.byteCount
    streams[Int(id.index)].packetCounts[moment.side] += 1
    guard wanted.stream == id else { return }
    record.pieces.append(
      StreamPiece(
        packet: packet ?? moment.packet,
        time: packet.flatMap { packets[$0]?.time } ?? moment.time, direction: moment.direction,
        bytes: bytes.array))
  }
}

/// Follows the data in streams, on any layer.
struct StreamFollower {
  var handsFree = HandsFreeFollower()
  var iap2 = IAP2Follower()
  var messages = MessageFollower()

  /// The CID is free again, or, if `key` is nil, its link is closed.
  mutating func closeUnknown(
    _ link: LinkID, _ key: UInt32?, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower
  ) {
    for (at, id) in tables.unknownStreams where at.isOn(link, key) {
      tables.unknownStreams[at] = nil
      close(id, moment, &tables, &accessory)
    }
  }

  mutating func close(
    _ id: StreamID, _ moment: PacketContext, _ tables: inout Tables,
    _ accessory: inout AccessoryFollower
  ) {
    iap2.closeSessions(on: id, moment, &tables, &accessory, &messages)
    accessory.end(id, moment, &tables)
    iap2.end(id, moment, &tables)
    messages.close(of: id, moment, &tables)
  }

  /// The capture ends: reports unfinished messages of streams.
  mutating func finish(
    _ moment: PacketContext, _ tables: inout Tables, _ accessory: inout AccessoryFollower
  ) {
    iap2.flush(on: nil, moment, &tables, &accessory, &messages)
    for stream in iap2.streams { iap2.end(stream, moment, &tables) }
    messages.finish(moment, &tables)
  }
}
