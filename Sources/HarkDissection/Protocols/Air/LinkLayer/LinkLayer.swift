import HarkCore

/// The Link Layer of Bluetooth LE: packets from their Access Address to their CRC.
/// Core Specification, Vol 6, Part B, 2.
enum LinkLayer: MessageDissector {
  static let name: StaticString = "LE LL"
  static let path: StaticString = "ll"
  static let specification: StaticString = "Core Specification, Vol 6, Part B, 2"
  static let places: [AttachmentPoint] = [.record(.leLinkLayer)]

  /// 2.1.2
  static let advertisingAddress = UInt64(LLAccessAddress.advertising)

  static let codings: [UInt64: StaticString] = [0: "S=8", 1: "S=2"]
  static let checks: [UInt64: StaticString] = [1: "right", 2: "wrong"]

  struct Fields: Sendable {
    let accessAddress = Field(
      "Access Address", .hex, special: [advertisingAddress: "advertising"], structural: true)
    let coding = Field("Coding Indicator", names: codings)
    let advertising = LinkLayerAdvertising()
    let data = LinkLayerData()
    let length = Field("Length")
    let payload = Field("Payload, not read: the CRC is wrong", .bytes, personal: .misheard)
    let doubtful = Field("Payload, not read: it may be noise", .bytes, personal: .misheard)
    let unfollowed = Field("Payload of no connection that is known", .group, personal: .misheard)
    let crc = Field("CRC", .hex, structural: false, role: .crc)
    let check = Field("CRC check", names: checks, role: .crcCheck)
  }
  static let fields = Fields()

  /// Of PDUs that are not of advertising, the message says nothing.
  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout LLAdvertisingPDU
  ) throws(Malformed) {
    let address = try pdu.u32(fields.accessAddress)
    if pdu.context.linkLayer.isCoded {
      let indicator = try pdu.word(1, of: fields.coding)
      pdu.part(fields.coding, indicator & 3, of: 1)
    }
    classify(UInt64(address), &pdu.context.linkLayer)
    let context = pdu.context.linkLayer
    let size = context.size(of: pdu.bytes, at: pdu.position)
    let range = pdu.position..<pdu.position + size
    let check = context.check(pdu.bytes, range)
    let isAdvertising = context.isAdvertising
    let header =
      isAdvertising
      ? try fields.advertising.header(&pdu) : try fields.data.header(&pdu)
    var length = Int(try pdu.u8(fields.length))
    pdu.context.linkLayer.hasCTEInfo = size > 2 + length
    length = size - 2
    // Of what the recorder cut, what is there is read.
    if pdu.context.isTruncated { length = min(length, pdu.remaining) }
    try pdu.inside(length, by: fields.length) { pdu throws(Malformed) in
      if check == .wrong {
        pdu.rest(fields.payload)
      } else if context.isDoubtful {
        pdu.rest(fields.doubtful)
      } else if isAdvertising {
        try fields.advertising.payload(header, &pdu, &message)
      } else if context.isUnfollowed, pdu.remaining > 0 {
        pdu.note(.info, "a connection whose start was not captured, or noise", over: 0)
        try pdu.within(pdu.remaining, fields.unfollowed) { pdu throws(Malformed) in
          try fields.data.payload(header, &pdu)
        }
      } else {
        try fields.data.payload(header, &pdu)
      }
    }
    try crc(check, context, range, &pdu)
  }

  /// What the Access Address says about a packet's channel, if nothing else does.
  private static func classify(_ address: UInt64, _ context: inout LinkLayerContext) {
    guard context.channel == .unknown else { return }
    if address != advertisingAddress {
      context.channel = .data
    } else if context.isOffPrimary {
      context.channel = .secondary
    }
  }

  /// Three octets, of which the first bit sent is that of x^23. 3.1.1
  private static func crc<Out>(
    _ check: LinkLayerContext.Check, _ context: LinkLayerContext, _ range: Range<Int>,
    _ pdu: inout PDU<Out>
  ) throws(Malformed) {
    guard pdu.remaining >= 3 else { return }
    let sent = UInt32(pdu.peek()) | UInt32(pdu.peek(1)) << 8 | UInt32(pdu.peek(2)) << 16
    try pdu.bytes(3, fields.crc, as: UInt64(LinkLayerCRC.reversed(sent)))
    guard Out.wantsFields else { return }
    switch check {
    case .wrong: pdu.note(.warning, "the CRC is wrong", over: 3, clause: "3.1.1")
    case .right where context.crc == .wrong:
      pdu.note(
        .warning, "the sniffer reports a wrong CRC, but it is correct", over: 3, clause: "3.1.1")
    case .right where context.crcInit != nil && context.usesAdvertisingCRC(pdu.bytes, range, sent):
      pdu.note(
        .warning, "begins with the CRCInit of advertising, not with that of the connection",
        over: 3,
        clause: "3.1.1")
    case .unknown where sent == 0:
      pdu.note(.info, "was probably not recorded", over: 3, clause: "3.1.1")
    default: break
    }
    if check != .unknown { pdu.inferred(fields.check, UInt64(check.rawValue)) }
  }
}

extension LinkLayerContext {
  /// Whether the PDU has the header of an advertising physical channel PDU. 2.3
  var isAdvertising: Bool {
    switch channel {
    case .unknown, .secondary, .periodic: true
    case .data, .connected, .broadcast: false
    }
  }
}
