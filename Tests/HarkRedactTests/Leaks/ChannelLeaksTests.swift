import Foundation
import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkRedact

/// Secrets over channels of BR/EDR links: in parts whose siblings are lost, in lines without end, in transfers of
/// which SDP told nothing. Neither level leaves them.
@Suite struct ChannelLeaksTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let build: @Sendable (_ secret: [UInt8], inout MadeCapture) -> Void

    init(_ name: String, _ build: @escaping @Sendable ([UInt8], inout MadeCapture) -> Void) {
      (testDescription, self.build) = (name, build)
    }
  }

  // MARK: Channels. Core Specification, Vol 3, Part A, 4

  /// Opens a channel: the Host's end is `local`, the peer's `local + 1`.
  private static func open(
    _ psm: UInt16, _ local: UInt8, _ capture: inout MadeCapture, options: [UInt8] = []
  ) {
    let (low, high) = (UInt8(psm & 0xFF), UInt8(psm >> 8))
    capture.l2cap(1, [2, local, 4, 0, low, high, local, 0], isReceived: false)
    capture.l2cap(1, [3, local, 8, 0, local + 1, 0, local, 0, 0, 0, 0, 0])
    let count = UInt8(options.count)
    capture.l2cap(
      1, [4, local, 4 + count, 0, local + 1, 0, 0, 0] + options, isReceived: false)
    capture.l2cap(1, [5, local, 6 + count, 0, local, 0, 0, 0, 0, 0] + options)
    capture.l2cap(1, [4, local, 4 + count, 0, local, 0, 0, 0] + options)
    capture.l2cap(
      1, [5, local, 6 + count, 0, local + 1, 0, 0, 0, 0, 0] + options, isReceived: false)
  }

  private static func big(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

  private static func sequence(_ body: [UInt8]) -> [UInt8] { [0x35, UInt8(body.count)] + body }

  /// An answer of SDP: the attributes of one service. Vol 3, Part B, 4.7 and 3.
  private static func answer(_ attributes: [UInt8], _ capture: inout MadeCapture) {
    open(1, 0x40, &capture)
    capture.l2cap(
      0x41, [6, 0, 1, 0, 15, 0x35, 3, 0x19, 1, 0, 0xFF, 0xFF, 0x35, 5, 0x0A, 0, 0, 0xFF, 0xFF, 0],
      isReceived: false)
    let lists = sequence(sequence(attributes))
    capture.l2cap(0x40, [7, 0, 1] + big(lists.count + 3) + big(lists.count) + lists + [0])
  }

  /// ServiceClassIDList, and RFCOMM with a server channel.
  private static func service(_ uuid: [UInt8], _ server: UInt8) -> [UInt8] {
    [9, 0, 1] + sequence([0x19] + uuid) + [9, 0, 4]
      + sequence(sequence([0x19, 1, 0]) + sequence([0x19, 0, 3, 8, server]))
  }

  // MARK: RFCOMM. TS 27.010, 5.2 and B.3.5

  private static func frame(
    _ address: UInt8, _ control: UInt8, _ payload: [UInt8] = []
  ) -> [UInt8] { RFCOMMBytes.frame(address, control, payload) }

  /// A data link to server channel 3, whose service is known or not.
  private static func serial(_ uuid: [UInt8]?, _ capture: inout MadeCapture) {
    if let uuid { answer(service(uuid, 3), &capture) }
    open(3, 0x42, &capture)
    for dlci: UInt8 in [0, 6] {
      capture.l2cap(0x43, frame(dlci << 2 | 3, 0x3F), isReceived: false)
      capture.l2cap(0x42, frame(dlci << 2 | 3, 0x73))
    }
  }

  private static func send(_ payload: [UInt8], _ capture: inout MadeCapture) {
    capture.l2cap(0x43, frame(0x1B, 0xEF, payload), isReceived: false)
  }

  // MARK: Cases

  private static let handsFree: [UInt8] = [0x11, 0x1F]
  private static let push: [UInt8] = [0x11, 0x05]
  private static let simAccess: [UInt8] = [0x11, 0x2D]

  private static let serial: [Case] = [
    // Hands-Free Profile 1.9, 4.19: ATD>memory.
    Case("an AT line without end") { secret, capture in
      serial(handsFree, &capture)
      send(Array("ATD>\"".utf8) + secret + Array("\";".utf8), &capture)
    },
    Case("an answer without end") { secret, capture in
      serial(handsFree, &capture)
      capture.l2cap(0x42, frame(0x19, 0xEF, Array("\r\n+CLIP: \"".utf8) + secret))
    },
    Case("an AT line in two frames") { secret, capture in
      serial(handsFree, &capture)
      send(Array("AT+QZ=\"".utf8) + secret[..<9], &capture)
      send(secret[9...] + Array("\"\r".utf8), &capture)
    },
    Case("an AT line of a service that nobody described") { secret, capture in
      serial(nil, &capture)
      send(Array("AT+CPBF=\"".utf8) + secret + Array("\"\r".utf8), &capture)
    },
    Case("a frame whose second fragment is lost") { secret, capture in
      serial(handsFree, &capture)
      let whole = frame(0x1B, 0xEF, secret + secret)
      let size = [UInt8(whole.count), 0, 0x43, 0]
      capture.add(4, [0x40, 0, UInt8(4 + 20), 0] + size + whole[..<20])
    },
    Case("a frame with a wrong checksum") { secret, capture in
      serial(handsFree, &capture)
      let whole = frame(0x1B, 0xEF, secret)
      capture.l2cap(0x43, whole.dropLast() + [whole[whole.count - 1] ^ 0x55], isReceived: false)
    },
    // IrOBEX 1.5, 3.4.3: a Put in two frames of RFCOMM, of which one is lost.
    Case("the second part of a Put") { secret, capture in
      serial(push, &capture)
      send(secret + secret, &capture)
    },
    Case("the first part of a Put") { secret, capture in
      serial(push, &capture)
      send([0x02] + big(90) + [0x48] + big(87) + secret, &capture)
    },
    Case("a Put of a service that nobody described") { secret, capture in
      serial(nil, &capture)
      let card = Array("BEGIN:VCARD\r\nFN:".utf8) + secret + Array("\r\nEND:VCARD\r\n".utf8)
      send([0x82] + big(card.count + 6) + [0x49] + big(card.count + 3) + card, &capture)
    },
    // SIM Access Profile 1.1, 5.1: a command for a SIM card, one that is lost in part, and an unknown parameter.
    Case("an APDU for a SIM card") { secret, capture in
      serial(simAccess, &capture)
      send([5, 1, 0, 0, 4, 0] + big(secret.count) + secret + [0, 0], &capture)
    },
    Case("the first part of an APDU") { secret, capture in
      serial(simAccess, &capture)
      send([5, 1, 0, 0, 4, 0] + big(90) + secret, &capture)
    },
    Case("the second part of an APDU") { secret, capture in
      serial(simAccess, &capture)
      send(secret + [0, 0], &capture)
    },
    Case("a parameter of SIM access that nobody described") { secret, capture in
      serial(simAccess, &capture)
      send([0x11, 1, 0, 0, 0x20, 0] + big(secret.count) + secret + [0, 0], &capture)
    },
    Case("bytes behind an OBEX packet") { secret, capture in
      serial(push, &capture)
      send([0x81] + big(3) + secret, &capture)
    },
  ]

  /// Vol 3, Part B, 5.1: ServiceName, DocumentationURL and ProviderName behind the class.
  private static let discovery = [
    (0x0100, 0x25), (0x000A, 0x45), (0x0102, 0x25), (0x0101, 0x25), (0xF00D, 0x25),
  ].map { (id: Int, form: UInt8) in
    Case("SDP attribute \(String(id, radix: 16))") { secret, capture in
      let value = [9] + big(id) + [form, UInt8(secret.count)] + secret
      answer(
        service(handsFree, 3) + [9, 0, 6]
          + sequence([9, 0x65, 0x6E, 9, 0, 0x6A, 9, 1, 0]) + value, &capture)
    }
  }

  private static let channels: [Case] = [
    // HID 1.1, 3.1: an input report on a channel whose opening is missing.
    Case("a report of a channel that nobody opened") { secret, capture in
      capture.l2cap(0x47, [0xA1, 1] + secret)
    },
    // AVRCP 1.6, 6.10: a folder's name in I-frames with SAR, of which only a middle one is there.
    // Vol 3, Part A, 3.3 and 5.4: Enhanced Retransmission mode.
    Case("a continuing I-frame") { secret, capture in
      open(
        0x1B, 0x44, &capture, options: [4, 9, 3, 8, 3, 0xD0, 7, 0xE0, 0x2E, 0, 4])
      let body = [6, 0xC0] + secret
      let head = [UInt8(body.count + 2), 0, 0x44, 0]
      capture.l2cap(0x44, body + PayloadCheckSum.l2cap(head + body))
    },
    // AAP: audio routing with OPACK, as earbuds and hosts send it to each other.
    Case("a name in OPACK") { secret, capture in
      open(0x1001, 0x46, &capture)
      capture.l2cap(
        0x47, [0, 0, 4, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], isReceived: false)
      let map = [0xE1, 0x46] + Array("btName".utf8) + [0x40 + UInt8(secret.count)] + secret
      capture.l2cap(
        0x47, [4, 0, 4, 0, 0x10, 0, 1, 2, 3, 4, 5, 6, UInt8(map.count + 1), 0, 1] + map,
        isReceived: false)
    },
    Case("a name in OPACK that is cut") { secret, capture in
      open(0x1001, 0x46, &capture)
      capture.l2cap(
        0x47, [0, 0, 4, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0], isReceived: false)
      let map = [0xE2, 0x4A] + Array("playingApp".utf8) + [0x40 + UInt8(secret.count)] + secret
      capture.l2cap(
        0x47, [4, 0, 4, 0, 0x10, 0, 1, 2, 3, 4, 5, 6, UInt8(map.count + 1), 0, 1] + map,
        isReceived: false)
    },
    // Mesh Protocol 1.1, 3.10.3 and 7.2.2.2: Network IDs.
    Case("a Secure Network beacon") { secret, capture in
      advertise([0x2B, 1, 0] + secret + [0, 0, 0, 5], &capture)
    },
    Case("a mesh proxy's service data") { secret, capture in
      advertise([0x16, 0x28, 0x18, 0] + secret, &capture)
    },
    // TBS 1.0, 3.12: an operation that hark does not know, with what may be Call_Indexes.
    Case("a control point of calls") { secret, capture in
      capture.l2cap(4, [8, 1, 0, 0xFF, 0xFF, 3, 0x28], isReceived: false)
      capture.l2cap(4, [9, 7, 0x10, 0, 8, 0x11, 0, 0xBE, 0x2B])
      capture.l2cap(4, [0x12, 0x11, 0] + secret, isReceived: false)
    },
  ]

  /// An LE link with two channels of Enhanced ATT, EATT SPSM 0x0027, opened by one request. Vol 3, Part A, 4.25
  /// and 4.26; Vol 3, Part G, 5.4
  private static func enhanced(_ capture: inout MadeCapture) {
    capture.event(
      0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x90, 1, 0])
    // First Name, of the User Data Service: 0x2A8A, at 0x21.
    capture.l2cap(4, [8, 1, 0, 0xFF, 0xFF, 3, 0x28], isReceived: false)
    capture.l2cap(4, [9, 7, 0x20, 0, 2, 0x21, 0, 0x8A, 0x2A])
    capture.l2cap(
      5, [0x17, 7, 12, 0, 0x27, 0, 128, 0, 64, 0, 9, 0, 0x41, 0, 0x42, 0], isReceived: false)
    capture.l2cap(5, [0x18, 7, 12, 0, 128, 0, 64, 0, 9, 0, 0, 0, 0x61, 0, 0x62, 0])
  }

  private static let enhancedATT: [Case] = [
    Case("a name notified over Enhanced ATT") { secret, capture in
      enhanced(&capture)
      let value = [0x1B, 0x21, 0] + secret
      capture.l2cap(0x41, [UInt8(value.count), 0] + value)
    },
    Case("a name in two frames of Enhanced ATT") { secret, capture in
      enhanced(&capture)
      let value = [0x1B, 0x21, 0] + secret
      capture.l2cap(0x41, [UInt8(value.count), 0] + value[..<10])
      capture.l2cap(0x41, Array(value[10...]))
    },
    Case("a frame of Enhanced ATT whose next is lost") { secret, capture in
      enhanced(&capture)
      capture.l2cap(0x41, [60, 0, 0x1B, 0x21, 0] + secret)
    },
    Case("a frame of Enhanced ATT whose first is lost") { secret, capture in
      enhanced(&capture)
      capture.l2cap(0x41, secret)
      capture.l2cap(0x41, [3, 0, 0x1B, 0x21, 0])
    },
    Case("a name read part by part over Enhanced ATT, on two channels at once") { secret, capture in
      enhanced(&capture)
      for channel in [UInt16(0x61), 0x62] {
        capture.l2cap(channel, [3, 0, 0x0A, 0x21, 0], isReceived: false)
      }
      capture.l2cap(0x41, [8, 0, 0x0B] + secret[..<7])
      capture.l2cap(0x61, [5, 0, 0x0C, 0x21, 0, 7, 0], isReceived: false)
      capture.l2cap(0x42, [15, 0, 0x0B] + secret)
      capture.l2cap(0x41, [8, 0, 0x0D] + secret[7...])
    },
  ]

  /// LE Advertising Report. Vol 4, Part E, 7.7.65.2
  private static func advertise(_ structure: [UInt8], _ capture: inout MadeCapture) {
    let data = [UInt8(structure.count)] + structure
    capture.event(
      0x3E, [2, 1, 3, 1, 1, 2, 3, 4, 5, 0xC6, UInt8(data.count)] + data + [0xC0])
  }

  @Test(arguments: serial + discovery + channels + enhancedATT, RedactionLevel.allCases)
  func nothingStays(_ place: Case, _ level: RedactionLevel) throws {
    var dice = Dice(state: 11)
    let secret = (0..<14).map { _ in
      Array("bcdfghjklmnpqrstvwxz".utf8)[Int.random(in: 0..<20, using: &dice)]
    }
    var capture = MadeCapture()
    // Connection Complete. Vol 4, Part E, 7.7.3
    capture.event(3, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    place.build(secret, &capture)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "channels"), level)
    #expect(capture.bytes.holds(Array(secret[..<6])))
    for start in 0...(secret.count - 6) {
      #expect(!redacted.bytes.holds(Array(secret[start..<(start + 6)])))
    }
    #expect(redacted.list.bytes.reduce(0) { $0 + $1.count } == redacted.bytes.count)
  }

  /// Where the file does not say who sent what, hark may not know what it reads otherwise: then share keeps
  /// nothing of it either.
  @Test(arguments: serial + discovery + channels + enhancedATT)
  func nothingStaysWithoutDirection(_ place: Case) throws {
    var dice = Dice(state: 13)
    let secret = (0..<14).map { _ in
      Array("bcdfghjklmnpqrstvwxz".utf8)[Int.random(in: 0..<20, using: &dice)]
    }
    var capture = MadeCapture(.undirected)
    capture.event(3, [0, 0x40, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    place.build(secret, &capture)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "undirected"), .share)
    for start in 0...(secret.count - 6) {
      #expect(!redacted.bytes.holds(Array(secret[start..<(start + 6)])))
    }
  }

  // MARK: What nobody could read

  /// A file in which no record can be read comes out empty, or not at all.
  @Test(arguments: RedactionLevel.allCases) func nothingWasRead(_ level: RedactionLevel) throws {
    var dice = Dice(state: 12)
    let noise = dice.bytes(200)
    let head = MadeCapture().bytes
    for file in [head + [0xFF] + noise, MadeCapture(.pcap).bytes + noise] {
      let made: [UInt8]
      do {
        made = try redact(CaptureBytes(file, name: "noise"), level).bytes
      } catch is CaptureError {
        continue
      }
      #expect(made != file)
      for start in stride(from: 0, to: noise.count - 6, by: 3) {
        #expect(!made.holds(Array(noise[start..<(start + 6)])))
      }
    }
  }

  /// pcapng, 3.1: what fills packets up to four bytes is no one's.
  @Test func padding() throws {
    var capture = MadeCapture(.pcapng)
    capture.event(0x0E, [4, 1, 3, 0x0C, 0])
    var file = capture.bytes
    // 5 bytes of the link type's and 7 of the packet's: no padding; a command of 4 has three bytes.
    capture.add(2, [3, 0x0C, 1, 0])
    file = capture.bytes
    for place in (file.count - 7)..<(file.count - 4) { file[place] = 0x77 }
    let redacted = try redact(CaptureBytes(file, name: "padding"), .strict)
    #expect(redacted.bytes[(file.count - 7)..<(file.count - 4)].elementsEqual([0, 0, 0]))
  }
}

/// The frame check sequence of L2CAP: x^16 + x^15 + x^2 + 1. Core Specification, Vol 3, Part A, 3.3.5
private enum PayloadCheckSum {
  static func l2cap(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt16 = 0
    for byte in bytes {
      sum ^= UInt16(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    return [UInt8(sum & 0xFF), UInt8(sum >> 8)]
  }
}
