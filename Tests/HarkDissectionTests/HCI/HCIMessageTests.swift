import HarkCore
import Testing

@testable import HarkDissection

/// The parameters are those of the sections named. Core Specification, Vol 4, Part E.
@Suite struct HCIMessageTests {
  static func event(_ text: String, isCut: Bool = false) -> HCIEventMessage {
    var context = Context()
    context.isTruncated = isCut
    return HCIEventMessage(hex(text).raw, context)
  }

  static func subevent(_ text: String, isCut: Bool = false) -> LEMetaEvent? {
    guard case .leMeta(let event) = event(text, isCut: isCut) else { return nil }
    return event
  }

  static func command(_ text: String, isCut: Bool = false) -> HCICommandMessage {
    HCICommandMessage(hex(text).raw, isCut: isCut)
  }

  /// Encryption_Enabled 3 is reserved. Vol 4, Part E, 7.7.8
  @Test(arguments: [(0, false), (1, true), (2, true), (3, nil), (255, nil)] as [(UInt8, Bool?)])
  func encryptionEnabled(_ value: UInt8, _ isOn: Bool?) {
    guard
      case .security(.encryptionChange(let change)) = Self.event(
        "08 04 00 2a00 " + Hex.text([value]))
    else {
      Issue.record("no encryption change")
      return
    }
    #expect(change.isEnabled == isOn)
  }

  /// 7.7.3, 7.7.5, 7.7.8, 7.7.35
  @Test func links() throws {
    guard
      case .connection(.connectionComplete(let acl)) = Self.event(
        "03 0b 00 2a00 665544332211 01 00")
    else {
      throw Missing()
    }
    #expect(acl.status == 0 && acl.handle == 0x2A && acl.linkType == .acl)
    #expect(acl.address?.value == 0x1122_3344_5566 && acl.synchronous == nil)
    let synchronous = Self.event("2c 11 00 2b00 665544332211 02 0c 02 3c00 3d00 02")
    guard case .connection(.connectionComplete(let esco)) = synchronous else { throw Missing() }
    #expect(esco.linkType == .esco && esco.synchronous?.transmissionInterval == 12)
    #expect(esco.synchronous?.rxPacketLength == 60 && esco.synchronous?.txPacketLength == 61)
    #expect(esco.synchronous?.airMode == 2)
    guard case .connection(.disconnectionComplete(let end)) = Self.event("05 04 00 2af0 13") else {
      throw Missing()
    }
    #expect(end.handle == 0x2A && end.reason == 0x13)
    guard case .security(.encryptionChange(let change)) = Self.event("59 05 00 2a00 01 10") else {
      throw Missing()
    }
    #expect(change.isEnabled == true && change.keySize == 16)
  }

  /// 7.7.2, 7.7.33: two responses, and one whose Class_Of_Device the recorder cut off.
  @Test func inquiry() throws {
    let whole = Self.event(
      """
      22 1d 02 665544332211 01 00 0c025a 3412 c4 0a0b0c0d0e0f 01 00 040424 3412 c5
      """)
    guard case .inquiry(.result(let responses, isExtended: false)) = whole else { throw Missing() }
    #expect(responses.map(\.address.value) == [0x1122_3344_5566, 0x0F0E_0D0C_0B0A])
    #expect(responses.map(\.classOfDevice) == [0x5A020C, 0x240404])
    let cut = Self.event("22 0f 01 665544332211 01 00", isCut: true)
    guard case .inquiry(.result(let rest, _)) = cut else { throw Missing() }
    #expect(rest.count == 1 && rest[0].classOfDevice == nil)
  }

  /// 7.7.14, 7.4.1, 7.5.7, 7.8.97; 7.7.15
  @Test func answers() throws {
    let version = "0e 0c 01 0110 00 0c 3412 0c 0f00 7856"
    guard case .commandComplete(let read) = Self.event(version) else { throw Missing() }
    #expect(read.opcode == .readLocalVersionInformation && read.allowedCommands == 1)
    #expect(read.firstOctet == 0 && read.hasStatus && read.subject == nil)
    guard case .localVersion(0x0C, company: 0x000F) = read.returns else { throw Missing() }
    guard case .commandComplete(let size) = Self.event("0e 07 01 0814 00 2a00 10") else {
      throw Missing()
    }
    #expect(size.subject == 0x2A)
    guard case .encryptionKeySize(0x2A, size: 16) = size.returns else { throw Missing() }
    let group = Self.event("0e 0a 01 6220 00 05 02 6000 6100")
    guard case .commandComplete(let configured) = group else { throw Missing() }
    #expect(configured.subject == 5)
    guard case .group(cig: 5, handles: [0x60, 0x61]) = configured.returns else { throw Missing() }
    guard case .commandStatus(let begun) = Self.event("0f 04 0c 02 0504") else { throw Missing() }
    #expect(begun.status == 0x0C && begun.allowedCommands == 2)
    #expect(begun.opcode == .createConnection)
  }

  /// 7.7.65.1, 7.7.65.10, 7.7.65.3
  @Test func connectionsOfLE() throws {
    let plain = Self.subevent("3e 13 01 00 4000 01 01 665544332211 1800 0000 2a00 00")
    guard case .connection(.connectionComplete(let complete)) = plain else { throw Missing() }
    #expect(complete.handle == 0x40 && complete.role == .peripheral)
    #expect(complete.peer == BluetoothAddress(0x1122_3344_5566, .random))
    #expect(complete.timing?.interval == 24 && complete.timing?.supervisionTimeout == 42)
    let enhanced = Self.subevent(
      "3e 1f 0a 00 4000 00 02 665544332211 000000000000 a1a2a3a4a5a6 1800 0000 2a00 00")
    guard case .connection(.connectionComplete(let resolved)) = enhanced else { throw Missing() }
    #expect(resolved.role == .central && resolved.peer?.kind == .public)
    #expect(resolved.resolvedFrom == BluetoothAddress(0xA6A5_A4A3_A2A1, .random))
    let failed = Self.subevent("3e 0a 03 1a 4000 0000 0000 0000")
    guard case .connection(.connectionUpdateComplete(status: 0x1A, _)) = failed else {
      throw Missing()
    }
    guard case .other(0x03) = Self.subevent("3e 0a 03", isCut: true) else { throw Missing() }
  }

  /// 7.7.65.25, 7.7.65.27
  @Test func isochronousStreams() throws {
    let stream = Self.subevent(
      """
      3e 1d 19 00 6000 010000 020000 030000 040000 02 01 01 01 01 02 02 2800 2900 0800
      """)
    guard case .isochronous(.cisEstablished(let cis)) = stream else { throw Missing() }
    #expect(cis.handle == 0x60 && cis.isoInterval == 8)
    #expect(cis.toPeripheral.latency == 3 && cis.toPeripheral.maxPDU == 40)
    #expect(cis.toCentral.latency == 4 && cis.toCentral.phy == 1)
    let broadcast = Self.subevent(
      "3e 17 1b 00 07 010000 020000 02 01 01 00 01 2800 0800 02 7000 7100")
    guard case .isochronous(.createBIGComplete(let group)) = broadcast else { throw Missing() }
    #expect(group.big == 7 && group.maxPDU == 40 && group.handles == [0x70, 0x71])
  }

  /// 7.1.5, 7.1.10, 7.8.12, 7.8.56, 7.8.54, 7.8.67, 7.8.99
  @Test func commands() {
    let create = Self.command("0504 0d 665544332211 18cc 01 00 0000 01")
    #expect(create.opcode == .createConnection && create.peer?.value == 0x1122_3344_5566)
    #expect(create.subject == nil)
    let key = Self.command(
      "0b04 16 665544332211 000102030405060708090a0b0c0d0e0f")
    #expect(key.linkKey == 9..<25 && key.subject == 0x1122_3344_5566)
    let list = Self.command(
      "0d20 19 6000 3000 01 01 665544332211 00 1800 2800 0000 2a00 0000 0000")
    #expect(list.peer == nil)
    let sets = Self.command("3920 0a 01 02 03 0000 00 04 0000 00")
    #expect(sets.isEnabling == true && sets.advertisingHandles == [3, 4])
    let data = Self.command("3720 07 03 03 01 03 02 01 06").advertisingData
    #expect(data?.advertisingHandle == 3 && data?.operation == .complete)
    #expect(data?.data == 7..<10 && data?.isScanResponse == false)
    let sync = Self.command("4420 0e 00 05 01 665544332211 0000 e803 00")
    #expect(sync.sid == 5 && sync.peer == BluetoothAddress(0x1122_3344_5566, .random))
    let streams = Self.command("6420 09 02 6000 4000 6100 4100").connectedStreams
    #expect(streams.map(\.stream) == [0x60, 0x61] && streams.map(\.link) == [0x40, 0x41])
  }

  /// Commands whose Command Complete repeats their first parameter behind the Status, and some that do
  /// not. 7.3.10, 7.5.6, 7.8.34, 7.8.61, 7.8.98
  @Test func repeatedParameters() {
    for opcode: UInt16 in [0x0C08, 0x0809, 0x040E, 0x2020, 0x2022, 0x2063, 0x2082, 0x2084] {
      #expect(HCICommand.repeated[opcode] != nil, "\(opcode)")
    }
    for opcode: UInt16 in [0x0406, 0x1407, 0x0C1A, 0x2013, 0x2036, 0x2059] {
      #expect(HCICommand.repeated[opcode] == nil, "\(opcode)")
    }
  }

  /// 7.7.65.2, 7.7.65.13: two legacy reports, and an extended one whose data continues.
  @Test func advertisingReports() {
    let legacy = hex("3e 19 02 02 00 01 665544332211 03 020106 c4 04 00 0a0b0c0d0e0f 00 c5")
    var reports = LEAdvertisingReports(legacy.raw)
    let (first, second) = (reports.next(legacy.raw), reports.next(legacy.raw))
    #expect(first?.address == BluetoothAddress(0x1122_3344_5566, .random))
    #expect(first?.data == 13..<16 && second?.data == 26..<26)
    #expect(second?.address == BluetoothAddress(0x0F0E_0D0C_0B0A))
    #expect(reports.next(legacy.raw) == nil)
    let extended = hex(
      "3e 1d 0d 01 2000 01 665544332211 01 00 05 7f c4 0000 00 000000000000 03 020106")
    var others = LEAdvertisingReports(extended.raw)
    let report = others.next(extended.raw)
    #expect(report?.sid == 5 && report?.isMoreToCome == true && report?.data == 28..<31)
  }

  /// BlueZ's mgmt-api: New Long Term Key; Command Status of Set Powered with Busy.
  @Test func management() {
    let key = hex(
      """
      01000000 0a00 01 665544332211 02 00 01 10 3412 0001020304050607 \
      101112131415161718191a1b1c1d1e1f
      """)
    let keys = ManagementKey.all(in: key.raw, .controlEvent)
    #expect(keys.count == 1 && keys.first?.kind == .longTermKey)
    #expect(keys.first?.key == 27..<43 && keys.first?.address == 7..<13)
    #expect(keys.first?.isRandom == true)
    let refusal = ManagementRefusal(hex("01000000 0200 0500 0a").raw)
    #expect(refusal?.command == "Set Powered" && refusal?.reason == "Busy")
  }

  private struct Missing: Error {}
}
