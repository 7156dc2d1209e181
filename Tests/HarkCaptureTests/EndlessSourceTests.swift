import HarkCore
import HarkPlatform
import Testing

@testable import HarkCapture

/// Pipes that send without end, and never a record.
@Suite struct EndlessSourceTests {
  struct Endless: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let head: Bytes
    var records: UInt32 = 0
    /// What comes again and again.
    let rest: Bytes
  }

  /// Each format with zeros that it tries to resynchronise in, and with what it reads but what is no record.
  static let endless: [Endless] = [
    Endless(testDescription: "btsnoop", head: Snoop.file(1002, []), rest: zeros),
    Endless(
      testDescription: "btsnoop after a record",
      head: Snoop.file(1002, [Snoop.record(H4.reset, flags: 2)]), records: 1, rest: zeros),
    Endless(testDescription: "pcap", head: PcapFile.file(187, big: false, []), rest: zeros),
    Endless(testDescription: "pcapng", head: pcapng, rest: zeros),
    Endless(
      testDescription: "pcapng blocks", head: pcapng,
      rest: Bytes(all: (0..<4_096).flatMap { _ in custom.all })),
    Endless(
      testDescription: "PacketLogger",
      head: (0..<4).map { _ in Logger.record(0, .hex("030c00"), big: true) }.reduce(Bytes(), +),
      records: 4, rest: zeros),
  ]

  private static let zeros = Bytes.zeros(1 << 16)
  /// A section header and the description of an interface for HCI packets with a direction (201).
  private static let pcapng =
    Ng.section(big: false) + Ng.interface(201, big: false)
  /// A Custom Block: its type, length, a Private Enterprise Number, and the length again.
  private static let custom = Ng.block(0x0BAD, .u32(0, big: false), big: false)

  @Test(arguments: endless)
  func whatNeverGivesARecordEnds(_ sample: Endless) throws {
    let pipe = try EndlessPipe(sample.head, sample.rest, most: .max, tail: Bytes())
    let capture = try Capture(descriptor: pipe.output, of: Endpoint("-"), waitPolicy: .file)
    let end = capture.forEachRecord { _, _ in true }
    #expect(end.records == sample.records)
    #expect(
      end.limit.map { if case .noRecord = $0 { true } else { false } } == true, "\(end)")
    #expect(end.problem?.contains("1 MiB without a record, and hark reads no further") == true)
  }

  /// Whoever records waits for the next record, whatever comes before it.
  @Test func aLiveSourceIsWaitedFor() throws {
    let records = (0..<4).map { Snoop.record(H4.reset, flags: 2, time: sampleTime + $0) }
    let pipe = try EndlessPipe(
      Snoop.file(1002, [records[0]]), Self.zeros, most: 24,
      tail: records.reduce(Bytes(), +))
    let capture = try Capture(
      descriptor: pipe.output, of: Endpoint("-"), waitPolicy: ReadWaitPolicy())
    let end = capture.forEachRecord { _, _ in true }
    #expect(end.records == 5)
    #expect(end.limit == nil && end.damageCount == 1)
  }

  /// Records come often enough, however many bytes there are.
  @Test func aLongPipeIsReadWhole() throws {
    let record = Snoop.record(H4.notification(30_000, value: 1), flags: 1)
    let pipe = try EndlessPipe(Snoop.file(1002, []), record, most: 100, tail: Bytes())
    let capture = try Capture(descriptor: pipe.output, of: Endpoint("-"), waitPolicy: .file)
    let end = capture.forEachRecord { _, _ in true }
    #expect(end.records == 100 && end.status == .complete)
  }
}

extension ReadWaitPolicy {
  fileprivate static var file: ReadWaitPolicy { ReadWaitPolicy(longestGap: 1 << 20) }
}

/// What a thread writes into a pair of sockets: `head`, `most` times `rest`, and `tail`, or less if no one reads on.
private final class EndlessPipe {
  let output: Int32
  private let writer: PlatformThread

  init(_ head: Bytes, _ rest: Bytes, most: Int, tail: Bytes) throws {
    var ends: [Int32] = [0, 0]
    let isMade = unsafe socketpair(AF_UNIX, Platform.streamType, 0, &ends) == 0
    try #require(isMade)
    output = ends[0]
    let text = EndlessText(ends[1], head.all, rest.all, most, tail.all)
    writer = try #require(PlatformThread { text.write() })
  }

  deinit {
    // Standard input is left open by a capture.
    close(output)
    writer.join()
  }
}

private final class EndlessText: Sendable {
  let input: Int32
  let head, rest, tail: [UInt8]
  let most: Int

  init(_ input: Int32, _ head: [UInt8], _ rest: [UInt8], _ most: Int, _ tail: [UInt8]) {
    (self.input, self.head, self.rest, self.most, self.tail) = (input, head, rest, most, tail)
  }

  /// Whether all was taken.
  func send(_ bytes: [UInt8]) -> Bool {
    var left = bytes[...]
    while !left.isEmpty {
      let count = unsafe left.withUnsafeBytes {
        unsafe HarkPlatform.send(input, $0.baseAddress, $0.count, Platform.sendWithoutSignal)
      }
      guard count > 0 else { return false }
      left = left.dropFirst(count)
    }
    return true
  }

  /// Until no one reads on.
  func write() {
    defer { close(input) }
    guard send(head) else { return }
    var count = 0
    while count < most, send(rest) { count += 1 }
    _ = send(tail)
  }
}
