import HarkCore

/// What the index pass learns about a PDU: a few numbers that each layer fills in.
public struct Facts: Equatable, Sendable {
  public enum Fragment: UInt8, Sendable {
    /// The record is not part of a longer PDU.
    case none
    case first, continuing
  }

  /// Core Specification, Vol 3, Part A, 3.3.2 and 3.4.3.
  public enum Segment: UInt8, Sendable {
    case whole, first, continuing, last
    /// A supervisory frame, which does not carry SDUs.
    case none
    /// The same, whose sender is not ready to receive I-frames: RNR.
    case notReady
  }

  /// The opcode, event code, or PDU code of the deepest layer that has one.
  public var code: UInt16 = 0
  /// The Subevent_Code of an LE Meta event. Core Specification, Vol 4, Part E, 7.7.65.
  public var subevent: UInt8 = 0
  /// Connection handles have 12 bits. Core Specification, Vol 4, Part E, 5.3.1.
  public static let noHandle: UInt16 = 0xFFFF

  /// The connection handle, or `noHandle`.
  public var handle = Facts.noHandle
  /// The L2CAP channel identifier; 0 if there is none.
  public var cid: UInt16 = 0
  /// The Attribute Handle.
  public var attribute: UInt16 = 0
  /// The first Bluetooth Device Address of an HCI packet, and the octet that precedes it.
  public var address: UInt64 = 0
  public var addressType: UInt8 = 0
  public var fragment = Fragment.none
  /// The payload of the deepest layer: an attribute's value, a frame's payload.
  public var payloadOffset: UInt32 = 0
  public var payloadCount: UInt32 = 0
  /// The Information Payload of an L2CAP frame: a PDU of a fixed channel.
  private var informationOffset: UInt32 = 0
  private var informationCount: UInt32 = 0
  /// Which part of an SDU an L2CAP frame carries.
  public var segment = Segment.whole
  /// The SDU Length in the first segment.
  public var sduLength: UInt16 = 0
  /// The TxSeq of an I-frame.
  public var txSeq: UInt16 = 0
  /// The ReqSeq of a frame that acknowledges the earlier ones: any except SREJ.
  public var reqSeq: UInt16?
  /// Whether the FCS of an L2CAP frame does not match: its receiver discards it. Vol 3, Part A, 3.3.5.
  public var hasBadFCS = false
  /// Whether an S-frame polls the other side, or a frame answers a poll. Vol 3, Part A, 3.3.2
  public var polls = false
  public var answersPoll = false
  /// Whether a layer could not be read to its end.
  public var isMalformed = false
  /// Whether only the recorder is the cause: every missing field would have been in the bytes that it truncated.
  public var isCutByRecorder = false
  /// That layer.
  public var malformedLayer: Field?

  public init() {}

  /// Notes that a layer could not be read to its end.
  /// - Parameter isCut: Whether only because the recorder truncated the record.
  package mutating func fail(isCut: Bool) {
    isCutByRecorder = isCut && (!isMalformed || isCutByRecorder)
    isMalformed = true
  }

  public var payload: Range<Int> {
    Int(payloadOffset)..<(Int(payloadOffset) + Int(payloadCount))
  }

  package internal(set) var information: Range<Int> {
    get { Int(informationOffset)..<(Int(informationOffset) + Int(informationCount)) }
    set {
      informationOffset = UInt32(truncatingIfNeeded: newValue.lowerBound)
      informationCount = UInt32(truncatingIfNeeded: newValue.count)
    }
  }
}

/// What the session knows about a PDU when it is read, and its bytes do not show.
///
/// It is copied for each packet. The order of its members leaves few gaps: up to 128 bytes are copied without
/// a call.
public struct Context: Equatable, Sendable {
  /// The handle under which Qualcomm's controllers send their own logs as ACL data.
  public static let diagnosticsHandle: UInt16 = 0x0EDC
  /// Qualcomm, Qualcomm Technologies. Assigned Numbers, 7.1
  public static let companiesOfDiagnostics: [UInt16] = [0x001D, 0x00D7]
  /// The protocol of the frame's dynamic L2CAP channel. A context is copied per packet and counts no references.
  public var channel: Entry.Reference?
  /// The protocol inside the channel's own: for example, the content of an RFCOMM data link.
  public var inner: Entry.Reference?
  /// For a response, the UUID in the Read By Type or Read By Group Type Request.
  public var requestedType: BluetoothUUID?
  /// Whether the recorder truncated the record.
  public var isTruncated = false
  /// Whether `diagnosticsHandle`, if the packet has it, belongs to a link, or the controller is not Qualcomm's: then
  /// the packet is data.
  public var isDiagnosticsHandleInUse = false
  /// Whether the response to a Read Blob Request contains the value from its start.
  public var isFromStart = true
  /// Whether the value continues a message that began in an earlier value.
  public var continuesMessage = false
  /// Whether the PDU is an answer, if only the enclosing layer shows it.
  public var isResponse = false
  /// Whether the device that accepted the dynamic L2CAP channel sent the PDU: the server, if the channel leads to a
  /// service. Nil if the capture does not show it.
  public var isFromAcceptor: Bool?
  /// Whether the packet carries a key in a place where values are usually not keys.
  public var isSecret = false
  /// The type of the attribute that an ATT PDU concerns, as far as its database is known.
  public var attributeType: BluetoothUUID?
  /// A bit for each of the event's reports, from the first on, whose advertising data continues that of earlier reports.
  public var continuedData: UInt16 = 0
  /// How that channel's frames carry SDUs.
  public var framing = L2CAPFraming()
  /// The report of a HID device in the packet.
  public var report = HIDReportContext()
  /// The PSM or SPSM of that channel, if its beginning is in the capture.
  public var psm: UInt16?
  /// The Company_Identifier of the Controller, which determines the meaning of vendor-specific codes.
  public var manufacturer: UInt16?
  /// The types of the attributes that an ATT PDU with several values concerns, in order.
  public var attributeTypes = AttributeTypes()
  /// What is known about an over-the-air packet.
  public var linkLayer = LinkLayerContext()

  public init() {}
}

/// The types of the first few of several attributes, as far as they are known and have names: a context is copied per
/// packet, so it contains their numbers.
public struct AttributeTypes: Equatable, Sendable {
  private static let most: UInt8 = 8
  /// 0 if a type is unknown or has no name.
  private var numbers = InlineArray<8, UInt16>(repeating: 0)
  private var sizes = InlineArray<8, UInt8>(repeating: 0)
  private var filled: UInt8 = 0
  /// Whether there are more attributes than those.
  public private(set) var hasMore = false

  public var count: Int { Int(filled) }

  public init() {}

  /// - Parameter size: The size of the value in octets; 0 if only the packet shows it.
  public mutating func append(_ type: BluetoothUUID?, size: Int = 0) {
    guard filled < Self.most else {
      hasMore = true
      return
    }
    sizes[count] = UInt8(truncatingIfNeeded: size)
    numbers[count] = type.map { AssignedNumbers.number(ofAttributeType: $0) } ?? 0
    filled += 1
  }

  public subscript(index: Int) -> BluetoothUUID? {
    index < count ? AssignedNumbers.attributeType(number: numbers[index]) : nil
  }

  public func size(_ index: Int) -> Int { index < count ? Int(sizes[index]) : 0 }

  public static func == (a: AttributeTypes, b: AttributeTypes) -> Bool {
    a.filled == b.filled && a.hasMore == b.hasMore
      && (0..<a.count).allSatisfy { a.numbers[$0] == b.numbers[$0] && a.sizes[$0] == b.sizes[$0] }
  }
}
