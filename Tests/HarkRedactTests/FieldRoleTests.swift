import HarkCapture
import HarkDissection
import Testing

@testable import HarkRedact

/// What fields are replaced.
@Suite struct FieldRoleTests {
  /// A field that is declared a secret needs no word of its own to be removed. Its fragments have no key of
  /// their own: what they are put together to has it. Unexplained bytes are overwritten with `strict`.
  @Test(arguments: [RedactionLevel.share, .strict]) func secrets(_ level: RedactionLevel) {
    let secrets = Catalog.shared.paths.map(\.field).filter { $0.definition.secret }
    #expect(secrets.count > 50)
    for field in secrets {
      let role = FieldRoles(level).made(of: field)
      let isRemoved = role.kind != nil || role.isOfKey
      #expect(isRemoved || field.definition.personal == .opaque, "\(field.name)")
      if level == .strict { #expect(isRemoved || role.isOpaque, "\(field.name)") }
    }
  }

  /// Texts and bytes that stay whatever they are: each has a fixed length, or is looked up before it is given to the field.
  @Test func structuralBytes() {
    let names = Catalog.shared.paths.map(\.field).filter { field in
      guard field.definition.structural == true else { return false }
      switch field.definition.form {
      case .text, .utf16, .bytes: return true
      default: return false
      }
    }.map(\.name.description)
    #expect(
      Set(names) == [
        "AFH_Channel_Map", "AFH_Host_Channel_Classification", "ChM", "Channel Map",
        "Channel_Classification",
        "Channel_Map", "Delimiter", "Separator", "Service Label",
      ])
  }

  /// A number of four octets that counts time since a device was turned on recognizes the device in another capture, and how
  /// long a song is tells which one plays. Core Specification, Vol 2, Part B, 1.1; AVRCP, 6.7.1; MCS, 3.4.
  @Test(arguments: [
    "hci.evt.clock", "bb.clock", "monitor.mgmtLocalClock", "monitor.mgmtPiconetClock",
    "hci.iso.timestamp",
    "eddystone.uptime",
    "eddystone.count",
    "avrcp.songLength", "avrcp.songPosition", "mcs.duration", "mcs.position",
  ])
  func clocks(_ path: String) throws {
    let fields = Catalog.shared.fields(at: path)
    #expect(!fields.isEmpty)
    for field in fields {
      switch FieldRoles(.strict).made(of: field).structure {
      case .none: break
      case .number(let most): #expect(most < 4)
      default: Issue.record("\(path) stays")
      }
    }
  }

  /// A code that is named after fragments is not one of them: Fragment_Preference stays. Vol 4, Part E, 7.8.54
  @Test func codesOfFragments() throws {
    // HCI_LE_Set_Extended_Advertising_Data: complete data, no fragmentation, flags.
    let command: [UInt8] = [0x37, 0x20, 0x07, 0x01, 0x03, 0x01, 0x03, 0x02, 0x01, 0x06]
    var capture = MadeCapture()
    capture.add(2, command)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "made.btsnoop"), .strict)
    #expect(redacted.bytes.holds(command))
  }

  /// In Android's LE_Multi_Advt_Set_Advertising_Parameters, Own_Address_Type precedes Own_Address.
  @Test func typesOfOwnAddresses() {
    let types = Catalog.shared.fields(at: "hci.cmd.ownAddressType")
    #expect(types.contains { FieldRoles(.share).made(of: $0).addressType == .next })
  }

  /// An identifier of something in a library reveals what plays. MCS, 3.10; Apple's Accessory Interface Specification,
  /// Now Playing.
  @Test(arguments: [
    "mcs.iconObject", "mcs.segments", "mcs.track", "mcs.nextTrack", "mcs.parentGroup", "mcs.group",
    "mcs.found", "iap2.csm.identifier",
  ]) func mediaObjects(_ path: String) {
    let fields = Catalog.shared.fields(at: path)
    #expect(!fields.isEmpty)
    for field in fields { #expect(FieldRoles(.share).made(of: field).kind != nil) }
  }

  /// So do its duration and position. Wipers and washers have times, too.
  @Test func mediaTimes() {
    let kinds = Catalog.shared.fields(at: "iap2.csm.milliseconds").map {
      FieldRoles(.share).made(of: $0).kind
    }
    #expect(kinds.contains(.input))
  }

  /// A UUID has 2, 4 or 16 octets; values of other lengths do not stay. Vol 3, Part B, 2.5.1
  @Test(arguments: RedactionLevel.allCases) func uuids(_ level: RedactionLevel) throws {
    // External Report Reference, 0x2907, found and read.
    let secret = Array("Kvzqxwj".utf8)
    var capture = MadeCapture()
    capture.l2cap(4, [0x04, 0x27, 0, 0x27, 0], isReceived: false)
    capture.l2cap(4, [0x05, 1, 0x27, 0, 0x07, 0x29])
    capture.l2cap(4, [0x0A, 0x27, 0], isReceived: false)
    capture.l2cap(4, [0x0B] + secret)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "made.btsnoop"), level).bytes
    #expect(!redacted.holds(Array(secret.prefix(4))))
  }

  /// People may write a Characteristic User Description: `share` keeps only words that it knows. Vol 3, Part G, 3.3.3.2
  @Test(arguments: RedactionLevel.allCases) func userDescriptions(_ level: RedactionLevel) throws {
    let secret = Array("Kvzqxwj".utf8)
    var capture = MadeCapture()
    capture.l2cap(4, [0x04, 0x27, 0, 0x27, 0], isReceived: false)
    capture.l2cap(4, [0x05, 1, 0x27, 0, 0x01, 0x29])
    capture.l2cap(4, [0x0A, 0x27, 0], isReceived: false)
    capture.l2cap(4, [0x0B] + secret + " state".utf8)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "made.btsnoop"), level).bytes
    #expect(!redacted.holds(Array(secret.prefix(4))))
    #expect(redacted.holds(Array(" state".utf8)) == (level == .share))
  }
}
