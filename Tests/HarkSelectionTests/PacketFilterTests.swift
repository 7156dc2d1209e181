import Foundation
import HarkCapture
import HarkCore
import HarkDissection
import HarkFilter
import HarkSelection
import HarkSession
import HarkTestSupport
import Testing

@Suite struct PacketFilterTests {
  @Test func lanesAreThoseOfTheTimeline() {
    let lanes = Event.Lane.allCases.map(\.rawValue)
    #expect(FilterProperty.lanes == lanes)
    for name in lanes + FilterProperty.laneAliases.keys {
      #expect(throws: Never.self) { try Filter("lane == \(name)") }
    }
    #expect(FilterProperty.laneAliases.values.allSatisfy(lanes.contains))
  }

  /// Packets of whose kind it is said that they cannot match do not, and reading fields only where
  /// they are asked finds the same.
  @Test(arguments: [
    "pebble-session/pebble-session.btsnoop", "a2dp-session/a2dp-session.btsnoop",
    "iap2-session/iap2-session.btsnoop", "notifbridge-v1/notifbridge-v1.btsnoop",
    "aria-session/aria-session.btsnoop", "hands-free/hands-free-monitor.btsnoop",
  ])
  func kindsAreLeftOutRightly(_ name: String) throws {
    let path = Project.root.appendingPathComponent("captures/" + name).path
    var kinds: [String: Set<PacketKind>] = [:]
    var session = Session()
    session.keepsFields = true
    var packet = PacketReading()
    let columns = Catalog.shared.paths
    let paths = Dictionary(grouping: columns, by: \.field.id).mapValues { $0.map(\.path) }
    let layers = Dictionary(
      Catalog.shared.entries.map { ($0.layer.id, $0.path.description) }, uniquingKeysWith: { $1 })
    _ = try Capture(path: path).forEachRecord { record, bytes in
      session.index(record, bytes)
      packet.read(record, bytes, &session)
      for tree in [packet.tree] + packet.completed[..<packet.completedCount].map(\.tree) {
        for node in tree.nodes {
          // A field that several paths have counts for that of its layer: see the other tests.
          if let names = paths[node.field.id], names.count == 1 {
            kinds[names[0], default: []].insert(record.kind)
          }
          if let layer = layers[node.field.id] { kinds[layer, default: []].insert(record.kind) }
        }
      }
      session.dropEvents()
      return true
    }
    #expect(kinds.count > 30)
    for (path, found) in kinds {
      let filter = try Filter(path)
      for kind in found { #expect(filter.mayMatch(kind), "\(path) in \(kind)") }
    }
  }

  @Test(arguments: FilterAgreementTests.pairs.map(\.ours).filter { !$0.contains("count") })
  func readingLessFindsTheSame(_ text: String) throws {
    let filter = try Filter(text)
    let path = Project.root
      .appendingPathComponent("captures/pebble-session/pebble-session.btsnoop").path
    var (a, b) = (PacketFilter(filter), PacketFilter(filter))
    let all = try FilterAgreementTests.numbers(path) { a.matches($0, $1, &$2, &$3) }
    let kinds = filter.kindsToRead
    let less = try FilterAgreementTests.numbers(
      path, keepsFields: { kinds[Int($0.rawValue)] },
      { b.matches($0, $1, &$2, &$3) })
    #expect(all == less)
  }

  /// tshark: `btrfcomm.dlci == 0x0e` from the answer that opens the data link (packet 78) on; its SDP
  /// says that server channel 7 is of 0x111e and 0x1203.
  @Test(arguments: ["service == 0x111e", "service == 0x1203", "service contains \"Hands-Free\""])
  func servicesOfDataLinks(_ text: String) throws {
    let path = Project.root
      .appendingPathComponent("captures/hands-free/hands-free.btsnoop").path
    var filter = PacketFilter(try Filter(text))
    let found = try FilterAgreementTests.numbers(path) { filter.matches($0, $1, &$2, &$3) }
    let expected = [
      78, 84, 85, 86, 90, 91, 93, 98, 99, 106, 108, 109, 113, 114, 116, 117, 119, 120, 121, 124,
      125,
      126, 129, 130, 132, 133, 135, 136, 137, 140, 141, 142, 144, 145, 147, 152, 154, 158, 160, 164,
      165, 167, 168, 169, 173, 174, 198, 199, 201, 203, 204, 205, 206, 209, 210, 213, 214, 239, 241,
      242, 244, 245, 246, 248, 250,
    ]
    #expect(found == expected)
  }

  /// By truth.json: the start of the session, its status, six times data, its end. tshark: the packets
  /// whose RFCOMM payload has these iAP2 packets, or the end of them.
  @Test(arguments: [
    "service == \"com.acme.speaker.control\"", "service matches \"speaker[.]control$\"",
  ])
  func protocolsOfAccessories(_ text: String) throws {
    let path = Project.root
      .appendingPathComponent("captures/iap2-session/iap2-session.btsnoop").path
    var filter = PacketFilter(try Filter(text))
    let found = try FilterAgreementTests.numbers(path) { filter.matches($0, $1, &$2, &$3) }
    #expect(found == [139, 143, 149, 152, 165, 188, 211, 224, 228])
  }
}
