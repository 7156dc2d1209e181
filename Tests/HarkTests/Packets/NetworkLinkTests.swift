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
}
