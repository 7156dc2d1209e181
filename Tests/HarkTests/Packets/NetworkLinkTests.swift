import Foundation
import HarkTestSupport
import Testing

/// TCP streams that a profile opens, with each link type that captures of a local network have. Their headers:
/// tcpdump.org, "Link-Layer Header Types".
@Suite struct NetworkLinkTests {
  private static func number(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// The bytes with another header instead of Ethernet's; nil for frames without IP that the link type does not have.
  private static func converted(_ frame: [UInt8], to link: Int) -> [UInt8]? {
    let (source, type, packet) = (Array(frame[6..<12]), Array(frame[12..<14]), Array(frame[14...]))
    let isIP = type == [0x08, 0x00]
    return switch link {
    case 0: isIP ? [2, 0, 0, 0] + packet : nil
    case 101: isIP ? packet : nil
    case 113: [0, 0, 0, 1, 0, 6] + source + [0, 0] + type + packet
    case 276: type + [0, 0, 0, 0, 0, 1, 0, 1, 0, 6] + source + [0, 0] + packet
    default: frame
    }
  }

  /// The sample with another link type on its interface in the network.
  private static func capture(_ link: Int) throws -> [UInt8] {
    let bytes = [UInt8](
      try Data(
        contentsOf: URL(fileURLWithPath: Project.capture("lens-network/lens-network.pcapng"))))
    func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << ($1 * 8) } }
    var (made, place, links): ([UInt8], Int, [UInt8]) = ([], 0, [])
    while place < bytes.count {
      let (type, count) = (word(place), word(place + 4))
      var block = Array(bytes[place..<place + count])
      if type == 1 {
        links.append(block[8])
        if block[8] == 1 { block.replaceSubrange(8..<10, with: number(link, 2)) }
      } else if type == 6, links[word(place + 8)] == 1 {
        let frame = Array(block[28..<28 + word(place + 20)])
        if let new = converted(frame, to: link) {
          let padded = new + [UInt8](repeating: 0, count: -new.count & 3)
          let size = number(padded.count + 32, 4)
          block =
            number(6, 4) + size + block[8..<20] + number(new.count, 4) + number(new.count, 4)
            + padded + size
        } else {
          block = []
        }
      }
      made += block
      place += count
    }
    return made
  }

  /// The sentences of the timeline are those of the sample, but for the numbers of packets.
  @Test(arguments: [0, 101, 113, 276]) func streamsAreOpened(_ link: Int) throws {
    let folder = try TestFolder()
    func timeline(_ capture: String) throws -> [Substring] {
      let (text, stated, code) = try OtherProgram.run(
        HarkProgram.url.path,
        ["timeline", capture, "--keys", Project.capture("lens-network/accessory.harkkeys")])
      #expect(code == 0 && stated.isEmpty, "\(stated)")
      // Packets without IP are missing, so that others have other numbers.
      return text.replacing(/#\d+(–\d+)?/, with: "#").split(separator: "\n")
    }
    let expected = try timeline(Project.capture("lens-network/lens-network.pcapng"))
    #expect(expected.contains { $0.contains("continues over the local network") })
    let path = folder.path("network.pcapng")
    try Data(Self.capture(link)).write(to: URL(fileURLWithPath: path))
    #expect(try timeline(path) == expected)
  }

  /// The capture begins when the Bluetooth link is open, so that its device is unknown: the session continues over the network
  /// nonetheless, and its messages are decrypted as in the whole capture.
  @Test func sessionOfUnknownDevice() throws {
    let folder = try TestFolder()
    let whole = Project.capture("lens-network/lens-network.pcapng")
    let part = folder.path("part.pcapng")
    // Discovery begins in packet 75.
    let converted = try HarkProgram.run("convert", whole, part, "-Y", "frame.number > 74")
    #expect(converted.code == 0, "\(converted.stated)")
    let keys = Project.capture("lens-network/accessory.harkkeys")
    func messages(_ capture: String) throws -> [Substring] {
      let lanes = "notify,reply,session"
      return try HarkProgram.timeline(capture, "--lane", lanes, "--keys", keys).map { line in
        // Without the device, and the numbers of packets.
        line.dropFirst(43).replacing(/#\d+(–\d+)?/, with: "#")
      }
    }
    let expected = try messages(whole)
    #expect(expected.contains { $0.contains("continues over the local network") })
    #expect(try messages(part) == expected)
    let timeline = try HarkProgram.timeline(part, "--keys", keys).joined(separator: "\n")
    #expect(
      timeline.contains(
        "hark treats the server at 192.168.7.2:7117 as the peer on LE link 0x0001, the only one that uses"
      ), "\(timeline)")
  }

  /// A capture without one segment that the server acknowledges: hark reports how many bytes it lacks, and blames neither the
  /// recorder for truncating packets, nor the sender, nor the profile. RFC 791, 3.1; RFC 9293, 3.1, 3.4
  @Test func gapIsNobodysFault() throws {
    let folder = try TestFolder()
    try """
    profile:
      id: acme
      name: Acme
    channels:
      - tcp-port: 7001
        assembly: {length: {header: 2, total: "_[0] * 256 + _[1] + 2"}}
        encoding: raw
        messages:
          - is: envelope
            body: _.slice(2, _.size)
            encoding: json
            messages:
              - {when: kind == "hello", is: greeting, display-name: name}
    """.write(toFile: folder.path("profile.yaml"), atomically: true, encoding: .utf8)
    func big(_ value: Int, _ size: Int) -> [UInt8] { Self.number(value, size).reversed() }
    func message(_ name: String) -> [UInt8] {
      let text = Array(#"{"kind":"hello","name":"\#(name)"}"#.utf8)
      return big(text.count, 2) + text
    }
    let stream = ["one", "two", "three", "four", "five"].map(message)
    let lost = stream[0].count + stream[1].count + 10
    let bytes = stream.flatMap(\.self)
    // Of the third message the end, and the beginning of the fourth.
    let pieces = [0..<lost, lost..<lost + 30, lost + 30..<bytes.count].map { Array(bytes[$0]) }
    var sequences = [1_000, 5_000]
    var file = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
    file += Self.number(65_535, 4) + Self.number(101, 4)
    func segment(_ side: Int, _ flags: UInt8, _ data: [UInt8] = [], isThere: Bool = true) {
      let (ports, hosts) = ([50_312, 7_001], [[192, 168, 7, 1], [192, 168, 7, 2]] as [[UInt8]])
      let packet: [UInt8] =
        [0x45, 0] + big(40 + data.count, 2) + [0, 1, 0x40, 0, 64, 6, 0, 0] + hosts[side]
        + hosts[1 - side] + big(ports[side], 2) + big(ports[1 - side], 2) + big(sequences[side], 4)
        + big(sequences[1 - side], 4) + [0x50, flags, 0xFF, 0xFF, 0, 0, 0, 0] + data
      sequences[side] += data.count + (flags & 0x03 == 0 ? 0 : 1)
      if isThere {
        file +=
          Self.number(0, 8) + Self.number(packet.count, 4) + Self.number(packet.count, 4)
          + packet
      }
    }
    let (fin, syn, ack): (UInt8, UInt8, UInt8) = (0x11, 0x02, 0x10)
    segment(0, syn)
    segment(1, syn | ack)
    for (index, piece) in pieces.enumerated() { segment(0, 0x18, piece, isThere: index != 1) }
    segment(1, ack)
    segment(0, fin)
    segment(1, fin)
    segment(0, ack)
    let path = folder.path("gap.pcap")
    try Data(file).write(to: URL(fileURLWithPath: path))
    let arguments = [path, "--dissectors", folder.path("")]
    let timeline = try OtherProgram.run(HarkProgram.url.path, ["timeline"] + arguments).text
    #expect(
      timeline.contains("30 bytes from 192.168.7.1:50312 are not in the capture"), "\(timeline)")
    for name in ["one", "two"] { #expect(timeline.contains("“\(name)”"), "\(timeline)") }
    #expect(timeline.contains("bytes of it are not in the capture"), "\(timeline)")
    #expect(
      !timeline.contains("recorder") && !timeline.contains("mistake of the profile"), "\(timeline)")
    let findings = try OtherProgram.run(HarkProgram.url.path, ["findings"] + arguments).text
    #expect(findings.contains("gap.pcap: nothing found"), "\(findings)")
    #expect(findings.contains("30 bytes of the connection not captured before #"), "\(findings)")
  }
}
