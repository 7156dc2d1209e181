import Foundation
import HarkCapture
import HarkTestSupport
import Testing

@testable import HarkRedact

/// What is said about calls, and what networks carry.
@Suite struct CallsTests {
  private static let levels: [RedactionLevel] = [.share, .strict]

  /// The records of a btsnoop file, each with its header of 24 bytes.
  private static func records(_ bytes: [UInt8]) -> [[UInt8]] {
    var records: [[UInt8]] = []
    var place = 16
    while place + 24 <= bytes.count {
      let count = bytes[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
      records.append(Array(bytes[place..<(place + 24 + count)]))
      place += 24 + count
    }
    return records
  }

  /// A record like `record`, which has a line of the Hands-Free Profile in an RFCOMM frame.
  private static func line(_ text: String, like record: [UInt8]) -> [UInt8] {
    let payload = Array("\r\n\(text)\r\n".utf8)
    let frame = RFCOMMBytes.frame(record[33], record[34], payload)
    // Record header, packet type, ACL header, L2CAP header.
    var made = Array(record[..<33]) + frame
    made[27] = UInt8(frame.count + 4)
    made[29] = UInt8(frame.count)
    for index in [3, 7] { made[index] = UInt8(made.count - 24) }
    return made
  }

  @Test(arguments: levels) func linesOfHandsFree(_ level: RedactionLevel) throws {
    let sample = try Samples.read("hands-free/hands-free.btsnoop").bytes
    let all = Self.records(sample)
    let clip = try #require(all.firstIndex { $0.holds(Array("+CLIP: \"".utf8)) })
    let like = all[clip]
    // An H4 record of ACL data with one L2CAP frame and a UIH frame without credits.
    try #require(like[24] == 2 && like[34] == 0xEF)
    let lines = [
      #"+CLIP: "+15550199123",145,"",0,"Vpzdnbjfcx",0"#,
      #"+CLCC: 1,1,4,0,0,"+15550188321",145,"Wzclqzgtkd""#, #"+COPS: 0,0,"Qwtrplkjmn""#,
      "358240051111110", #"+CPBR: 1,"06621813110",129,"Hkfjbvssmw""#,
      #"+CMGR: "REC READ","+15550177654",,"24/01/01""#, "Zmxncbvlak sent you this",
      "+BINP: 5550166987", "+33 Tqwzrplmkn calls", "AT Xlkqjwvbnm: here", #"+XYZ: "Gfdsqwrtpl""#,
      // A number in groups, PINs, an area and a cell, a network, numbers without quotes, an address in decimal octets.
      "AT+QNUM=0151,2345,6789", "AT+CPIN=4711,1234", "+CREG: 2,1,1234,5678", "+COPS: 0,2,26201",
      "+CLIP: 4915,129", "+CNUM: ,48213,129,,4", "AT+BAC=124,46,189,16,32,48",
    ]
    let secrets = [
      "15550199123", "Vpzdnbjfcx", "15550188321", "Wzclqzgtkd", "Qwtrplkjmn", "358240051111110",
      "06621813110", "Hkfjbvssmw", "15550177654", "Zmxncbvlak", "5550166987", "Tqwzrplmkn",
      "Xlkqjwvbnm", "Gfdsqwrtpl", "0151,2345,6789", "4711,1234", "1234,5678", "2,26201",
      ": 4915,", "48213", "124,46,189",
    ]
    let made = lines.map { Self.line($0, like: like) }
    let capture =
      sample[..<16] + (all[...clip] + made + all[(clip + 1)...]).flatMap { $0 }
    let redacted = try redact(CaptureBytes(Array(capture), name: "calls"), level)
    #expect(redacted.bytes.count == capture.count)
    for secret in secrets {
      #expect(Array(capture).holds(Array(secret.utf8)))
      #expect(!redacted.bytes.holds(Array(secret.utf8)))
    }
    // What the profile itself says.
    for kept in [
      #"+CLIP: "+"#, "+CLCC: 1,1,4,0,0,", "+CPBR: 1,", "+BINP: ", "AT+BRSF=413",
      "+CREG: 2,1,", "+COPS: 0,2,", "+CNUM: ,", ",129,,4",
    ] + (level == .share ? ["+XYZ: "] : []) {
      #expect(redacted.bytes.holds(Array(kept.utf8)))
    }
    // Commands that nobody knows are commands still.
    let counts = [Array(capture), redacted.bytes].map { bytes in
      bytes.indices.count { bytes[$0...].starts(with: "AT+".utf8) }
    }
    #expect(counts[0] == counts[1])
  }

  /// An L2CAP frame of a BR/EDR link: Vol 3, Part A, 3.1.
  private static func frame(
    _ channel: UInt8, _ payload: [UInt8], fromPeer: Bool, in capture: inout MadeCapture
  ) {
    let (low, high) = (UInt8(payload.count & 0xFF), UInt8(payload.count >> 8))
    let count = payload.count + 4
    capture.add(
      fromPeer ? 5 : 4,
      [0x0B, 0x20, UInt8(count & 0xFF), UInt8(count >> 8), low, high, channel, 0] + payload)
  }

  @Test(arguments: levels) func packetsOfNetworks(_ level: RedactionLevel) throws {
    var capture = MadeCapture()
    // Connection Complete: Vol 4, Part E, 7.7.3.
    capture.event(0x03, [0, 0x0B, 0, 1, 2, 3, 4, 5, 6, 1, 0])
    // A channel for BNEP: Vol 3, Part A, 4.2 and 4.3.
    Self.frame(1, [2, 1, 4, 0, 0x0F, 0, 0x44, 0], fromPeer: false, in: &capture)
    Self.frame(1, [3, 1, 8, 0, 0x54, 0, 0x44, 0, 0, 0, 0, 0], fromPeer: true, in: &capture)
    let host = Array("Gkwtzqmxvb".utf8)
    let udp: [UInt8] = [0x13, 0x88, 0, 53, 0, UInt8(host.count + 8), 0xAB, 0xCD] + host
    let cookie = Array("Cookie: Zrqpxwvkjt".utf8)
    let tcp: [UInt8] =
      [0x13, 0x88, 0, 80, 0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x18, 3, 0xE8, 0x12, 0x34, 0, 0] + cookie
    for (carried, payload) in [(UInt8(17), udp), (6, tcp)] {
      let ip: [UInt8] =
        [
          0x45, 0, 0, UInt8(20 + payload.count), 0, 1, 0, 0, 64, carried, 0xBE, 0xEF, 10, 77, 91,
          203,
        ]
        + [93, 184, 216, 34] + payload
      // BNEP_COMPRESSED_ETHERNET, IPv4: BNEP 1.0, 2.4.3.
      Self.frame(0x54, [2, 8, 0] + ip, fromPeer: false, in: &capture)
    }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "network"), level)
    for secret in [host, Array(cookie.suffix(10)), [10, 77, 91, 203], [93, 184, 216, 34]] {
      #expect(capture.bytes.holds(secret))
      #expect(!redacted.bytes.holds(secret))
    }
    // Ports and lengths; a private address is one still, and checksums are gone.
    #expect(redacted.bytes.holds(Array(udp[..<6]) + [0, 0]))
    #expect(redacted.bytes.holds(Array(tcp[..<16]) + [0, 0, 0, 0]))
    #expect(redacted.bytes.holds([64, 17, 0, 0, 10]))
  }
}
