import Foundation
import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkSession

/// What the index pass must find between packets: links, channels, PDUs in several packets, and
/// which request a response answers. The expected values are tshark's (Expected/expect.py), for
/// captures of Bumble's stack and real ones.
@Suite struct IndexExpectationTests {
  static let bundled = [
    ("pebble-session", "pebble-session/pebble-session.btsnoop"),
    ("notifbridge-v1", "notifbridge-v1/notifbridge-v1.pcapng"),
    ("pebble-reboot", "pebble-reboot/pebble-reboot.btsnoop"),
  ]

  /// Of `Samples.manifest`.
  static let real = [
    ("lightsapp", "mchwalisz+lightsapp-cli/@c11cc5be88/docs/btsnoop_hci.log"),
    ("pumpx2", "jwoglom+pumpX2/scripts/discord-switchkill/2023/btsnoop_hci.log"),
    (
      "btserver2",
      "brandonasuncion+Reverse-Engineering-Bluetooth-Protocols/BTServerCaptures/BTServer2.pklg"
    ),
    (
      "happyleaf-fail",
      "AshMartian+HappyLeaf/@450b85d4ab/Logs/Bluetooth/btsnoop_hci_happyleaf_fail.log"
    ),
    ("oppo-earbuds", "Swastik36+OPPO-Earbuds/captures/btsnoop_hci.log"),
    ("pixelbuds", "francozappa+bluffs/pcap/sc-pixelbuds-aseries.pcapng"),
    ("pongbot", "whoisbe+pongbot-mcp/captures/btsnoop_hci.log"),
  ]

  @Test(arguments: bundled) func ofBumble(_ name: String, _ file: String) throws {
    try check(name, Samples.root + "/captures/" + file)
  }

  @Test(
    .enabled(if: !Samples.manifest.isEmpty, "no corpus of real captures here"), arguments: real)
  func ofRealTraffic(_ name: String, _ file: String) throws {
    try check(name, try #require(Samples.manifest.first { $0.file == file }?.path))
  }

  private func check(_ name: String, _ path: String) throws {
    let expected = try expected(name)
    #expect(!expected.isEmpty)
    var session = Session()
    _ = try Capture(path: path).forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      return true
    }
    session.finish()
    let found = Set(links(session) + channels(session) + packets(session))
    #expect(expected.subtracting(found).sorted() == [], "tshark finds it, hark does not")
    // tshark does not match the SABM of an RFCOMM session, on DLCI 0, with its answer.
    let sessions = Set(rfcommAnswers(session))
    #expect(
      found.subtracting(expected).subtracting(sessions).sorted() == [],
      "hark finds it, tshark does not")
  }

  private func expected(_ name: String) throws -> Set<String> {
    let file = Project.tests.appending(path: "HarkSessionTests/Expected/\(name).tsv")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return Set(
      lines.filter { !$0.hasPrefix("#") }.map { line in
        let words = line.split(separator: "\t").map(String.init)
        // A channel has two ends; which one is the host's depends on who asked.
        guard words[0] == "channel", let a = Int(words[3]), let b = Int(words[4]) else {
          return words.joined(separator: " ")
        }
        return "channel \(words[1]) \(words[2]) \(min(a, b)) \(max(a, b))"
      })
  }

  private func links(_ session: borrowing Session) -> [String] {
    var found: [String] = []
    for link in session.links {
      if link.certainty == .seen { found.append("open \(link.opened.number) \(link.handle)") }
      if let closed = link.closed, let reason = link.reason {
        found.append("close \(closed.number) \(link.handle) \(reason)")
      }
    }
    return found
  }

  private func channels(_ session: borrowing Session) -> [String] {
    session.channels.map { channel in
      let ends = [channel.localCID, channel.remoteCID].sorted()
      return "channel \(channel.opened.number) \(channel.psm) \(ends[0]) \(ends[1])"
    }
  }

  private func rfcommAnswers(_ session: borrowing Session) -> [String] {
    var answers: [String] = []
    for number in stride(from: 1, through: UInt32(session.packets.count), by: 1) {
      guard let row = session.packets[number], let channel = row.channel,
        session.channels[Int(channel.index)].psm == 3
      else { continue }
      answers.append("answer \(number) \(row.related)")
    }
    return answers
  }

  private func packets(_ session: borrowing Session) -> [String] {
    var found: [String] = []
    for number in stride(from: 1, through: UInt32(session.packets.count), by: 1) {
      guard let row = session.packets[number], row.kind == .acl else { continue }
      if row.related != 0, row.related < number { found.append("answer \(number) \(row.related)") }
      guard row.flags.contains(.fragment) else { continue }
      let last = row.flags.contains(.completes) ? number : row.chain
      guard let first = session.packets[last]?.chain, first != number else { continue }
      found.append("continues \(number) \(first)")
    }
    return found
  }
}
