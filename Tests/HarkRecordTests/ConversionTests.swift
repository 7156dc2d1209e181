import Foundation
import HarkCapture
import HarkCore
import HarkTestSupport
import Testing

/// The sample captures of every format, recorded: what is read back is what was there.
@Suite struct ConversionTests {
  static let folder = Project.captures

  static let samples = files.filter { name in
    !["-air/", "-network/", "iap2-usb/"].contains(where: name.contains)
  }

  private static let files: [String] = {
    let formats: Set = ["btsnoop", "gz", "pcap", "pcapng", "pklg"]
    let files = FileManager.default.enumerator(atPath: folder.path())
    return (files?.compactMap { $0 as? String } ?? []).filter { name in
      formats.contains(String(name.split(separator: ".").last ?? ""))
    }.sorted()
  }()

  /// What a btsnoop file can hold of each record: which way, when (µs), what.
  private func packets(_ path: String, ofMonitor: Bool) throws -> [String] {
    var packets: [String] = []
    let capture = try Capture(path: path)
    _ = capture.forEachRecord { record, bytes in
      if record.kind.isHCI || record.kind == .h4 || ofMonitor {
        let data = unsafe bytes.withUnsafeBytes { unsafe Data($0).base64EncodedString() }
        packets.append(
          "\(record.kind) \(record.direction) \(record.time.nanoseconds / 1_000) "
            + "\(record.controller * (ofMonitor ? 1 : 0)) \(record.originalCount) \(data)")
      }
      return true
    }
    return packets
  }

  private func record(_ sample: String, _ folder: TestFolder) throws -> String {
    let path = folder.path("a")
    let recorder = try RecorderProcess(
      [Self.folder.appending(path: sample).path(), "-w", path], folder)
    #expect(try recorder.end() != 1, "\(recorder.stated)")
    return path
  }

  @Test func thereAreSamples() { #expect(Self.samples.count > 10) }

  @Test(arguments: samples) func recordedAndReadBack(_ sample: String) throws {
    let folder = try TestFolder()
    let path = try record(sample, folder)
    let source = Self.folder.appending(path: sample).path()
    let ofMonitor = try Capture(path: source).info.isOfMonitor
    let packets = try packets(path, ofMonitor: ofMonitor)
    #expect(!packets.isEmpty)
    #expect(try packets == self.packets(source, ofMonitor: ofMonitor))
  }

  /// The ending says the format. What pcap has no place for in all sources, a second look at the same
  /// records would not find either.
  @Test(arguments: ["formats/h4.btsnoop", "formats/monitor.btsnoop"], ["pcap", "pcapng", "pklg"])
  func recordedAsItsEndingSays(_ sample: String, _ ending: String) throws {
    let folder = try TestFolder()
    let path = folder.path("a.\(ending)")
    let source = Self.folder.appending(path: sample).path()
    let recorder = try RecorderProcess([source, "-w", path], folder)
    #expect(try recorder.end() == 0, "\(recorder.stated)")
    let info = try Capture(path: path).info
    #expect(info.format.hasPrefix(ending == "pklg" ? "PacketLogger" : ending))
    // PacketLogger has no place for what is no packet.
    let ofMonitor = try Capture(path: source).info.isOfMonitor && ending != "pklg"
    let packets = try packets(path, ofMonitor: ofMonitor)
    #expect(!packets.isEmpty)
    #expect(try packets == self.packets(source, ofMonitor: ofMonitor))
    #expect(recorder.stated.contains("\(try self.packets(path, ofMonitor: true).count) packets, "))
  }

  /// PacketLogger's own records stay as they are in its format, are comments on the next packet in pcapng, and are
  /// reported with others. The sample begins with two of them.
  @Test(arguments: ["pklg", "pcapng", "btsnoop"]) func notesOfPacketLogger(_ ending: String) throws
  {
    let folder = try TestFolder()
    let path = folder.path("a.\(ending)")
    let source = Self.folder.appending(path: "formats/big-endian.pklg").path()
    let recorder = try RecorderProcess([source, "-w", path], folder)
    #expect(try recorder.end() == 0, "\(recorder.stated)")
    guard ending != "pklg" else {
      let (written, sample) = try (
        Data(contentsOf: URL(filePath: path)), Data(contentsOf: URL(filePath: source))
      )
      #expect(written == sample)
      return
    }
    var comments: [(record: UInt32, texts: [String])] = []
    let capture = try Capture(path: path)
    _ = capture.forEachRecord { record, _ in
      if record.flags.contains(.commented) { comments.append((record.number, capture.comments)) }
      return true
    }
    if ending == "pcapng" {
      #expect(comments.map(\.record) == [1])
      #expect(
        comments.first?.texts == [
          "PacketLogger config: Controller: hci0 C0:DE:00:00:00:01",
          "PacketLogger note: Sample capture of hark, two emulated devices",
        ])
    } else {
      #expect(comments.isEmpty)
      #expect(
        recorder.stated.contains(
          "cannot store PacketLogger's own records: 2 records are not written"))
    }
    #expect(recorder.stated.contains("64 packets, "))
  }

  /// pcapng with two controllers, in nanoseconds: their packets stay apart, and a format with one controller says what it
  /// leaves out.
  @Test func controllersOfPcapngStayApart() throws {
    let folder = try TestFolder()
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    func block(_ type: UInt64, _ body: [UInt8]) -> [UInt8] {
      let body = body + [UInt8](repeating: 0, count: -body.count & 3)
      let length = little(UInt64(body.count + 12), 4)
      return little(type, 4) + length + body + length
    }
    // Link type 201, and if_tsresol 9.
    let interface = block(
      1, little(201, 2) + little(0, 6) + little(9, 2) + little(1, 2) + [9, 0, 0, 0] + little(0, 4))
    let start: UInt64 = 1_795_082_462_000_000_001
    func packet(_ interface: UInt64, _ number: UInt64) -> [UInt8] {
      // HCI_Reset, after the direction.
      let data: [UInt8] = [0, 0, 0, 0, 1, 3, 0x0C, 0]
      let time = start + number * 1_000_000
      return block(
        6,
        little(interface, 4) + little(time >> 32, 4) + little(time & 0xFFFF_FFFF, 4)
          + little(8, 4) + little(8, 4) + data)
    }
    let stream =
      block(0x0A0D_0D0A, little(0x1A2B_3C4D, 4) + little(1, 4) + little(.max, 8))
      + interface + interface + packet(0, 0) + packet(1, 1) + packet(0, 2)
    for name in ["a.pcapng", "a.btsnoop"] {
      let recorder = try RecorderProcess(["-", "-w", folder.path(name)], folder)
      try recorder.send(stream)
      try recorder.closeInput()
      #expect(try recorder.end() == 0, "\(recorder.stated)")
      var found: [String] = []
      _ = try Capture(path: folder.path(name)).forEachRecord { record, _ in
        found.append("\(record.controller) \(record.time.nanoseconds - Int64(start))")
        return true
      }
      if name == "a.pcapng" {
        #expect(found == ["0 0", "1 1000000", "0 2000000"])
      } else {
        #expect(found == ["0 -1", "0 1999999"])
        #expect(recorder.stated.contains("1 record of hci1 not written"), "\(recorder.stated)")
        #expect(recorder.stated.contains("2 times are truncated"), "\(recorder.stated)")
      }
    }
  }

  /// Link type 187 has no directions: nothing makes them up, and btsnoop, which needs one, says so.
  @Test func unknownDirectionsAreNotMadeUp() throws {
    let folder = try TestFolder()
    func little(_ value: UInt64, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    }
    let acl: [UInt8] = [2, 0x40, 0x20, 1, 0, 0xAA]
    let stream =
      little(0xA1B2_C3D4, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(65_535, 4)
      + little(187, 4) + little(1_795_082_462, 4) + little(7, 4) + little(6, 4) + little(6, 4) + acl
    for name in ["a.pcapng", "a.pcap", "a.btsnoop"] {
      let recorder = try RecorderProcess(["-", "-w", folder.path(name)], folder)
      try recorder.send(stream)
      try recorder.closeInput()
      #expect(try recorder.end() == 0, "\(recorder.stated)")
      var unknown: [Bool] = []
      _ = try Capture(path: folder.path(name)).forEachRecord { record, _ in
        unknown.append(record.flags.contains(.directionUnknown))
        return true
      }
      #expect(unknown == [name != "a.btsnoop"], "\(name)")
      let isSaid = recorder.stated.contains("1 packet of unknown direction is written as sent")
      #expect(isSaid == (name == "a.btsnoop"), "\(recorder.stated)")
    }
  }

  /// Each file of one can be read alone, in formats that describe their interfaces once, too.
  @Test func rotatedFilesCanBeReadAlone() throws {
    let folder = try TestFolder()
    let source = Self.folder.appending(path: "formats/monitor.btsnoop").path()
    let recorder = try RecorderProcess(
      [source, "-w", folder.path("a.pcapng"), "--rotate-size", "4096"], folder)
    #expect(try recorder.end() == 0, "\(recorder.stated)")
    let names = folder.names.filter { $0.hasSuffix(".pcapng") }
    #expect(names.count == 2)
    var found: [String] = []
    for (number, name) in names.enumerated() {
      #expect(try folder.bytes(name).count <= 4_096)
      let packets = try packets(folder.path(name), ofMonitor: true)
      // What is repeated of controllers has the time of the record that follows it.
      found += number == 0 ? packets[...] : packets.drop { $0.lowercased().contains("index") }
    }
    let expected = try packets(source, ofMonitor: true)
    #expect(found == expected)
  }

  /// btsnoop has no place for packets from the air; pcap and pcapng do, and pcapng is what a name without an ending gets.
  @Test(arguments: files.filter { $0.contains("-air/") })
  func packetsFromTheAirAreRecorded(_ sample: String) throws {
    let folder = try TestFolder()
    let source = Self.folder.appending(path: sample).path()
    let refused = try RecorderProcess([source, "-w", folder.path("a.btsnoop")], folder)
    #expect(try refused.end() == 1)
    #expect(refused.stated.contains("cannot hold over-the-air packets"), "\(refused.stated)")
    let packets = try airPackets(source)
    #expect(!packets.isEmpty)
    for name in ["a", "b.pcap"] {
      let recorder = try RecorderProcess([source, "-w", folder.path(name)], folder)
      #expect(try recorder.end() == 0, "\(recorder.stated)")
      #expect(try airPackets(folder.path(name)) == packets, "\(name)")
    }
  }

  /// Transfers of a USB accessory are no HCI packets: the recorder says how many it left out.
  @Test(arguments: files.filter { $0.contains("iap2-usb/") })
  func transfersOfAccessoriesAreCounted(_ sample: String) throws {
    let folder = try TestFolder()
    let source = Self.folder.appending(path: sample).path()
    let recorder = try RecorderProcess([source, "-w", folder.path("a")], folder)
    #expect(try recorder.end() == 0, "\(recorder.stated)")
    var transfers = 0
    _ = try Capture(path: source).forEachRecord { _, _ in
      transfers += 1
      return true
    }
    #expect(transfers > 0)
    #expect(
      recorder.stated.contains("\(transfers) records of another kind omitted"), "\(recorder.stated)"
    )
  }

  /// When (µs), and what, from the Access Address on: what precedes it differs between link types.
  private func airPackets(_ path: String) throws -> [String] {
    var packets: [String] = []
    _ = try Capture(path: path).forEachRecord { record, bytes in
      let start = record.kind == .nordicBLE ? 17 : 10
      packets.append(
        "\(record.time.nanoseconds / 1_000) \(Hex.text(Array(bytes.array.dropFirst(start))))")
      return true
    }
    return packets
  }

  private static let tshark = "/usr/bin/tshark"

  /// Another program reads what was recorded: as many packets, each as long, and none malformed.
  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: tshark),
      "tshark is missing: Tools/setup peers"))
  func tsharkReadsIt() throws {
    let folder = try TestFolder()
    let sample = try #require(Self.samples.first { $0.hasSuffix(".pklg") })
    let path = try record(sample, folder)
    let process = Process()
    process.executableURL = URL(filePath: Self.tshark)
    process.arguments = ["-r", path, "-T", "fields", "-e", "frame.len", "-e", "_ws.malformed"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let deadline = ProgramDeadline(process)
    let text = try String(decoding: deadline.readToEnd(output), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    var expected: [String] = []
    _ = try Capture(path: path).forEachRecord { record, bytes in
      // With the packet indicator.
      expected.append("\(record.originalCount + 1)\t")
      return true
    }
    #expect(text.split(separator: "\n").map(String.init) == expected)
    #expect(expected.count > 10)
  }
}
