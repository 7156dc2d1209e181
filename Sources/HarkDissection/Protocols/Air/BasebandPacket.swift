import HarkCore

/// A BR/EDR packet from the air, as far as it is followed. Core Specification, Vol 2, Part B, 6.
package struct BasebandPacket: Message, Equatable {
  /// Those that are read, by TYPE. 6.5, table 6.2
  enum PacketType: UInt64 {
    case fhs = 2
    case dm1 = 3
    /// With the basic rate.
    case dv = 8
    /// The numbers of other packets have no case.
    case other = 16
  }

  /// The LAP of the access code: that of the Central, during a connection.
  package internal(set) var lap: UInt32 = 0
  package internal(set) var ltAddress: UInt8 = 0
  /// SEQN: a retransmission repeats it. 7.6.2
  package internal(set) var sequenceNumber: UInt8 = 0
  /// Nil if the header cannot be read.
  var type: PacketType?
  /// Where the LMP PDU is.
  package internal(set) var linkManager: Range<Int>?
  /// The device that sends an FHS packet.
  package internal(set) var address: BluetoothAddress?
  /// Its LAP, which begins the packets of the piconet of which it is the Central.
  package var lapOfSender: UInt32? { address.map { UInt32($0.value & 0xFF_FFFF) } }

  package init() {}

  package init(_ bytes: RawSpan, isCut: Bool) {
    self = BREDRBaseband.message(bytes, isCut: isCut).message
  }
}

/// TYPE of a packet: what its codes mean depends on the logical transport, and on the rate. Core Specification, Vol 2,
/// Part B, 6.5, table 6.2.
struct BasebandTypes: Sendable {
  struct Codes: Sendable {
    let type: Field

    init(_ names: [UInt64: StaticString]) {
      let common: [UInt64: StaticString] = [0: "NULL", 1: "POLL", 2: "FHS", 3: "DM1"]
      type = Field(
        "TYPE",
        names: names.merging(common) { name, _ in name }
          .merging(BasebandTypes.all) { name, _ in name }, title: true)
    }
  }

  /// What the codes may mean.
  private static let all: [UInt64: StaticString] = [
    4: "DH1 / 2-DH1", 5: "HV1", 6: "HV2 / 2-EV3", 7: "HV3 / EV3 / 3-EV3", 8: "DV / 3-DH1",
    9: "AUX1", 10: "DM3 / 2-DH3", 11: "DH3 / 3-DH3", 12: "EV4 / 2-EV5", 13: "EV5 / 3-EV5",
    14: "DM5 / 2-DH5", 15: "DH5 / 3-DH5",
  ]

  let unknown = Codes([:])
  let synchronous = Codes([5: "HV1", 6: "HV2", 7: "HV3", 8: "DV"])
  let extended = Codes([7: "EV3", 12: "EV4", 13: "EV5"])
  let asynchronous = Codes([
    4: "DH1", 8: "DV", 10: "DM3", 11: "DH3", 14: "DM5", 15: "DH5",
  ])
  /// Each code of the enhanced rates belongs to one transport.
  let twoMegabit = Codes([
    4: "2-DH1", 6: "2-EV3", 10: "2-DH3", 12: "2-EV5", 14: "2-DH5",
  ])
  let threeMegabit = Codes([
    7: "3-EV3", 8: "3-DH1", 11: "3-DH3", 13: "3-EV5", 15: "3-DH5",
  ])

  /// - Parameter transport: As the sniffer reports it, as is `rate`.
  func of(transport: UInt64, rate: UInt64) -> Field {
    switch (transport, rate) {
    case (_, 1): twoMegabit.type
    case (_, 2): threeMegabit.type
    case (1, 0): synchronous.type
    case (2, 0): extended.type
    // ACL, and the Connectionless Peripheral Broadcast, which has its packets.
    case (3, 0), (4, 0): asynchronous.type
    default: unknown.type
    }
  }
}

/// The payload of FHS packets, which contains a device's address and clock. Core Specification, Vol 2, Part B,
/// 6.5.1.4.
struct FrequencyHopSynchronization: Sendable {
  /// In octets.
  static let length = 18

  // Table 6.4
  static let repetitions: [UInt64: StaticString] = [0: "R0", 1: "R1", 2: "R2"]

  // The parity bits follow from the LAP: together, they are the sync word of its access code.
  let parity = Field("Parity bits", .hex, structural: false)
  let deviceLAP = Field("LAP of the sender", .hex, personal: .identifier)
  let inquiryResponse = Field("EIR", structural: false)
  let undefined = Field("Undefined", .hex, structural: false)
  let scanRepetition = Field("SR", names: repetitions, structural: false)
  let uap = Field("UAP of the sender", .hex, personal: .identifier)
  let nap = Field("NAP of the sender", .hex, personal: .identifier)
  /// From the three parts.
  let device = Field("BD_ADDR", .address, inLine: true)
  let deviceClass = ClassOfDevice.field("Class of device", inLine: true)
  // In the octets of the clock, which recognizes the device in another capture.
  let assignedAddress = Field("Assigned LT_ADDR", structural: false)
  let clock = Field("CLK27-2", .hex, structural: false)
  let pageScanMode = Field("Page scan mode", structural: false)

  func read(_ pdu: inout PDU<some Sink>, _ message: inout BasebandPacket) throws(Malformed) {
    let word = try pdu.word(8, of: parity)
    let lap = word >> 34 & 0xFF_FFFF
    pdu.part(parity, word & 0x3_FFFF_FFFF, of: 8)
    pdu.part(deviceLAP, lap, of: 8)
    pdu.part(inquiryResponse, word >> 58 & 1, of: 8)
    pdu.part(undefined, word >> 59 & 1, of: 8)
    pdu.part(scanRepetition, word >> 60 & 3, of: 8)
    pdu.part(undefined, word >> 62, of: 8)
    let upper = UInt64(try pdu.u8(uap))
    let rest = UInt64(try pdu.u16(nap))
    let address = rest << 32 | upper << 24 | lap
    message.address = BluetoothAddress(address)
    pdu.inferred(device, address)
    try pdu.unsigned(3, deviceClass)
    let last = try pdu.word(4, of: clock)
    pdu.part(assignedAddress, last & 7, of: 4)
    pdu.part(clock, last >> 3 & 0x3FF_FFFF, of: 4)
    pdu.part(pageScanMode, last >> 29, of: 4)
  }
}
