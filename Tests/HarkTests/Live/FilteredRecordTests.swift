import Foundation
import HarkCapture
import HarkCore
import HarkSamples
import HarkTestSupport
import Testing

/// `hark record` with a filter.
@Suite struct FilteredRecordTests {
  private static func record(
    _ arguments: [String], of capture: URL = LiveTests.capture, into file: URL
  ) throws -> (errors: String, status: Int32) {
    let run = try LiveTests.Running(["record", "-", "-w", file.path] + arguments)
    try run.input.fileHandleForWriting.write(contentsOf: Data(contentsOf: capture))
    try run.input.fileHandleForWriting.close()
    let end = try run.end()
    return (end.errors, end.status)
  }

  /// tshark: `btatt.opcode == 0x1b`.
  static let notifications = [
    144, 159, 184,
  ]

  @Test func matchesAlone() throws {
    let place = try LiveRecordingTests.Place()
    let file = place.file("filtered.btsnoop")
    let (errors, status) = try Self.record(
      ["-Y", "att.opcode == 0x1b", "--no-state"], into: file)
    #expect(status == 0)
    let all = LiveTests.records(try Data(contentsOf: LiveTests.capture)).records
    let expected = Self.notifications.map { all[$0 - 1] }
    #expect(LiveTests.records(try Data(contentsOf: file)).records == expected)
    #expect(errors.contains("hark: \(expected.count) of \(all.count) packets match\n"))
    // Only the recorder that writes reports what it does.
    #expect(errors.ranges(of: "hark-record: recording ").count == 1)
    #expect(errors.contains("hark-record: recording standard input to \(file.path)\n"))
    #expect(
      errors.ranges(of: " packets, ").count == 1 && errors.contains("\(expected.count) packets, "))
    #expect(errors.ranges(of: "as root").count <= 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  /// What is recorded reads as it does in the whole capture: with names of devices and attributes.
  @Test(arguments: [
    ["-Y", "att.opcode in {0x0b, 0x1b, 0x12}"], ["--service", "Battery"],
    // Of a stream no one knows what a device will be called.
    ["-Y", "device contains \"Acme Watch\""],
  ])
  func readsAsInTheWhole(_ filter: [String]) throws {
    let place = try LiveRecordingTests.Place()
    let file = place.file("filtered.btsnoop")
    #expect(try Self.record(filter, into: file).status == 0)
    func lines(_ path: String) throws -> [Substring] {
      // The number, and the time since the first packet, depend on what is there.
      try HarkProgram.transcript(["packets", path, "--absolute-time"] + filter)
        .split(separator: "\n").map { $0.dropFirst(6) }
    }
    let found = try lines(file.path)
    #expect(found == (try lines(LiveTests.capture.path)))
    #expect(found.count >= 2)
    let all = LiveTests.records(try Data(contentsOf: LiveTests.capture)).records.count
    #expect(LiveTests.records(try Data(contentsOf: file)).records.count < all)
    // Every request that it holds has its response.
    #expect(
      try !HarkProgram.transcript(["timeline", file.path]).contains("no response in the capture"))
  }

  private static func connected(_ handle: String) -> MadePacket {
    .event("3e 13 01 00 \(handle)00 00 00 665544332211 1800 0000 4800 00")
  }

  /// Writes in two fragments to a controller with two buffers, which reports each as completed; between them, a notification
  /// that never ends, and another link with the same. Core Specification, Vol 4, Part E, 5.4.2, 7.7.19, 7.8.2
  private static let fragmented: (packets: [MadePacket], wanted: Set<Int>) = {
    func fragments(_ pdu: MadePacket) -> [MadePacket] {
      let bytes = Hex.bytes(pdu.hex) ?? []
      return stride(from: 4, to: bytes.count, by: 20).map { start in
        let data = bytes[start..<min(bytes.count, start + 20)]
        let flags = start == 4 ? bytes[1] : bytes[1] & 0xCF | 0x10
        var part = pdu
        part.hex = Hex.text([bytes[0], flags, UInt8(data.count), 0] + data)
        return part
      }
    }
    let text = String(repeating: "ab", count: 25)
    var packets = [MadePacket.event("0e 07 01 0220 00 fb00 02"), connected("40"), connected("41")]
    var wanted = Set(packets.indices)
    for _ in 0..<4 {
      for part in fragments(.pdu(4, "52 0300 " + text, received: false)) {
        wanted.formUnion([packets.count, packets.count + 1])
        packets += [part, .event("13 05 01 4000 0100")]
        packets += fragments(.pdu(4, "1b 0500 " + text, received: true)).prefix(1)
        packets.append(.event("13 05 01 4100 0100"))
        packets += fragments(.pdu(4, "1b 0500 " + text, received: true, link: "41"))
      }
    }
    return (packets, wanted)
  }()

  /// An ATT bearer on a channel with an MPS of 23: a write in an SDU of two K-frames, and a notification between them. Vol 3, Part
  /// A, 3.4, 4.22, 4.23
  private static let segmented: (packets: [MadePacket], wanted: Set<Int>) = (
    [
      connected("40"),
      .pdu(5, "14 01 0a00 2700 4000 4000 1700 0a00", received: false),
      .pdu(5, "15 01 0a00 4000 4000 1700 0a00 0000", received: true),
      .pdu(0x40, "1e00 52 0300" + String(repeating: "ab", count: 18), received: false),
      .pdu(4, "1b 0500 ab", received: true),
      .pdu(0x40, String(repeating: "ab", count: 9), received: false),
    ], [0, 1, 2, 3, 5]
  )

  /// The places of the packets that a filter for writes keeps, and the findings about them.
  private static func kept(
    _ packets: [MadePacket], isRecorded: Bool, by filter: String = "att.opcode == 0x52"
  ) throws -> (places: [Int], findings: String) {
    let place = try LiveRecordingTests.Place()
    let (source, file) = (place.file("source.btsnoop"), place.file("filtered.btsnoop"))
    var made = MadeCapture()
    for (index, packet) in packets.enumerated() {
      var record = CaptureRecord()
      record.kind = packet.kind
      record.direction = packet.isReceived ? .controllerToHost : .hostToController
      record.time = Timestamp(nanoseconds: Int64(index) * 1_000_000)
      made.add(record, Hex.bytes(packet.hex) ?? [])
    }
    try Data(made.bytes).write(to: source)
    let filter = ["-Y", filter]
    if isRecorded {
      #expect(try record(filter, of: source, into: file).status == 0)
    } else {
      let converted = try OtherProgram.run(
        HarkProgram.url.path, ["convert", source.path, file.path, "--keep-state"] + filter)
      #expect(converted.code == 0, "\(converted.stated)")
    }
    let all = LiveTests.records(Data(made.bytes)).records
    let kept = LiveTests.records(try Data(contentsOf: file)).records
    let findings = try HarkProgram.transcript(["findings", file.path])
    return (kept.map { all.firstIndex(of: $0) ?? -1 }, findings)
  }

  /// All parts of what matches are kept, in order, with the reports that they have completed: they would otherwise seem to
  /// overflow the controller.
  @Test(arguments: [true, false]) func fragments(_ isRecorded: Bool) throws {
    let (places, findings) = try Self.kept(Self.fragmented.packets, isRecorded: isRecorded)
    // `convert` omits the other link's state, of which `record` cannot know that it is not needed.
    #expect(places == Self.fragmented.wanted.subtracting(isRecorded ? [] : [2]).sorted())
    #expect(!findings.contains("link.write-overrun"), "\(findings)")
    let bare = Self.fragmented.packets.filter { !$0.hex.hasPrefix("13") }
    let (_, overrun) = try Self.kept(bare, isRecorded: isRecorded)
    #expect(overrun.contains("link.write-overrun"), "\(overrun)")
  }

  /// A report that matches by itself is about the packet before it, too: the next report is about one that is not kept.
  @Test(arguments: [true, false]) func reportsThatMatch(_ isRecorded: Bool) throws {
    let packets: [MadePacket] = [
      Self.connected("40"), .pdu(4, "52 0300 ab", received: false), .event("13 05 01 4000 0100"),
      .pdu(4, "1e", received: false), .event("13 05 01 4000 0100"),
    ]
    let (places, _) = try Self.kept(
      packets, isRecorded: isRecorded, by: "att.opcode == 0x52 or number == 3")
    #expect(places == [0, 1, 2])
  }

  @Test(arguments: [true, false]) func segments(_ isRecorded: Bool) throws {
    let (places, _) = try Self.kept(Self.segmented.packets, isRecorded: isRecorded)
    #expect(places == Self.segmented.wanted.sorted())
  }

  @Test(arguments: [
    (["record", "-Y", "att"], "name a file to write with -w FILE, or - for standard output"),
    (["record", "-Y", "att.nothing == 1", "-w", "a"], "att.nothing"),
    (["record", "--device=x", "--rotate-count", "2"], "need -w"),
  ])
  func refused(_ arguments: [String], _ complaint: String) throws {
    let found = try HarkProgram.transcript(arguments)
    #expect(found.contains(complaint) && found.hasSuffix("? 64\n"), "\(found)")
  }

  /// The program that reads the source is killed: that is reported, and what matched is in the file.
  @Test func readerKilled() throws {
    let place = try LiveRecordingTests.Place()
    let file = place.file("filtered.btsnoop")
    let run = try LiveTests.Running([
      "record", "-", "-w", file.path, "-Y", "att.opcode == 0x1b", "--no-state",
    ])
    try run.input.fileHandleForWriting.write(contentsOf: Data(contentsOf: LiveTests.capture))
    let all = LiveTests.records(try Data(contentsOf: LiveTests.capture)).records
    let expected = Self.notifications.map { all[$0 - 1] }
    try LiveRecordingTests.wait("what matches is in the file") {
      (try? LiveTests.records(Data(contentsOf: file)).records) == expected
    }
    let id = run.process.processIdentifier
    let children = try String(contentsOfFile: "/proc/\(id)/task/\(id)/children", encoding: .utf8)
    let reader = try #require(children.split(separator: " ").last.flatMap { Int32($0) })
    kill(reader, SIGKILL)
    let (_, errors, status) = try run.end()
    #expect(errors.contains("hark: hark-record was terminated by signal 9\n") && status == 137)
    #expect(LiveTests.records(try Data(contentsOf: file)).records == expected)
    try run.input.fileHandleForWriting.close()
  }

  /// The source cannot be opened: the recorder tells why.
  @Test func nothingThere() throws {
    let place = try LiveRecordingTests.Place()
    let found = try HarkProgram.transcript([
      "record", "unix:/nowhere/hark.sock", "-Y", "att", "-w", place.file("a").path,
    ])
    #expect(found.contains("hark-record: unix:/nowhere/hark.sock: cannot connect"))
    #expect(found.hasSuffix("? 1\n"))
  }
}
