import HarkCore

/// RFCOMM 1.2 with TS 07.10 (3GPP TS 27.010).
enum RFCOMM: MessageDissector {
  static let name: StaticString = "RFCOMM"
  static let path: StaticString = "rfcomm"
  static let specification: StaticString = "RFCOMM 1.2; 3GPP TS 27.010 (TS 07.10)"
  static let places: [AttachmentPoint] = [.psm(0x0003)]

  // RFCOMM 4.2, TS 27.010 5.2.1.3; the P/F bit is 0.
  static let frames: [UInt64: StaticString] = [
    0x2F: "SABM", 0x63: "UA", 0x0F: "DM", 0x43: "DISC", 0xEF: "UIH",
  ]

  struct Fields: Sendable {
    let ea = Field("EA")
    let cr = Field("C/R")
    let dlci = Field("DLCI", inLine: true)
    let serverChannel = Field("Server Channel")
    let frame = Field("Frame Type", .hex, names: frames, title: true)
    let pf = Field("P/F")
    let length = Field("Length")
    let credits = Field("Credits", inLine: true)
    let information = Field("Information", .bytes, inLine: true, personal: .opaque)
    // Of the header, of which all stays. TS 27.010, 5.2.1.6
    let fcs = Field("FCS", .hex, structural: true)
    let multiplexer = RFCOMMMultiplexer()
    let secret = Secret()

    /// In place of the field of the same name, where a key may be in it.
    struct Secret: Sendable {
      let information = Field("Information", .bytes, inLine: true, secret: true, personal: .opaque)
    }
  }
  static let fields = Fields()

  static func read(
    _ pdu: inout PDU<some Sink>, _ message: inout RFCOMMFrame
  ) throws(Malformed) {
    let start = pdu.position
    let address = try pdu.word(1, of: fields.dlci)
    let dlci = address >> 2
    message.dlci = UInt8(truncatingIfNeeded: dlci)
    pdu.part(fields.ea, address & 1, of: 1)
    pdu.part(fields.cr, address >> 1 & 1, of: 1)
    message.cr = address >> 1 & 1 == 1
    pdu.part(fields.dlci, dlci, of: 1)
    if dlci > 0 { pdu.part(fields.serverChannel, dlci >> 1, of: 1) }
    let control = try pdu.word(1, of: fields.frame)
    let frame = control & 0xEF
    pdu.part(fields.frame, frame, of: 1)
    pdu.part(fields.pf, control >> 4 & 1, of: 1)
    message.type = RFCOMMFrame.FrameType(rawValue: UInt8(truncatingIfNeeded: frame))
    pdu.facts.code = UInt16(truncatingIfNeeded: frame)
    let header = pdu.position
    let length = try length(fields.length, &pdu)
    // Of UIH frames the FCS covers the address and control fields only. TS 27.010 5.2.1.6
    let covered = start..<(message.type == .uih ? header : pdu.position)
    if message.type == .uih, control & 0x10 != 0, dlci > 0 {
      // RFCOMM 6.5.2
      message.credits = try pdu.u8(fields.credits)
    }
    // Of a record that was cut by its recorder, what is there is read.
    let there = pdu.context.isTruncated ? min(length, pdu.remaining) : length
    message.missing = length - there
    try pdu.inside(there, by: fields.length) { pdu throws(Malformed) in
      let (position, count) = (pdu.position, pdu.remaining)
      message.information = position..<(position + count)
      let isSecret = pdu.context.isSecret
      if dlci == 0, message.type == .uih {
        try fields.multiplexer.read(&pdu, &message.command)
      } else if message.type == .uih {
        pdu.handToInner(orElse: information(isSecret))
      } else {
        pdu.rest(information(isSecret))
      }
      pdu.facts.payloadOffset = UInt32(truncatingIfNeeded: position)
      pdu.facts.payloadCount = UInt32(truncatingIfNeeded: count)
    }
    if pdu.context.isTruncated, pdu.remaining == 0 { return }
    let fcs = try pdu.u8(fields.fcs)
    if fcs != checkSequence(pdu.bytes, covered) {
      message.hasBadFCS = true
      pdu.note(.error, "does not fit the header", over: 1, clause: "TS 27.010, 5.2.1.6")
    }
  }

  private static func information(_ isSecret: Bool) -> Field {
    isSecret ? fields.secret.information : fields.information
  }

  /// 7 bits in one octet, or 15 in two. TS 27.010 5.2.1.5
  static func length(
    _ field: @autoclosure () -> Field, _ pdu: inout PDU<some Sink>
  ) throws(Malformed) -> Int {
    let size = pdu.peek() & 1 == 1 ? 1 : 2
    let word = try pdu.word(size, of: field())
    pdu.part(field(), word >> 1, of: size)
    return Int(truncatingIfNeeded: word >> 1)
  }

  /// The reversed CRC of x^8 + x^2 + x + 1. TS 27.010, Annex B
  static func checkSequence(_ bytes: RawSpan, _ range: Range<Int>) -> UInt8 {
    var crc: UInt8 = 0xFF
    for index in range {
      // Bits are in reversed order, so that a shift to the right multiplies by x. As x^8 is x^2 + x + 1, a byte times x^8
      // is the byte times that, and so are the two bits that this makes x^8 and x^9.
      let byte = UInt16(crc ^ bytes.byte(at: index)) << 8
      let product = byte ^ byte >> 1 ^ byte >> 2
      let rest = UInt8(truncatingIfNeeded: product)
      crc = UInt8(truncatingIfNeeded: product >> 8) ^ rest ^ rest >> 1 ^ rest >> 2
    }
    return ~crc
  }
}
