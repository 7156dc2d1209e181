import FoundationEssentials
import HarkCore
import HarkTestSupport
import Testing

@testable import HarkCapture

/// Captures written in every kind and read back: what the kind has a place for is as it was.
@Suite struct CaptureWriterTests {
  /// One record, with its packet.
  struct Kept: Equatable {
    var kind: PacketKind
    var direction: Direction?
    var nanoseconds: Int64
    var controller: UInt16
    var dropped: UInt32
    var originalCount: Int
    var comments: [String]
    var bytes: [UInt8]
  }

  static func read(_ capture: Capture) -> (records: [CaptureRecord], kept: [Kept], end: CaptureEnd)
  {
    var records: [CaptureRecord] = []
    var kept: [Kept] = []
    let end = capture.forEachRecord { record, bytes in
      records.append(record)
      kept.append(
        Kept(
          kind: record.kind,
          direction: record.flags.contains(.directionUnknown) ? nil : record.direction,
          nanoseconds: record.time.nanoseconds, controller: record.controller,
          dropped: record.dropped, originalCount: record.originalCount,
          comments: record.flags.contains(.commented) ? capture.comments : [],
          bytes: bytes.array))
      return true
    }
    return (records, kept, end)
  }

  static func write(
    _ capture: Capture, as output: CaptureOutput
  ) -> (bytes: [UInt8], losses: CaptureLosses, count: Int) {
    var writer = CaptureWriter(output, of: [capture.info], application: "hark test")
    var bytes: [UInt8] = []
    writer.begin(to: &bytes)
    _ = capture.forEachRecord { record, packet in
      var origin = RecordOrigin(capture.info, controller: record.controller)
      origin.comments = record.flags.contains(.commented) ? capture.comments : []
      _ = writer.append(record, packet, origin, to: &bytes)
      return true
    }
    return (bytes, writer.losses, writer.count)
  }

  /// What is to come back of a capture that was written as `output`, by what the formats' descriptions
  /// say that they hold.
  static func expected(
    _ kept: [Kept], _ records: [CaptureRecord], _ info: CaptureInfo, _ output: CaptureOutput
  ) -> [Kept] {
    let isMonitor =
      output == .btsnoopMonitor || output == .pcapMonitor || output == .pcapng && info.isOfMonitor
    let isLog = info.format.hasPrefix("PacketLogger")
    let holdsOne = !isMonitor && output != .pcapng
    var controller: UInt16?
    var dropped: UInt32 = 0
    var result: [Kept] = []
    for (kept, record) in zip(kept, records) {
      var kept = kept
      dropped &+= kept.dropped
      // Link types from the air hold nothing else, and only pcapng holds both.
      if let air = output.airKind, kept.kind != air { continue }
      if kept.kind.isAir, output.airKind == nil, output != .pcapng { continue }
      if let network = output.networkKind, kept.kind != network { continue }
      if kept.kind.isNetwork, output.networkKind == nil, output != .pcapng { continue }
      switch kept.kind {
      case .command, .event, .acl, .sco, .iso: break
      case .h4: if isMonitor || output == .packetLogger { continue }
      case .other:
        let isHeld =
          isMonitor && info.isOfMonitor && record.formatCode > 19
          || output == .packetLogger && isLog
        if !isHeld { continue }
      case .note, .config, .newController, .systemLog, .kernelLog, .error, .power, .lmp,
        .packetLogger:
        if output != .packetLogger { continue }
      case .threeWire, .bcsp, .usbAccessory: continue
      case .leLinkLayer, .leRadio, .nordicBLE, .ppi, .basebandRadio: break
      case .ethernet, .linuxCooked, .linuxCooked2, .rawIP, .loopback: break
      default: if !isMonitor { continue }
      }
      if holdsOne {
        controller = controller ?? kept.controller
        if controller != kept.controller { continue }
        kept.controller = 0
      }
      kept.dropped = dropped
      dropped = 0
      switch output {
      case .btsnoop, .btsnoopMonitor, .pcapng: break
      default: kept.dropped = 0
      }
      if output != .pcapng { kept.comments = [] }
      if [.btsnoop, .btsnoopMonitor, .packetLogger].contains(output) {
        let rest = kept.nanoseconds % 1_000
        kept.nanoseconds -= rest < 0 ? rest + 1_000 : rest
      }
      // No capture is of 2106 or later; clocks may have been set to before 1970.
      if ![.btsnoop, .btsnoopMonitor].contains(output) {
        kept.nanoseconds = max(0, kept.nanoseconds)
      }
      if output == .packetLogger { kept.originalCount = kept.bytes.count }
      let isData = kept.kind != .command && kept.kind != .event
      if output == .pcapWithoutDirection, isData {
        kept.direction = nil
      } else if kept.direction == nil,
        output != .pcapng || isMonitor || !isUndirected(record.controller, info)
      {
        // Taken for the host's.
        kept.direction = .hostToController
      }
      // What only the monitor or PacketLogger has goes the way its type says.
      if !kept.kind.isHCI, kept.kind != .h4 { kept.direction = nil }
      result.append(kept)
    }
    return result
  }

  /// Whether a source's packets are of link type 187.
  private static func isUndirected(_ controller: UInt16, _ info: CaptureInfo) -> Bool {
    let index = info.format == "pcapng" ? Int(controller) : 0
    return info.interfaces.indices.contains(index) && info.interfaces[index].linkType == 187
  }

  static func check(_ name: String, _ open: () throws -> Capture, _ output: CaptureOutput) throws {
    let source = try open()
    let (records, kept, _) = read(source)
    let expected = expected(kept, records, source.info, output)
    let (bytes, losses, count) = write(try open(), as: output)
    #expect(count == expected.count, "\(name) as \(output): \(losses.sentences)")
    // PacketLogger without records is an empty file.
    guard count > 0 else { return }
    let copy = try Capture(bytes: bytes, name: "copy")
    var (_, found, end) = read(copy)
    for index in found.indices where !found[index].kind.isHCI && found[index].kind != .h4 {
      found[index].direction = nil
    }
    #expect(end.status == .complete, "\(name) as \(output): \(end.damages)")
    #expect(found.count == expected.count, "\(name) as \(output)")
    for (number, pair) in zip(found, expected).enumerated() where pair.0 != pair.1 {
      Issue.record("\(name) as \(output), record \(number + 1): \(pair.0) is to be \(pair.1)")
      break
    }
    // A second time nothing more is lost.
    let again = write(try Capture(bytes: bytes, name: "copy"), as: output)
    #expect(again.bytes == bytes, "\(name) as \(output), twice")
  }

  static func files(below folder: URL) -> [String] {
    let endings: Set = ["btsnoop", "gz", "pcap", "pcapng", "pklg", "log", "cfa", "cap"]
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { endings.contains(String($0.split(separator: ".").last ?? "")) }
      .sorted().map { folder.appending(path: $0).path }
  }

  static let bundled = files(below: Project.captures)
  /// Real captures beside the project; absent for users.
  static let real = files(below: Project.root.appending(path: "../shared/corpus")).filter { path in
    // Larger ones take long and show the same.
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    return (attributes?[.size] as? Int ?? 0) < 1_000_000
  }

  /// Today's captures for an output. Each capture has some outputs every day.
  private static func today(
    _ paths: [String], _ output: CaptureOutput, oneIn step: Int
  ) throws -> [String] {
    let place = try #require(CaptureOutput.allCases.firstIndex(of: output))
    return paths.indices.filter { DailyPart.includes($0 + place, oneIn: step) }.map { paths[$0] }
  }

  @Test(arguments: CaptureOutput.allCases) func samplesComeBack(_ output: CaptureOutput) throws {
    #expect(Self.bundled.count > 30)
    for path in try Self.today(Self.bundled, output, oneIn: 3) {
      try Self.check(path, { try Capture(path: path) }, output)
    }
  }

  @Test(
    .enabled(if: !real.isEmpty, "no corpus of real captures here"),
    arguments: CaptureOutput.allCases)
  func realCapturesComeBack(_ output: CaptureOutput) throws {
    var count = 0
    for path in try Self.today(Self.real, output, oneIn: 4) {
      // What cannot be opened cannot be written.
      guard let capture = try? Capture(path: path) else { continue }
      // A broken record may look like the end of another once it is written whole.
      guard Self.read(capture).end.status != .damaged else { continue }
      count += 1
      try Self.check(path, { try Capture(path: path) }, output)
    }
    #expect(count > (DailyPart.isEverything ? 50 : 10))
  }

  @Test func formatsAreChosenByTheirSources() throws {
    let monitor = try #require(Self.bundled.first { $0.hasSuffix("formats/monitor.btsnoop") })
    let h4 = try #require(Self.bundled.first { $0.hasSuffix("formats/h4.btsnoop") })
    let plain = try #require(Self.bundled.first { $0.hasSuffix("187-le-us.pcap") })
    let infos = try [monitor, h4, plain].map { try Capture(path: $0).info }
    #expect(CaptureOutput.choose("btsnoop", for: [infos[1]]) == .btsnoop)
    #expect(CaptureOutput.choose("btsnoop", for: infos) == .btsnoopMonitor)
    #expect(CaptureOutput.choose("pcap", for: [infos[1]]) == .pcap)
    #expect(CaptureOutput.choose("pcap", for: [infos[2]]) == .pcapWithoutDirection)
    #expect(CaptureOutput.choose("pcap", for: [infos[1], infos[2]]) == .pcap)
    #expect(CaptureOutput.choose("pcap", for: infos) == .pcapMonitor)
    #expect(CaptureOutput.choose("pklg", for: infos) == .packetLogger)
    #expect(CaptureOutput.choose("pcap-254", for: [infos[1]]) == .pcapMonitor)
    #expect(CaptureOutput.choose("zip", for: infos) == nil)
  }

  /// pcapng as the draft describes it, put together by hand.
  @Test func pcapngIsAsTheDraftSays() throws {
    let source = Snoop.file(
      1002,
      [
        Snoop.record(H4.received, flags: 1, drops: 3), Snoop.record(H4.reset, flags: 2, drops: 3),
      ])
    let capture = try Capture(bytes: source.all, name: "test")
    var writer = CaptureWriter(.pcapng, of: [capture.info], application: "hark")
    var bytes: [UInt8] = []
    writer.begin(to: &bytes)
    _ = capture.forEachRecord { record, packet in
      var origin = RecordOrigin(capture.info, controller: 0)
      if record.number == 1 { origin.comments = ["hello"] }
      return writer.append(record, packet, origin, to: &bytes)
    }
    func little(_ value: UInt32) -> Bytes { .u32(value, big: false) }
    let section =
      little(0x0A0D_0D0A) + little(40) + little(0x1A2B_3C4D) + .hex("0100 0000 ffffffffffffffff")
      + .hex("0400 0400") + .text("hark") + little(0) + little(40)
    let interface =
      little(1) + little(40) + .hex("c900 0000 00000400") + .hex("0200 0400") + .text("hci0")
      + .hex("0900 0100 06000000") + little(0) + little(40)
    let time = UInt64(sampleTime)
    func packet(_ data: Bytes, _ padding: Int, _ options: Bytes) -> Bytes {
      let length = UInt32(32 + data.all.count + padding + options.all.count)
      return little(6) + little(length) + little(0)
        + little(UInt32(truncatingIfNeeded: time >> 32)) + little(UInt32(truncatingIfNeeded: time))
        + little(UInt32(data.all.count)) + little(UInt32(data.all.count)) + data + .zeros(padding)
        + options + little(length)
    }
    let first = packet(
      .u32(1) + H4.received, 0,
      .hex("0100 0500") + .text("hello") + .zeros(3) + .hex("0200 0400 01000000")
        + .hex("0400 0800 0300000000000000") + little(0))
    let second = packet(.u32(0) + H4.reset, 0, .hex("0200 0400 02000000") + little(0))
    #expect(bytes == (section + interface + first + second).all)
  }

  /// Each section numbers its interfaces from 0 (pcapng, 4.2): a name belongs to the packets of its link type.
  @Test func interfacesOfALaterSectionKeepTheirNames() throws {
    let name = { Ng.option(2, .text($0), big: false) }
    let air = Bytes.hex("27ce0000 d6be898e 130c d6be898e 4006 222222e2222a 000000")
    let source =
      Ng.section(big: false) + Ng.interface(201, name("dongle"), big: false)
      + Ng.interface(201, name("other"), big: false)
      + Ng.packet(.u32(0) + H4.reset, big: false) + Ng.section(big: false)
      + Ng.interface(256, name("sniffer on the roof"), big: false) + Ng.packet(air, big: false)
    let (bytes, _, count) = Self.write(try Capture(bytes: source.all, name: "test"), as: .pcapng)
    #expect(count == 2)
    let copy = try Capture(bytes: bytes, name: "copy")
    _ = Self.read(copy)
    #expect(copy.info.interfaces.map(\.name) == ["dongle", "sniffer on the roof"])
    #expect(copy.info.interfaces.map(\.linkType) == [201, 256])
  }

  @Test func pcapIsAsTheDraftSays() throws {
    let source = PcapFile.file(
      201, big: true, nanoseconds: true,
      [PcapFile.record(.u32(1) + H4.received, big: true, fraction: 5_999, original: 99)])
    let (bytes, losses, _) = Self.write(try Capture(bytes: source.all, name: "test"), as: .pcap)
    let expected = PcapFile.file(
      201, big: false, nanoseconds: true,
      [PcapFile.record(.u32(1) + H4.received, big: false, fraction: 5_999, original: 99)])
    // The longest record is this program's to say.
    #expect(bytes.prefix(16) + bytes[20...] == expected.all.prefix(16) + expected.all[20...])
    #expect(losses.sentences == [])
  }

  @Test func lossesAreReported() throws {
    let monitor = try #require(Self.bundled.first { $0.hasSuffix("formats/monitor.btsnoop") })
    let (_, losses, count) = Self.write(try Capture(path: monitor), as: .packetLogger)
    let all = Self.read(try Capture(path: monitor)).records
    #expect(count + losses[.monitor] == all.count)
    #expect(losses[.monitor] == all.count { !$0.kind.isHCI })
    #expect(
      losses.sentences.contains {
        $0.hasPrefix("PacketLogger stores only HCI packets: \(losses[.monitor]) records")
      })
    let mixed = Snoop.file(
      2001,
      [
        Snoop.record(.hex("030c00"), flags: 2),
        Snoop.record(.hex("030c00"), flags: 0x0001_0002),
        Snoop.record(.hex("0e0401030c00"), flags: 0x0001_0003, drops: 4),
        Snoop.record(.hex("0e0401030c00"), flags: 3, drops: 4),
      ])
    let (bytes, lost, _) = Self.write(try Capture(bytes: mixed.all, name: "test"), as: .pcap)
    #expect(
      lost.sentences == [
        "pcap of link type 201 stores one controller: 2 records of hci1 not written; "
          + "-Y 'controller == 1' writes them",
        "pcap of link type 201 cannot record losses: 4 lost packets are not mentioned",
      ])
    #expect(Self.read(try Capture(bytes: bytes, name: "copy")).kept.count == 2)
  }

  /// Times that a kind does not reach become its first or last.
  @Test func times() throws {
    let early = Snoop.file(
      1002,
      [
        Snoop.record(H4.reset, flags: 2, time: -5_000_000),
        Snoop.record(H4.reset, flags: 2, time: 5_000_000_000 * 1_000_000),
      ])
    for output in [CaptureOutput.pcap, .packetLogger, .pcapng] {
      let (bytes, losses, _) = Self.write(try Capture(bytes: early.all, name: "test"), as: output)
      #expect(losses[.times] == (output == .pcapng ? 1 : 2))
      let times = Self.read(try Capture(bytes: bytes, name: "copy")).kept.map(\.nanoseconds)
      #expect(times[0] == 0)
      #expect(
        times[1] == (output == .pcapng ? 5_000_000_000 : Int64(UInt32.max)) * 1_000_000_000)
    }
    let (bytes, losses, _) = Self.write(try Capture(bytes: early.all, name: "test"), as: .btsnoop)
    #expect(bytes == early.all)
    #expect(losses.sentences == [])
  }
}

@Suite struct CaptureMergeTests {
  private func capture(_ times: [Int64], controller: UInt32 = 0) throws -> Capture {
    let records = times.map {
      Snoop.record(.hex("030c00"), flags: controller << 16 | 2, time: sampleTime + $0)
    }
    return try Capture(bytes: Snoop.file(2001, records).all, name: "test")
  }

  private func read(_ merge: CaptureMerge) -> [String] {
    var found: [String] = []
    _ = merge.forEachRecord { record, bytes in
      #expect(bytes.array == [0x03, 0x0C, 0x00])
      let time = record.time.nanoseconds / 1_000 - sampleTime
      found.append("\(merge.current) \(time) hci\(record.controller)")
      return true
    }
    return found
  }

  @Test func byTime() throws {
    let merge = CaptureMerge([try capture([0, 10, 20]), try capture([5, 10, 30])])
    #expect(
      read(merge) == ["0 0 hci0", "1 5 hci1", "0 10 hci0", "1 10 hci1", "0 20 hci0", "1 30 hci1"])
    #expect(merge.renumberings == [.init(capture: 1, from: 0, to: 1)])
  }

  /// The files of one recording, in whatever order they are named.
  @Test func oneAfterTheOther() throws {
    let merge = CaptureMerge([try capture([20, 30]), try capture([0, 10]), try capture([40])])
    #expect(
      read(merge) == ["1 0 hci0", "1 10 hci0", "0 20 hci0", "0 30 hci0", "2 40 hci0"])
    #expect(merge.renumberings == [])
  }

  @Test func numbersThatAreFreeAreKept() throws {
    let merge = CaptureMerge([try capture([0, 10]), try capture([5, 20], controller: 3)])
    #expect(read(merge) == ["0 0 hci0", "1 5 hci3", "0 10 hci0", "1 20 hci3"])
  }

  /// A capture without a record does not stop the others; damage is reported for the one that has it.
  @Test func endsOfEach() throws {
    let cut = Snoop.file(2001, [Snoop.record(.hex("030c00"), flags: 2)])
    let merge = CaptureMerge([
      try Capture(bytes: cut.part(0..<(cut.all.count - 1)).all, name: "cut"), try capture([1]),
    ])
    var ends: [CaptureEnd] = []
    ends = merge.forEachRecord { _, _ in true }
    #expect(ends.map(\.status) == [.truncated, .complete])
    #expect(ends.map(\.records) == [0, 1])
  }
}
