import HarkCore

/// What the index pass learns of a PDU: a few numbers, filled in by every layer on the way.
public struct Facts: Equatable, Sendable {
  public enum Fragment: UInt8, Sendable {
    /// The record holds no part of a longer PDU.
    case none
    case first, continuing
  }

  /// Core Specification, Vol 3, Part A, 3.3.2 and 3.4.3.
  public enum Segment: UInt8, Sendable {
    case whole, first, continuing, last
    /// A supervisory frame, which carries none.
    case none
  }

  /// The opcode, event code, or PDU code of the deepest layer that has one.
  public var code: UInt16 = 0
  /// The LE subevent code of an event, or the opcode a Command Complete or Command Status answers.
  public var subcode: UInt16 = 0
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
  /// The bytes the deepest layer carries: an attribute's value, a frame's payload.
  public var payloadOffset: UInt32 = 0
  public var payloadCount: UInt32 = 0
  /// The Information Payload of an L2CAP frame: a PDU of a fixed channel.
  private var informationOffset: UInt32 = 0
  private var informationCount: UInt32 = 0
  /// Which part of an SDU an L2CAP frame carries.
  public var segment = Segment.whole
  /// The SDU Length that the first segment gives.
  public var sduLength: UInt16 = 0
  /// The TxSeq of an I-frame.
  public var txSeq: UInt16 = 0
  /// The ReqSeq of a frame that acknowledges those before it: any but an SREJ.
  public var reqSeq: UInt16?
  /// Whether a layer could not be read to its end.
  public var isMalformed = false
  /// That layer.
  public var malformedLayer: Field?

  public init() {}

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

/// What the session knows when a PDU is read, and the PDU's bytes do not say.
///
/// It is copied for each packet. The order of its members leaves few gaps: up to 128 bytes are copied without
/// a call.
@safe public struct Context: Sendable {
  /// Under it controllers of Qualcomm send logs of their own as ACL data.
  public static let diagnosticsHandle: UInt16 = 0x0EDC
  /// Qualcomm, Qualcomm Technologies. Assigned Numbers, 7.1
  public static let companiesOfDiagnostics: [UInt16] = [0x001D, 0x00D7]
  /// The protocol of the dynamic L2CAP channel the frame belongs to. Entries live as long as their
  /// catalog, which never ends: a context is copied per packet and counts no references.
  public unowned(unsafe) var channel: Entry?
  /// The protocol inside the channel's own: what an RFCOMM data link carries, for example.
  public unowned(unsafe) var inner: Entry?
  /// Which report of a HID device the packet holds.
  public var report = HIDReportContext()
  /// Whether the recorder cut the record short.
  public var isTruncated = false
  /// Whether `diagnosticsHandle`, which the packet names, is that of a link, or the controller is of
  /// somebody else: then the packet is data.
  public var isDiagnosticsHandleInUse = false
  /// Whether the response to a Read Blob Request has the value from its beginning on.
  public var isFromStart = true
  /// Whether the value continues with a message that an earlier value began.
  public var continuesMessage = false
  /// The UUID a Read By Type or Read By Group Type Request asked for, when its response is read.
  public var requestedType: BluetoothUUID?
  /// Whether the PDU answers another, where only the layer around it says so.
  public var isResponse = false
  /// Whether a key is in what the packet carries, in the place of a value that is mostly none.
  public var isSecret = false
  /// The PSM or SPSM of that channel, where its beginning was seen.
  public var psm: UInt16?
  /// The type of the attribute that an ATT PDU is about, as far as its database is known.
  public var attributeType: BluetoothUUID?
  /// How that channel's frames carry SDUs.
  public var framing = L2CAPFraming()
  /// The Company_Identifier of the Controller, which says whose vendor-specific codes it has.
  public var manufacturer: UInt16?
  /// The types of the attributes that an ATT PDU with several values is about, in their order.
  public var attributeTypes = AttributeTypes()
  /// What is to be known of a packet from the air.
  public var linkLayer = LinkLayerContext()

  public init() {}
}

/// The types of the first few attributes of several, as far as they are known and have names: a
/// context is copied per packet, so it holds the numbers of those.
public struct AttributeTypes: Equatable, Sendable {
  private static let most: UInt8 = 8
  /// 0 if a type is not known or has no name.
  private var numbers = InlineArray<8, UInt16>(repeating: 0)
  private var sizes = InlineArray<8, UInt8>(repeating: 0)
  private var filled: UInt8 = 0
  /// Whether there are more attributes than those.
  public private(set) var hasMore = false

  public var count: Int { Int(filled) }

  public init() {}

  /// - Parameter size: How many octets the value has; 0 if only the packet shows it.
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

extension Context: Equatable {
  public static func == (a: Context, b: Context) -> Bool {
    unsafe a.isTruncated == b.isTruncated
      && a.isDiagnosticsHandleInUse == b.isDiagnosticsHandleInUse
      && a.channel === b.channel && a.psm == b.psm
      && a.framing == b.framing && a.inner === b.inner
      && a.requestedType == b.requestedType && a.attributeType == b.attributeType
      && a.attributeTypes == b.attributeTypes && a.isFromStart == b.isFromStart
      && a.report == b.report
      && a.continuesMessage == b.continuesMessage && a.isSecret == b.isSecret
      && a.linkLayer == b.linkLayer && a.manufacturer == b.manufacturer
      && a.isResponse == b.isResponse
  }
}
