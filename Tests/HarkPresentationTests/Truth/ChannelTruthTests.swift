import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import HarkSession
import Testing

/// The SDUs of dynamic channels against truth.json, which two stacks of other code wrote.
@Suite struct ChannelTruthTests {
  /// What went over a channel in one direction, in order; nil for an SDU that is not whole.
  private static func sent(
    _ events: [[String: Any]], over channel: Int, _ direction: Direction
  ) -> [String?] {
    let name = direction == .hostToController ? "HostToAccessory" : "AccessoryToHost"
    return events.filter { $0["channel"] as? Int == channel && $0["direction"] as? String == name }
      .map { $0["locked"] == nil ? $0["bytes"] as? String : nil }
  }

  /// Byte for byte, and no other event of a gap than the truth has.
  @Test(arguments: Sample.channels) func serviceDataUnits(_ name: String) throws {
    let truth = try Sample.truth(name)
    let events = try #require(truth["events"] as? [[String: Any]])
    let gatt = try #require(truth["gatt"] as? [String: Any])
    let channels = try #require(gatt["channels"] as? [[String: Any]])
    for file in try #require(truth["files"] as? [String]) {
      for channel in channels.indices {
        let (opened, pieces, gaps) = try Self.follow(channel, Sample.path(name, file))
        for direction in [Direction.hostToController, .controllerToHost] {
          let wanted = Self.sent(events, over: channel, direction)
          let found = pieces.filter { $0.direction == direction }.map { Hex.text($0.bytes) }
          #expect(found == wanted.compactMap { $0 }, "\(file), channel \(channel), \(direction)")
        }
        let incomplete = events.filter { $0["locked"] != nil }.count
        #expect(gaps == incomplete, "\(file)")
        #expect(Int(opened.psm) == channels[channel]["psm"] as? Int)
        #expect(Int(opened.localCID) == channels[channel]["phoneCID"] as? Int)
        #expect(Int(opened.remoteCID) == channels[channel]["accessoryCID"] as? Int)
      }
    }
  }

  /// tshark 4.0.17 shows, in ertm-session, a REJ with ReqSeq 8 followed by TxSeq 8 to 11 and one
  /// with ReqSeq 6 followed by TxSeq 6 to 9. Of the first all were sent before, of the second
  /// TxSeq 6 was never received.
  @Test func framesSentAgain() throws {
    let session = try Sample.read("ertm-session", "ertm-session.btsnoop") { _, _ in }
    #expect(session.streams.map(\.repeatedFrames) == [4 + 3])
  }

  /// The pieces of a channel, and how often something was reported to be missing.
  private static func follow(
    _ channel: Int, _ path: String
  ) throws -> (Channel, [StreamPiece], gaps: Int) {
    let capture = try Capture(path: path)
    var session = Session()
    session.followed = StreamID(number: UInt32(channel + 1))
    var pieces: [StreamPiece] = []
    _ = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      pieces += session.pieces
      return true
    }
    session.finish()
    var gaps = 0
    for event in session.events {
      switch event.content {
      case .capture(.incompletePDU), .channel(.framesMissing), .channel(.creditsExceeded),
        .capture(.orphanFragment):
        gaps += 1
      default: break
      }
    }
    return (session.channels[channel], pieces, gaps)
  }
}
