import HarkCore
import HarkDissection

// Channels of a PSM that the device handed out, of which no service record is in the capture: what they
// carry is told by the shape of their messages, or stays unknown.
extension TrafficFollower {
  /// The Apple Accessory Protocol.
  static let aapEntry = Catalog.shared.entries.first { $0.path.description == "aap" }

  private static let obexConnect: UInt8 = 0x80
  /// IrOBEX 1.5, 3.4.1: the Connect request's fields; then headers, of which Target takes 19 octets.
  private static let obexConnectCount = 7
  /// Packets of so many octets everybody takes. 3.4.1.3
  private static let obexSmallest = 255
  private static let target: UInt8 = 0x46

  /// Looks at an SDU of a channel of which nothing says what it carries.
  mutating func identify(
    _ bytes: RawSpan, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    guard !moment.isUndirected else { return }
    if let entry = obexEntry(bytes, moment, tables) {
      return identified(id, as: entry, moment, &tables)
    }
    var suspect = tables.channelStates[index].aapSuspect ?? AAPSuspect()
    let verdict = suspect.take(bytes, moment)
    if suspect.isKey { tables.concealPDU(moment) }
    tables.channelStates[index].aapSuspect = suspect
    switch verdict {
    case .undecided: return
    case .other:
      tables.channelStates[index].isUnidentified = false
      tables.channelStates[index].aapSuspect = nil
    case .recognized:
      guard let entry = Self.aapEntry else { return }
      identified(id, as: entry, moment, &tables)
      // The last one is read in its place.
      for frame in suspect.frames.dropLast() { aap.retell(frame, on: id, moment, &tables) }
    }
    tables.channelStates[index].aapSuspect = nil
  }

  private mutating func identified(
    _ id: ChannelID, as entry: Entry, _ moment: PacketContext, _ tables: inout Tables
  ) {
    let index = Int(id.index)
    tables.channelStates[index].isUnidentified = false
    tables.channels[index].entry = entry
    let stream = Int(tables.channels[index].stream.index)
    tables.streams[stream].name = entry === Self.aapEntry ? Self.aapName : entry.name.description
    tables.streams[stream].isInferred = true
    tables.emit(
      .channel(
        .recognized(
          .init(channel: tables.channels[index], protocolName: entry.name.description))), moment,
      severity: .warning)
  }

  /// What its class is called in service records.
  static let aapName: String =
    aapEntry?.places.compactMap { place -> String? in
      if case .service(let uuid) = place { AssignedNumbers.name(of: uuid) } else { nil }
    }.first ?? "AAP"

  /// The protocol of OBEX whose Connect request the bytes are, whole: its length, a version of 1.x, no
  /// flags, and the smallest packet that may be asked for. IrOBEX 1.5, 3.4.1. The Target header says
  /// which profile it is. PBAP 1.2.3, 6.4; MAP 1.4.2, 6.4
  private func obexEntry(_ bytes: RawSpan, _ moment: PacketContext, _ tables: borrowing Tables)
    -> Entry?
  {
    let count = bytes.byteCount
    guard count >= Self.obexConnectCount, bytes.byte(at: 0) == Self.obexConnect,
      Int(bytes.byte(at: 1)) << 8 | Int(bytes.byte(at: 2)) == count + moment.cut,
      0x10...0x1F ~= bytes.byte(at: 3), bytes.byte(at: 4) & 0xFE == 0,
      Int(bytes.byte(at: 5)) << 8 | Int(bytes.byte(at: 6)) >= Self.obexSmallest
    else { return nil }
    var profile: UInt16 = 0x1105
    if count >= 26, bytes.byte(at: 7) == Self.target, bytes.byte(at: 9) == 19,
      let uuid = BluetoothUUID(bigEndian: bytes.extracting(10..<26))
    {
      switch uuid {
      case BluetoothUUID(high: 0x7961_35F0_F0C5_11D8, low: 0x0966_0800_200C_9A66): profile = 0x112F
      case BluetoothUUID(high: 0xBB58_2B40_420C_11DB, low: 0xB0DE_0800_200C_9A66): profile = 0x1132
      case BluetoothUUID(high: 0xBB58_2B41_420C_11DB, low: 0xB0DE_0800_200C_9A66): profile = 0x1133
      default: break
      }
    }
    return tables.catalog.entry(at: .service(BluetoothUUID(profile)))
  }
}

extension Tables {
  func isAAP(_ id: ChannelID) -> Bool {
    channels[Int(id.index)].entry.map { $0 === TrafficFollower.aapEntry } ?? false
  }

  /// Gives the open channels of a link the services that SDP told of after they were opened.
  mutating func nameChannels(of owner: Session.DatabaseKey, _ link: LinkID) {
    for id in links[link].openChannels(channels) {
      let channel = channels[Int(id.index)]
      let client: Direction = channel.isPeerRequest ? .controllerToHost : .hostToController
      guard !channel.isInferred, channel.limits == nil, AttachmentPoint.isDynamic(psm: channel.psm),
        channel.entry == nil, database(link, clientDirection: client) == owner,
        let record = services.find(psm: channel.psm, of: owner)
      else { continue }
      channels[Int(id.index)].entry = entry(of: record)
      streams[Int(channel.stream.index)].name = record.classes.first.flatMap {
        AssignedNumbers.name(of: $0)
      }
      if channels[Int(id.index)].entry != nil {
        channelStates[Int(id.index)].isUnidentified = false
        channelStates[Int(id.index)].aapSuspect = nil
      }
    }
  }

  /// The protocol of a service that is reached by a PSM.
  func entry(of record: ServiceRecord) -> Entry? {
    for uuid in record.classes {
      if let entry = catalog.entry(at: .service(uuid)) { return entry }
    }
    return nil
  }
}

extension Session {
  /// The name of its streams.
  public static var accessoryProtocolName: String { TrafficFollower.aapName }
}

extension AAPFollower {
  /// Reads a frame that came before its protocol was known.
  mutating func retell(
    _ frame: AAPSuspect.Frame, on id: ChannelID, _ moment: PacketContext, _ tables: inout Tables
  ) {
    tables.record.isRetelling = true
    defer { tables.record.isRetelling = false }
    var past = PacketContext(
      packet: frame.packet, time: tables.packets[frame.packet]?.time ?? moment.time,
      direction: frame.direction, controller: moment.controller, cut: 0)
    past.link = moment.link
    take(frame.bytes.raw, on: id, past, &tables)
  }
}
