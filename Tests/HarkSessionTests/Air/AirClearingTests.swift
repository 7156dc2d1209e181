import HarkCore
import HarkCrypto
import Testing

@testable import HarkSession

/// Copies of packets in the clear, where devices send PDUs again and sniffers receive them with errors.
/// Core Specification, Vol 6, Part B, 2.4 and 4.5.9.
@Suite struct AirClearingTests {
  typealias Copies = (cleared: [[UInt8]?], counts: AirCounts)

  /// What the records from `first` on are in the clear.
  private static func copies(_ air: MadeAir, from first: Int) -> Copies {
    var (cleared, counts): ([[UInt8]?], AirCounts) = ([], AirCounts())
    _ = air.session { session, index in
      session.keepsClearedRecords = true
      if index >= first { cleared.append(session.clearedRecord) }
      counts = session.counts.air
    }
    return (cleared, counts)
  }

  /// The STK of `AirPairingTests.pairing` with passkey 0.
  private static func cipher() throws -> LinkLayerCipher {
    var key = try #require(
      SMPToolbox.s1(
        k: [UInt8](repeating: 0, count: 16), r1: AirPairingTests.randoms[1].reversed(),
        r2: AirPairingTests.randoms[0].reversed()))
    return try MadeAir.cipher(&key)
  }

  private static func value(_ number: UInt8) -> [UInt8] { [4, 0, 4, 0, 0x1B, 3, 0, number] }

  /// What a copy in the clear holds, of a record with that header.
  private static func copy(of record: MadeRecord, saying plaintext: [UInt8]) -> [UInt8] {
    let header = (Hex.bytes(record.hex) ?? [])[4]
    let pdu = [header, UInt8(plaintext.count)] + plaintext
    let crc = LinkLayerCRC.compute(pdu.raw, 0..<pdu.count, initial: MadeAir.crcInit)
    return MadeAir.accessAddress + pdu + (0..<3).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) }
  }

  /// The last two PDUs again, with the same sequence numbers.
  private static func repeatLast(_ air: inout MadeAir) {
    for var record in air.records.suffix(2) {
      record.time += 1
      air.records.append(record)
    }
  }

  /// A PDU that no key opens stays as it was sent however often it is sent; one of the same length that a key opened
  /// came before it.
  @Test(arguments: [0, 1]) func unopenedStaysUnopened(_ side: Int) throws {
    var air = try AirPairingTests.pairing(passkey: 0, confirms: true)
    let (cipher, first) = (try Self.cipher(), air.records.count)
    for number in UInt8(2)..<4 {
      var sealed = try #require(
        cipher.seal(
          Self.value(number), header: 2, counter: UInt64(number), fromCentral: side == 0))
      if number == 3 { sealed[0] ^= 1 }
      air.send(side, llid: 2, sealed)
      Self.repeatLast(&air)
    }
    let (cleared, counts) = Self.copies(air, from: first)
    let expected = Self.copy(of: air.records[first + side], saying: Self.value(2))
    #expect(cleared[side] == expected && cleared[side + 2] == expected)
    #expect(cleared[4...].allSatisfy { $0 == nil })
    #expect(counts.encrypted == 4 + 2 && counts.opened == 4 + 1)
  }

  /// Records of the same PDU in a row, as in captures that were merged, are its sender's.
  @Test(arguments: [0, 1]) func doubled(_ side: Int) throws {
    var air = try AirPairingTests.pairing(passkey: 0, confirms: true)
    let (cipher, first) = (try Self.cipher(), air.records.count)
    for number in UInt8(2)..<6 {
      let sealed = try #require(
        cipher.seal(
          Self.value(number), header: 2, counter: UInt64(number), fromCentral: side == 0))
      air.send(side, llid: 2, sealed)
      let at = air.records.count - 2 + side
      air.records.insert(air.records[at], at: at)
    }
    let (cleared, counts) = Self.copies(air, from: first)
    #expect(cleared.count { $0 != nil } == 8)
    #expect(counts.encrypted == 4 + 4 && counts.opened == 4 + 4)
  }

  /// The recorder kept a part of the CRC, of a PDU that is sent again.
  @Test(arguments: [1, 2, 3]) func partOfTheCRC(_ lost: Int) throws {
    var air = try AirPairingTests.pairing(passkey: 0, confirms: true)
    let first = air.records.count
    let sealed = try Self.cipher().seal(Self.value(2), header: 2, counter: 2, fromCentral: true)
    air.send(0, llid: 2, try #require(sealed))
    Self.repeatLast(&air)
    let whole = Self.copy(of: air.records[first], saying: Self.value(2))
    air.records[first + 2] = air.records[first + 2].losing(lost)
    let (cleared, _) = Self.copies(air, from: first)
    #expect(cleared[0] == whole)
    #expect(cleared[2] == Array(whole.dropLast(lost)))
  }
}
