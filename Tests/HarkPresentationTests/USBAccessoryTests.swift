import Foundation
import HarkCapture
import HarkCore
import HarkPresentation
import HarkSamples
import HarkSession
import HarkTestSupport
import Testing

/// iAP2 over a USB: what passes through the bulk endpoints of an accessory's interface is reported as over RFCOMM.
@Suite struct USBAccessoryTests {
  private static let types = [189, 220, 249, 266]

  private static func file(_ type: Int) -> String { "iap2-usb-\(type).pcap" }

  /// The sentences of the lane, without times, frames and devices.
  private static func sentences(_ name: String, _ file: String) throws -> [String] {
    var found: [String] = []
    let timeline = try Sample.timelineLines(name, file)
    for line in timeline {
      guard let lane = line.range(of: "  iap2     ") else { continue }
      let sentence = line[lane.upperBound...]
      found.append(
        String(sentence.prefix(upTo: sentence.range(of: "  #")?.lowerBound ?? sentence.endIndex)))
    }
    return found
  }

  /// Detection, link, authentication, identification, messages and External Accessory sessions: the same as in the capture
  /// that the bytes are from.
  @Test(arguments: types) func asOverRFCOMM(_ type: Int) throws {
    let expected = try Self.sentences("iap2-session", "iap2-session.btsnoop")
    #expect(expected.count > 18)
    #expect(try Self.sentences("iap2-usb", Self.file(type)) == expected)
  }

  /// The bytes of each direction, of truth.json; the mouse and the descriptors give no record.
  @Test(arguments: types) func bytes(_ type: Int) throws {
    let truth = try Sample.truth("iap2-usb")
    let capture = try Capture(path: Sample.path("iap2-usb", Self.file(type)))
    var sides: [[UInt8]] = [[], []]
    var count = 0
    let hasDescriptors =
      ((truth["files"] as? [String: [String: Any]])?[Self.file(type)]?["descriptors"] as? Bool)
      == true
    let end = capture.forEachRecord { record, bytes in
      count += 1
      #expect(record.kind == .usbAccessory && record.controller == 0)
      #expect(record.flags.contains(.inferred) == !hasDescriptors)
      sides[Int(record.direction.rawValue)] += bytes.array
      return true
    }
    #expect(end.status == .complete && count == truth["transfers"] as? Int)
    let sizes = try #require(truth["bytes"] as? [String: Int])
    #expect(sides.map(\.count) == [sizes["toAccessory"], sizes["fromAccessory"]])
    #expect(try Self.dataLink("iap2-session", "iap2-session.btsnoop") == sides)
  }

  /// What passed over RFCOMM, by direction.
  private static func dataLink(_ name: String, _ file: String) throws -> [[UInt8]] {
    let first = try Sample.read(name, file) { _, _ in }
    let id = try #require(
      first.streams.first { if case .dataLink = $0.kind { true } else { false } }?.id)
    var session = Session(framings: .known)
    session.followed = id
    var sides: [[UInt8]] = [[], []]
    _ = try Capture(path: Sample.path(name, file)).forEachRecord { record, bytes in
      session.index(record, bytes)
      for piece in session.pieces { sides[Int(piece.direction.rawValue)] += piece.bytes }
      session.dropEvents()
      return true
    }
    return sides
  }

  /// Where the descriptors are in the capture, the interface's name says what it is; otherwise the data does, marked so.
  @Test(arguments: types) func whatSaysSo(_ type: Int) throws {
    let lines = try Sample.timelineLines("iap2-usb", Self.file(type))
    let line = try #require(lines.first { $0.contains("  link           USB accessory 1: iAP2, ") })
    #expect(
      line.contains(type == 249 ? "recognized by its data" : "on its interface “iAP Interface”"))
    let session = try Sample.read("iap2-usb", Self.file(type)) { _, _ in }
    let streams = session.streams.map { ($0.kind, $0.isInferred) }
    #expect(streams.contains { $0.0 == .usbAccessory(number: 0) && $0.1 == (type == 249) })
    #expect(streams.contains { $0.0 == .externalAccessory(session: 7) })
  }
}

extension Sample {
  fileprivate static func timelineLines(_ name: String, _ file: String) throws -> [String] {
    var timeline = Timeline(style: .plain)
    var out = TextBuffer()
    try read(name, file) { event, session in timeline.write(event, session, to: &out) }
    timeline.flush(to: &out)
    return out.string.split(separator: "\n").map(String.init)
  }
}
