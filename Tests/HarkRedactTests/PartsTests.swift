import Foundation
import HarkCapture
import Testing

@testable import HarkRedact

/// What comes in several PDUs, none of which has all of it.
@Suite struct PartsTests {
  private static let levels: [RedactionLevel] = [.share, .strict]

  /// Letters that no word has.
  private static func name(_ seed: UInt64, _ count: Int) -> [UInt8] {
    var dice = Dice(state: seed)
    return (0..<count).map { _ in
      Array("bcdfghjklmnpqrstvwxz".utf8)[Int.random(in: 0..<20, using: &dice)]
    }
  }

  /// Whether six bytes of a secret stand anywhere, or in what the packets of `capture` carry.
  private static func survivors(_ secret: [UInt8], in capture: [UInt8]) -> [[UInt8]] {
    (0...(secret.count - 6)).map { Array(secret[$0..<($0 + 6)]) }.filter { capture.holds($0) }
  }

  private static func expectNone(
    _ secrets: [[UInt8]], of capture: MadeCapture, _ level: RedactionLevel,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    for secret in secrets {
      #expect(!survivors(secret, in: capture.bytes).isEmpty, sourceLocation: location)
    }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "parts"), level)
    #expect(redacted.bytes.count == capture.bytes.count, sourceLocation: location)
    for secret in secrets {
      let left = survivors(secret, in: redacted.bytes).map { String(decoding: $0, as: UTF8.self) }
      #expect(left.isEmpty, sourceLocation: location)
    }
  }

  /// LE Set Extended Advertising Data, Advertising_Handle 2: Vol 4, Part E, 7.8.54.
  private static func set(_ operation: UInt8, _ data: [UInt8], in capture: inout MadeCapture) {
    let parameters = [2, operation, 1, UInt8(data.count)] + data
    capture.add(2, [0x37, 0x20, UInt8(parameters.count)] + parameters)
  }

  /// LE Extended Advertising Report of a random address: 7.7.65.13.
  private static func report(_ status: UInt8, _ data: [UInt8], in capture: inout MadeCapture) {
    let head: [UInt8] = [0x0D, 1, status << 5, 0, 1, 1, 2, 3, 4, 5, 0xC6, 1, 1, 3, 127, 0xCE, 0, 0]
    capture.event(0x3E, head + [0, 0, 0, 0, 0, 0, 0, UInt8(data.count)] + data)
  }

  /// LE Periodic Advertising Report: 7.7.65.15.
  private static func periodic(_ status: UInt8, _ data: [UInt8], in capture: inout MadeCapture) {
    capture.event(0x3E, [0x0F, 1, 0, 127, 0xCE, 0xFF, status, UInt8(data.count)] + data)
  }

  @Test(arguments: levels) func advertisingDataInFragments(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    let names = [Self.name(1, 60), Self.name(2, 40), Self.name(3, 40)]
    let data = [
      [2, 1, 6, 61, 9] + names[0], [41, 9] + names[1], [41, 0x30] + names[2] + [2, 0x0A, 5],
    ]
    Self.set(1, Array(data[0][..<20]), in: &capture)
    Self.set(0, Array(data[0][20..<50]), in: &capture)
    Self.set(2, Array(data[0][50...]), in: &capture)
    Self.report(1, Array(data[1][..<20]), in: &capture)
    Self.report(0, Array(data[1][20...]), in: &capture)
    Self.periodic(1, Array(data[2][..<19]), in: &capture)
    Self.periodic(0, Array(data[2][19...]), in: &capture)
    try Self.expectNone(names, of: capture, level)
  }

  /// The beginning was sent before the capture began, or the end never arrived.
  @Test(arguments: levels) func partsOfWhatIsNotThere(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    let names = [Self.name(4, 40), Self.name(5, 40)]
    Self.set(2, Array(names[0][10...]), in: &capture)
    Self.report(1, [41, 9] + names[1][..<20], in: &capture)
    try Self.expectNone([Array(names[0][10...]), Array(names[1][..<20])], of: capture, level)
  }

  @Test(arguments: levels) func malformedAdvertisingData(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    let name = Self.name(6, 12)
    // LE Advertising Report: the structure says that it is longer. 7.7.65.2.
    capture.event(
      0x3E, [0x02, 1, 0, 0, 1, 2, 3, 4, 5, 6, 14, 30, 9] + name + [0xC0])
    let file = CaptureBytes(capture.bytes, name: "malformed")
    let redacted = try redact(file, level)
    #expect(Self.survivors(name, in: redacted.bytes).isEmpty)
    #expect(redacted.bytes.count == capture.bytes.count)
  }

  /// An ATT PDU on a link: Vol 4, Part E, 5.4.2; Vol 3, Part A, 3.1.
  private static func att(
    _ pdu: [UInt8], fromPeer: Bool = true, in capture: inout MadeCapture
  ) {
    let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
    capture.add(fromPeer ? 5 : 4, [0x40, fromPeer ? 0x20 : 0, UInt8(frame.count), 0] + frame)
  }

  /// A server with a Device Name at handle 3 and a Serial Number String at 12.
  private static func server() -> MadeCapture {
    var capture = MadeCapture()
    // LE Connection Complete: 7.7.65.1.
    capture.event(
      0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x90, 1, 0])
    att([8, 1, 0, 0xFF, 0xFF, 3, 0x28], fromPeer: false, in: &capture)
    att(
      [9, 7, 2, 0, 0x0A, 3, 0, 0, 0x2A, 11, 0, 2, 12, 0, 0x25, 0x2A], in: &capture)
    return capture
  }

  @Test(arguments: levels) func attributesReadPartByPart(_ level: RedactionLevel) throws {
    var capture = Self.server()
    let name = Self.name(7, 50)
    Self.att([0x0A, 3, 0], fromPeer: false, in: &capture)
    Self.att([0x0B] + name[..<22], in: &capture)
    Self.att([0x0C, 3, 0, 22, 0], fromPeer: false, in: &capture)
    Self.att([0x0D] + name[22..<44], in: &capture)
    Self.att([0x0C, 3, 0, 44, 0], fromPeer: false, in: &capture)
    Self.att([0x0D] + name[44...], in: &capture)
    // Of this one the beginning is not there.
    let serial = Self.name(8, 20)
    Self.att([0x0C, 12, 0, 22, 0], fromPeer: false, in: &capture)
    Self.att([0x0D] + serial, in: &capture)
    try Self.expectNone([name, serial], of: capture, level)
  }

  @Test(arguments: levels) func attributesWrittenPartByPart(_ level: RedactionLevel) throws {
    var capture = Self.server()
    let name = Self.name(9, 40)
    for offset in [0, 18, 36] {
      let part = [3, 0, UInt8(offset), 0] + name[offset..<min(offset + 18, 40)]
      Self.att([0x16] + part, fromPeer: false, in: &capture)
      Self.att([0x17] + part, in: &capture)
    }
    Self.att([0x18, 1], fromPeer: false, in: &capture)
    Self.att([0x19], in: &capture)
    try Self.expectNone([name], of: capture, level)
  }

  @Test(arguments: levels) func valuesBesideOthers(_ level: RedactionLevel) throws {
    var capture = Self.server()
    let (several, asked) = (Self.name(10, 30), Self.name(11, 12))
    Self.att([0x0E, 3, 0, 12, 0], fromPeer: false, in: &capture)
    Self.att([0x0F] + several, in: &capture)
    Self.att([6, 1, 0, 0xFF, 0xFF, 0, 0x2A] + asked, fromPeer: false, in: &capture)
    Self.att([1, 6, 1, 0, 0x0A], in: &capture)
    try Self.expectNone([several, asked], of: capture, level)
  }

  /// 22EAC6E9-24D6-4BB5-BE44-B36ACE7C7BFB, as it is sent.
  private static let dataSource: [UInt8] = [
    0xFB, 0x7B, 0x7C, 0xCE, 0x6A, 0xB3, 0x44, 0xBE, 0xB5, 0x4B, 0xD6, 0x24, 0xE9, 0xC6, 0xEA, 0x22,
  ]

  /// Answers of ANCS go on in the next value, anywhere: the length of 0x61 is no letter.
  @Test(arguments: levels) func answersInSeveralNotifications(_ level: RedactionLevel) throws {
    var capture = Self.server()
    Self.att([8, 20, 0, 0xFF, 0xFF, 3, 0x28], fromPeer: false, in: &capture)
    Self.att([9, 21, 20, 0, 0x10, 21, 0] + Self.dataSource, in: &capture)
    let (title, message) = (Self.name(13, 14), Self.name(14, 0x61))
    let answer = [0, 1, 0, 0, 0, 1, 14, 0] + title + [3, 0x61, 0] + message
    for start in stride(from: 0, to: answer.count, by: 20) {
      Self.att([0x1B, 21, 0] + answer[start..<min(start + 20, answer.count)], in: &capture)
    }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "parts"), level)
    for secret in [title, message] {
      #expect(Self.survivors(Array(secret[..<6]), in: redacted.bytes).isEmpty)
      #expect(Self.survivors(Array(secret.suffix(6)), in: redacted.bytes).isEmpty)
    }
    // The last of the title, and how long the message is.
    #expect(redacted.bytes.holds([3, 0x61]))
  }

  /// Answers of ANCS of which the first values are lost, or all but the last; the Data Source was discovered.
  /// A length may be the first octet that is there, or stand in two values. ANCS Specification, 4.2 and Appendix A.
  @Test(arguments: 1...4, RedactionLevel.allCases)
  func answersWithoutBeginning(_ lost: Int, _ level: RedactionLevel) throws {
    for size in [8, 20] {
      var capture = Self.server()
      Self.att([8, 20, 0, 0xFF, 0xFF, 3, 0x28], fromPeer: false, in: &capture)
      Self.att([9, 21, 20, 0, 0x10, 21, 0] + Self.dataSource, in: &capture)
      let (title, message) = (Self.name(15, 14), Self.name(16, 0x61))
      let answer = [0, 1, 0, 0, 0, 1, 14, 0] + title + [3, 0x61, 0] + message
      for start in stride(from: size * lost, to: answer.count, by: size) {
        Self.att([0x1B, 21, 0] + answer[start..<min(start + size, answer.count)], in: &capture)
      }
      let redacted = try redact(CaptureBytes(capture.bytes, name: "parts"), level)
      #expect(redacted.bytes.count == capture.bytes.count)
      for secret in [title, message] {
        #expect(Self.survivors(secret, in: redacted.bytes).isEmpty)
      }
    }
  }

  /// ANCS on a link whose discovery is not in the capture: its conversation tells what the attributes are.
  @Test(arguments: levels) func inferredAnswers(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    let (title, message) = (Self.name(17, 14), Self.name(18, 0x31))
    for handle: UInt8 in [0x31, 0x41] {
      // A notice; a request for title and message, of 32 and 64 octets at most; its answer.
      Self.att([0x1B, handle, 0, 0, 0, 4, 1, 0x2A, 0, 0, 0], in: &capture)
      Self.att(
        [0x12, handle + 3, 0, 0, 0x2A, 0, 0, 0, 1, 32, 0, 3, 64, 0], fromPeer: false, in: &capture)
      Self.att([0x13], in: &capture)
      let answer = [0, 0x2A, 0, 0, 0, 1, 14, 0] + title + [3, 0x31, 0] + message
      for start in stride(from: 0, to: answer.count, by: 20) {
        Self.att(
          [0x1B, handle + 6, 0] + answer[start..<min(start + 20, answer.count)], in: &capture)
      }
    }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "parts"), level)
    for secret in [title, message] {
      #expect(!Self.survivors(Array(secret[..<6]), in: capture.bytes).isEmpty)
      #expect(Self.survivors(secret, in: redacted.bytes).isEmpty)
    }
  }

  /// A device that is called by its serial number tells the number alone in a vendor's message.
  @Test(arguments: levels) func numberOfName(_ level: RedactionLevel) throws {
    var capture = Self.server()
    let number = Array("O38240700268".utf8)
    Self.att([0x0A, 3, 0], fromPeer: false, in: &capture)
    Self.att([0x0B] + Array("NOVA_".utf8) + number, in: &capture)
    Self.att([8, 20, 0, 0xFF, 0xFF, 3, 0x28], fromPeer: false, in: &capture)
    Self.att([9, 21, 20, 0, 0x10, 21, 0] + (1...16).map { UInt8($0 * 13) }, in: &capture)
    Self.att([0x1B, 21, 0, 7, 0x14, 0, 0x0C, 6] + number + Array("jgMC".utf8), in: &capture)
    try Self.expectNone([number], of: capture, level)
  }

  /// Media and calls of LE Audio, places, alerts: Assigned Numbers, 3.8.
  @Test(arguments: levels) func valuesOfPeople(_ level: RedactionLevel) throws {
    var capture = Self.server()
    let types: [UInt16] = [0x2B97, 0x2BB3, 0x2BB4, 0x2AB5, 0x2ABE]
    var secrets: [[UInt8]] = []
    for (index, type) in types.enumerated() {
      let handle = UInt8(40 + index * 2)
      Self.att([8, handle - 1, 0, 0xFF, 0xFF, 3, 0x28], fromPeer: false, in: &capture)
      Self.att(
        [9, 7, handle - 1, 0, 2, handle, 0, UInt8(type & 0xFF), UInt8(type >> 8)], in: &capture)
      secrets.append(Self.name(UInt64(20 + index), 14))
      Self.att([0x0A, handle, 0], fromPeer: false, in: &capture)
      Self.att([0x0B] + secrets[index], in: &capture)
    }
    try Self.expectNone(secrets, of: capture, level)
  }

  /// A file that ends in the middle of a record.
  @Test(arguments: levels) func whatNobodyCanRead(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    let name = Self.name(30, 40)
    capture.event(0x0E, [1, 3, 0x0C, 0])
    // Remote Name Request Complete: 7.1.7.
    capture.event(
      0x07, [0, 1, 2, 3, 4, 5, 6] + name + [UInt8](repeating: 0, count: 208))
    let cut = Array(capture.bytes.dropLast(190))
    let redacted = try redact(CaptureBytes(cut, name: "cut"), level)
    #expect(redacted.bytes.count == cut.count)
    #expect(!Self.survivors(name, in: cut).isEmpty)
    #expect(Self.survivors(name, in: redacted.bytes).isEmpty)
  }

  /// The same value in parts and in one piece has the same pseudonym.
  @Test func partsAreOneValue() throws {
    var capture = Self.server()
    let name = Self.name(12, 40)
    Self.att([0x0A, 3, 0], fromPeer: false, in: &capture)
    Self.att([0x0B] + name[..<22], in: &capture)
    Self.att([0x0C, 3, 0, 22, 0], fromPeer: false, in: &capture)
    Self.att([0x0D] + name[22...], in: &capture)
    Self.att([0x12, 3, 0] + name, fromPeer: false, in: &capture)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "parts"))
    let written = try #require(Data(capture.bytes).range(of: Data([0x12, 3, 0] + name)))
    let new = Array(redacted.bytes[(written.lowerBound + 3)..<written.upperBound])
    #expect(new != name)
    #expect(redacted.bytes.holds([0x0B] + new[..<22]))
    #expect(redacted.bytes.holds([0x0D] + new[22...]))
  }

  /// Keys of pairing in fragments of ACL, the last of which may be missing.
  /// Core Specification, Vol 3, Part H, 3.6.2; Vol 4, Part E, 5.4.2.
  @Test(arguments: [5, 7, 11, 20], RedactionLevel.allCases)
  func keysInFragments(_ size: Int, _ level: RedactionLevel) throws {
    var dice = Dice(state: 22)
    // The code behind the header of L2CAP alone does not tell that a key follows.
    for isWhole in size == 5 ? [true] : [true, false] {
      var capture = MadeCapture()
      let secret = dice.bytes(16)
      let pdu = [17, 0, 6, 0, 6] + secret
      let parts = stride(from: 0, to: pdu.count, by: size).map {
        Array(pdu[$0..<min($0 + size, pdu.count)])
      }
      for (index, part) in (isWhole ? parts : parts.dropLast()).enumerated() {
        capture.add(5, [0x40, index == 0 ? 0x20 : 0x10, UInt8(part.count), 0] + part)
      }
      let redacted = try redact(CaptureBytes(capture.bytes, name: "fragments"), level)
      #expect(redacted.bytes.count == capture.bytes.count)
      for part in parts.dropFirst().dropLast(isWhole ? 0 : 1) where part.count > 4 {
        #expect(capture.bytes.holds(part) && !redacted.bytes.holds(part))
      }
    }
  }

  /// A notification whose values end in the middle of an attribute's header: lengths stay, whatever letters
  /// they look like. Apple Notification Center Service Specification, Appendix A.
  @Test(arguments: 40..<70) func notification(_ length: Int) throws {
    var dice = Dice(state: 21)
    func text(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8.random(in: 0x61...0x7A, using: &dice) }
    }
    var capture = MadeCapture()
    // The characteristic of the Data Source, discovered by Read By Type.
    capture.l2cap(4, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], isReceived: false)
    capture.l2cap(4, [0x09, 21, 0x10, 0, 0x10, 0x11, 0] + Self.dataSource)
    let (title, message) = (text(15), text(length))
    func attribute(_ id: UInt8, _ value: [UInt8]) -> [UInt8] {
      [id, UInt8(value.count), 0] + value
    }
    let response = [0, 1, 0, 0, 0] + attribute(1, title) + attribute(3, message)
    for start in stride(from: 0, to: response.count, by: 20) {
      capture.l2cap(4, [0x1B, 0x11, 0] + response[start..<min(start + 20, response.count)])
    }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "notification"))
    for start in stride(from: 0, to: response.count, by: 20) {
      let (part, rest) = (response[start...].prefix(20), Haystack(redacted.bytes))
      if part.count > 8 { #expect(!rest.holds(Array(part))) }
    }
  }
}
