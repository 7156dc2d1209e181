import Crypto
import HarkCore
import HarkDissection
import Testing

@testable import HarkCrypto
@testable import HarkSession

/// Captures that contain a packet twice or lack one, if the sniffer does not record who sent it: two sniffers received
/// it, or a device sent it again. The structure is that of crackle's capture of a pairing with a passkey: an empty
/// packet of the other side between those with content, and times that jump.
/// Core Specification, Vol 6, Part B, 4.5.9 and 5.1.3; Vol 3, Part H, 2.3.5.
@Suite struct AirRepeatTests {
  enum Times: CaseIterable { case asOnAir, jumping }

  private struct Outcome {
    /// By record.
    var sides: [Int] = []
    var keys = 0
    var values: [[UInt8]] = []
  }

  private static func outcome(_ air: MadeAir) -> Outcome {
    var outcome = Outcome()
    let events = air.session { session, index in
      guard let row = session.packets[UInt32(index + 1)] else { return }
      outcome.sides.append(row.direction == .hostToController ? 0 : 1)
    }
    outcome.keys = AirPairingTests.opened(events).count
    outcome.values = AirPairingTests.values(events)
    return outcome
  }

  /// The Link Layers introduce themselves, then `pairing` begins.
  private static func introduced(_ pairing: MadeAir, _ times: Times) -> MadeAir {
    var air = MadeAir()
    air.connect()
    air.control(1, "0c 08 0f 00 07 66")
    air.control(0, "08 01 00 00 00 00 00 00 00")
    air.control(0, "0c 06 0f 00 0e 22")
    air.control(1, "09 01 00 00 00 00 00 00 00")
    air.control(1, "ff f0 09 00 00 00")
    air.control(0, "07 ff")
    let time = air.records.last?.time ?? 0
    for var record in pairing.records.dropFirst() {
      record.time += time
      air.records.append(record)
    }
    guard times == .jumping else { return air }
    for index in air.records.indices { air.records[index].time = Int64([0, 4_292, 1][index % 3]) }
    return air
  }

  private static func pairings() throws -> [MadeAir] {
    [
      try AirPairingTests.pairing(passkey: 777, confirms: true),
      try AirPairingTests.secureConnections(
        P256.KeyAgreement.PrivateKey(rawRepresentation: SMPToolbox.debugPrivateKey),
        P256.KeyAgreement.PrivateKey()),
    ]
  }

  /// A second record of any packet, directly after it or after the next one: the key is found all the same.
  @Test(arguments: Times.allCases, [1, 2]) func twice(_ times: Times, _ distance: Int) throws {
    for pairing in try Self.pairings() {
      let air = Self.introduced(pairing, times)
      let expected = Self.outcome(air)
      #expect(expected.keys == 1 && expected.values == [[0x77, 0x61, 0x6C, 0x6C]])
      for index in air.records.indices.dropLast(distance - 1) {
        // Packets without content show nothing but their sender's numbers.
        let bytes = Hex.bytes(air.records[index].hex) ?? []
        guard bytes[5] > 0 else { continue }
        var doubled = air
        var copy = air.records[index]
        copy.time = air.records[index + distance - 1].time
        doubled.records.insert(copy, at: index + distance)
        let outcome = Self.outcome(doubled)
        #expect(outcome.keys == 1 && outcome.values == expected.values, "copy of \(index)")
      }
    }
  }

  /// A side that did not receive the acknowledgment sends the PDU again; NESN may have changed since. What both sides
  /// may send is left out.
  @Test(arguments: Times.allCases) func sentAgain(_ times: Times) throws {
    let air = Self.introduced(try AirPairingTests.pairing(passkey: 777, confirms: true), times)
    let expected = Self.outcome(air)
    for index in air.records.indices.dropLast(2) {
      var bytes = Hex.bytes(air.records[index].hex) ?? []
      guard bytes[5] > 11, bytes[4] & 3 == 2 else { continue }
      bytes[4] ^= 0b100
      let crc = LinkLayerCRC.compute(bytes.raw, 4..<bytes.count - 3, initial: MadeAir.crcInit)
      bytes.replaceSubrange(
        (bytes.count - 3)..., with: (0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) })
      var copy = air.records[index]
      (copy.hex, copy.time) = (Hex.text(bytes), air.records[index + 1].time + 1)
      var again = air
      again.records.insert(copy, at: index + 2)
      var outcome = Self.outcome(again)
      let side = outcome.sides.remove(at: index + 2)
      #expect(side == expected.sides[index], "copy of \(index)")
      #expect(outcome.keys == 1 && outcome.values == expected.values, "copy of \(index)")
    }
  }

  /// Both sides use the debug key: their public keys are the same. Vol 3, Part H, 2.3.5.6.1
  @Test func sameDebugKey() throws {
    let debug = try P256.KeyAgreement.PrivateKey(rawRepresentation: SMPToolbox.debugPrivateKey)
    for times in Times.allCases {
      let air = Self.introduced(try AirPairingTests.secureConnections(debug, debug), times)
      let outcome = Self.outcome(air)
      #expect(outcome.keys == 1 && outcome.values == [[0x77, 0x61, 0x6C, 0x6C]], "\(times)")
    }
  }

  /// Without Confirm Values, the first encrypted PDU of either side shows the passkey. Vol 6, Part B, 5.1.3.1
  @Test(arguments: [0, 1]) func startOfOneSide(_ lost: Int) throws {
    var air = try AirPairingTests.pairing(passkey: 777, confirms: false)
    // The last four PDUs are encrypted; each has an empty one beside it.
    let first = air.records.count - 8 + 2 * lost
    air.records.removeSubrange(first..<(first + 2))
    let outcome = Self.outcome(air)
    #expect(outcome.keys == 1 && outcome.values == [[0x77, 0x61, 0x6C, 0x6C]])
  }

  /// Any single packet is missing: the passkey is found without it, except for the inputs of the key itself: both random
  /// numbers, LL_ENC_REQ and LL_ENC_RSP.
  @Test(arguments: Times.allCases) func onceMissing(_ times: Times) throws {
    let air = Self.introduced(try AirPairingTests.pairing(passkey: 777, confirms: true), times)
    for lost in air.records.indices {
      let bytes = Hex.bytes(air.records[lost].hex) ?? []
      // Behind the Access Address and the header of two octets; of SMP, behind that of L2CAP.
      let isInput =
        bytes[4] & 3 == 3
        ? [3, 4].contains(bytes[6]) && bytes[5] > 8
        : bytes[5] == 21 && bytes[8] == 6 && bytes[10] == 4
      var less = air
      less.records.remove(at: lost)
      let outcome = Self.outcome(less)
      #expect(outcome.keys == (isInput ? 0 : 1), "without \(lost)")
    }
  }

  /// Of a capture that contains any packet of its beginning twice, or lacks one, no packet is attributed to the wrong
  /// side.
  @Test(arguments: Times.allCases) func noFalseSender(_ times: Times) throws {
    var air = Self.introduced(try Self.pairings()[0], times)
    air.records = Array(air.records.prefix(28))
    let senders = Self.senders(air)
    #expect(Self.outcome(air).sides == senders)
    // The request of the connection has a sender of its own.
    for index in air.records.indices.dropFirst() {
      var less = air
      var expected = senders
      less.records.remove(at: index)
      expected.remove(at: index)
      #expect(Self.outcome(less).sides == expected, "without \(index)")
      // In the midst of a later connection event, a copy of the Peripheral's packet looks like its answer.
      let distances = times == .asOnAir && senders[index] == 1 ? [1] : [1, 2]
      for distance in distances where index + distance <= air.records.count {
        var doubled = air
        var copy = air.records[index]
        copy.time = air.records[index + distance - 1].time
        doubled.records.insert(copy, at: index + distance)
        expected = senders
        expected.insert(senders[index], at: index + distance)
        #expect(
          Self.outcome(doubled).sides == expected, "copy of \(index) at \(index + distance)")
      }
    }
  }

  /// Who sent each record: after the request of the connection, the Central and the Peripheral take turns.
  private static func senders(_ air: MadeAir) -> [Int] {
    air.records.indices.map { $0 == 0 ? 0 : ($0 - 1) % 2 }
  }
}
