import Foundation
import HarkCapture
import HarkCore
import HarkDissection
import HarkProfile
import HarkSelection
import HarkSession
import HarkTestSupport
import Testing

/// Fields that are read after the index pass, from a packet's bytes and its context alone.
@Suite struct LateFieldsTests {
  /// How many packets of a capture had the same fields both ways.
  private func compare(_ path: String) throws -> Int {
    let capture = try Capture(path: path)
    var session = Session(framings: .known)
    var other = Session(framings: .known)
    session.keepsFields = true
    other.keepsCompleted = true
    var atOnce = PacketReading()
    var later = PacketReading()
    var spare = Tree()
    var (same, different) = (0, [UInt32]())
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      other.index(record, bytes)
      atOnce.read(record, bytes, &session)
      later.readFieldsLater(record, bytes, &other)
      session.dropEvents()
      other.dropEvents()
      let nodes = atOnce.tree.nodes.map(Value.init)
      later.withFields(bytes, in: &spare) { packet in
        let isSame =
          packet.tree.nodes.map(Value.init) == nodes
          && packet.tree.failures.count == atOnce.tree.failures.count
          && packet.completedCount == atOnce.completedCount
        if isSame { same += 1 } else { different.append(packet.number) }
      }
      return different.count < 5
    }
    #expect(different == [], "\(path)")
    return same
  }

  private struct Value: Equatable {
    let (field, depth, kind): (Field, UInt8, Tree.Kind)
    let (offset, count, value): (UInt32, UInt32, UInt64)

    init(_ node: Tree.Node) {
      (field, depth, kind) = (node.field, node.depth, node.kind)
      (offset, count, value) = (node.offset, node.count, node.value)
    }
  }

  private static func captures(below folder: URL) -> [String] {
    let endings = ["btsnoop", "pklg", "pcap", "pcapng", "cfa"]
    let files = FileManager.default.subpaths(atPath: folder.path) ?? []
    return files.filter { file in endings.contains { file.hasSuffix("." + $0) } }
      .sorted().map { folder.appending(path: $0).path }
  }

  /// Real captures beside the project; absent for users. Larger ones take long and show the same.
  private static let real = captures(below: Project.root.appending(path: "../shared/corpus"))
    .filter { path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      return (attributes?[.size] as? Int ?? 0) < 1_000_000
    }

  @Test(arguments: captures(below: Project.captures)) func samples(_ path: String) throws {
    #expect(try compare(path) > 0)
  }

  /// Some have no packets, or are no captures.
  @Test(arguments: DailyPart.of(real, oneIn: 8))
  func realTraffic(_ path: String) throws {
    do { _ = try compare(path) } catch is CaptureError {}
  }
}
