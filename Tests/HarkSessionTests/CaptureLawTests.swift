import HarkCapture
import HarkCore
import HarkDissection
import HarkLaws
import HarkProfile
import HarkTestSupport
import Testing

@testable import HarkSession

/// The laws over whole captures: over every record, over every PDU that was put together, and over
/// the frames of dynamic channels with what the index pass knows of them.
@Suite struct CaptureLawTests {
  /// How many records, packets of HCI or from the air among them, PDUs put together, and frames of dynamic channels
  /// the laws were checked over.
  struct Checked {
    var records = 0
    var hci = 0
    var reassembled = 0
    var dynamic = 0
    var transfers = 0
    var end: CaptureEnd.Status
  }

  /// Over the first records and today's part of the others, and over a part of their prefixes.
  func check(_ path: String) throws -> Checked {
    let capture = try Capture(path: path)
    var session = Session(framings: .known)
    var tree = Tree()
    var broken: [String] = []
    var checked = Checked(end: .complete)
    session.keepsFields = true
    func check(_ bytes: RawSpan, _ entry: Entry?, _ context: Context) {
      guard checked.records <= 64 || DailyPart.includes(checked.records, oneIn: 8) else { return }
      let cut = bytes.extracting(0..<(bytes.byteCount * (checked.records % 16) / 16))
      broken += Laws.violations(bytes, entry, context, &tree)
      broken += Laws.violations(cut, entry, context, &tree)
    }
    let end = capture.forEachRecord { record, bytes in
      session.index(record, bytes)
      session.dropEvents()
      checked.records += 1
      if record.kind.isHCI || record.kind.isAir { checked.hci += 1 }
      if record.kind == .usbAccessory { checked.transfers += 1 }
      guard let row = session.packets[UInt32(checked.records)] else {
        broken.append("record \(checked.records) has no row")
        return false
      }
      let context = session.context(row)
      if row.channel != nil { checked.dynamic += 1 }
      check(bytes, session.catalog.entry(at: .record(record.kind)), context)
      for pdu in session.completed.all {
        checked.reassembled += 1
        var context = context
        context.inner = pdu.inner.map { Entry.Reference($0) }
        check(Array(session.completed.bytes(of: pdu)).raw, pdu.entry, context)
      }
      return broken.count < 5
    }
    checked.end = end.status
    #expect(broken == [])
    return checked
  }

  /// As many packets as the two stacks that made the capture say, or transfers over USB.
  @Test(arguments: Samples.bundled) func lawsHold(path: String) throws {
    let checked = try check(path)
    #expect(checked.end == .complete)
    let truth = try Samples.truth(beside: path)
    if let transfers = truth["transfers"] as? Int {
      #expect(checked.transfers == transfers && checked.hci == 0)
    } else {
      #expect(checked.hci == truth["packets"] as? Int)
    }
  }

  /// As many records as capinfos and tshark count; one in three of the captures each day.
  @Test(arguments: DailyPart.of(Samples.manifest, oneIn: 3))
  func lawsHoldInRealTraffic(row: Samples.ManifestRow) throws {
    guard row.isCapture else {
      // Nothing, or the first bytes of a header.
      let records = try? check(row.path).records
      #expect(records ?? 0 == 0)
      return
    }
    guard row.isHCI || row.isAir else {
      let error = #expect(throws: CaptureError.self) { try Capture(path: row.path) }
      #expect(error?.description.contains("found link type") == true)
      return
    }
    let checked = try check(row.path)
    if checked.end == .damaged {
      // Others stop at the damage.
      #expect(row.isDamaged && checked.records >= row.packets)
    } else {
      #expect(checked.records == row.packets)
      #expect(checked.end == .complete || row.isCut)
    }
  }

  /// The laws over what spans packets are not checked in vain: they come often enough.
  @Test(.enabled(if: !Samples.manifest.isEmpty, "no corpus of real captures here"))
  func lawsReachWhatSpansPackets() throws {
    var reassembled = 0
    var dynamic = 0
    for row in Samples.manifest where row.isHCI && row.packets < 5_000 {
      let checked = try check(row.path)
      reassembled += checked.reassembled
      dynamic += checked.dynamic
      if reassembled > 20, dynamic > 1_000 { break }
    }
    #expect(reassembled > 20)
    #expect(dynamic > 1_000)
  }

  @Test(arguments: Samples.bundled) func twoRunsAreEqual(path: String) throws {
    let first = Samples.index(try Capture(path: path))
    let second = Samples.index(try Capture(path: path))
    #expect(!first.events.isEmpty)
    #expect(first.events == second.events)
    #expect(first.packets == second.packets)
  }

  /// Traps would end the process. What comes back is as sound as that of an undamaged capture:
  /// a row for each record, events of packets that were read, and the same again.
  @Test(arguments: Samples.bundled) func mutationsNeverTrap(path: String) throws {
    let original = try Samples.bytes(path)
    var random = SplitMix(seed: DailyPart.seed(2026))
    var opened = 0
    for _ in 0..<12 where opened < DailyPart.rounds(1, of: 12) {
      var bytes = original
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      guard let capture = try? Capture(bytes: bytes, name: "mutated") else { continue }
      opened += 1
      let result = Samples.index(capture) { session, event in
        #expect(event.frames.first <= event.frames.last)
        #expect(Int(event.frames.last.number) <= session.packets.count)
      }
      #expect(result.packets == result.records, "\(DailyPart.note)")
      let again = Samples.index(try Capture(bytes: bytes, name: "mutated"))
      #expect(again.events == result.events)
    }
    // A checksum guards the compressed one.
    #expect(opened > 0 || path.hasSuffix(".gz"))
  }
}
