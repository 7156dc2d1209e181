import HarkCapture
import HarkCore
import HarkCrypto
import HarkProfile
import HarkSession
import Testing

@testable import HarkRedact

/// The part of the proof that takes values from the events of the original, and nothing from the removal.
@Suite struct EventValuesTests {
  private static let path = "pebble-session/pebble-session.btsnoop"
  private static let name = Array("Acme Watch 4F2A".utf8)
  private static let address: UInt64 = 0xE24F_2A22_2222

  /// Calls `body` with each event of a capture, read without keys.
  private func forEachEvent(
    _ file: CaptureBytes, _ body: (Event, borrowing Session) -> Void
  ) throws -> EventValues {
    let source = try Capture(bytes: file.bytes, name: file.name)
    var session = Session(keys: KeyRing(), framings: .known)
    var values = EventValues(.strict, .known)
    _ = source.forEachRecord { record, bytes in
      session.index(record, bytes)
      for event in session.events { body(event, session) }
      session.dropEvents()
      return true
    }
    session.finish()
    for event in session.events { body(event, session) }
    values.takeDevices(session)
    return values
  }

  @Test(arguments: RedactionLevel.allCases) func ofASample(_ level: RedactionLevel) throws {
    let file = try Samples.read(Self.path)
    var values = EventValues(level, .known)
    let devices = try forEachEvent(file) { event, session in values.take(event, session) }
    values.formUnion(devices)
    #expect(values.texts.contains(Self.name) && values.addresses.contains(Self.address))
    // Its manufacturer is nobody's name.
    #expect(!values.texts.contains(Array("Acme Devices".utf8)))
    let search = EventValueSearch(values)
    let found = search.find(in: file.bytes).map { Array(file.bytes[$0]) }
    #expect(found.contains(Self.name))
    #expect(found.contains([0x22, 0x22, 0x22, 0x2A, 0x4F, 0xE2]))
    let redacted = try redact(file, level)
    #expect(search.find(in: redacted.bytes).isEmpty)
    // Of the original, events show what they showed; of the result, none does.
    var shown = [0, 0]
    for (index, bytes) in [file.bytes, redacted.bytes].enumerated() {
      var same = values
      _ = try forEachEvent(CaptureBytes(bytes, name: Self.path)) { event, session in
        if same.isShown(event, session) { shown[index] += 1 }
      }
    }
    #expect(shown[0] > 0 && shown[1] == 0)
  }

  /// A name and an address as packets, programs and consoles have them, each between other bytes.
  @Test func search() {
    let search = EventValueSearch(
      texts: [Array("Mara’s Ring".utf8)], addresses: [0xC0DE_1234_5678])
    let name = "Mara’s Ring"
    let places: [(bytes: [UInt8], isFound: Bool)] = [
      (Array(name.utf8), true), (name.utf8.reversed(), true),
      (name.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, true),
      (name.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, true),
      ([0xC0, 0xDE, 0x12, 0x34, 0x56, 0x78], true), ([0x78, 0x56, 0x34, 0x12, 0xDE, 0xC0], true),
      (Array("C0:DE:12:34:56:78".utf8), true), (Array("c0-de-12-34-56-78".utf8), true),
      (Array("c0de12345678".utf8), true), (Array("78:56:34:12:DE:C0".utf8), true),
      (Array("Mara’s Rink".utf8), false), ([0xC0, 0xDE, 0x12, 0x34, 0x56, 0x79], false),
      (Array("C0:DE:12:34:56:7".utf8), false), ([], false),
    ]
    for place in places {
      let bytes = [0xFF, 0x01] + place.bytes + [0x02, 0xFE]
      let found = search.find(in: bytes)
      #expect(found.isEmpty != place.isFound, "\(place.bytes)")
      #expect(found.allSatisfy { $0 == 2..<(bytes.count - 2) }, "\(place.bytes)")
    }
  }

  /// Texts that begin with others, or as many others do: the longest one at a place is found, in linear time.
  @Test func searchAmongSimilarTexts() {
    let texts = ["Mara L", "Mara Li", "Mara Lind", "Mara Q", "abc cba", "aaaaaaaa"]
    let search = EventValueSearch(texts: Set(texts.map { Array($0.utf8) }), addresses: [])
    func found(in text: String) -> [String] {
      let bytes = Array(text.utf8)
      return search.find(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(found(in: "#Mara Lindqvist") == ["Mara Lind"])
    #expect(found(in: "Mara Lin") == ["Mara Li"])
    #expect(found(in: "Mara M, Mara, Mara ") == [])
    #expect(found(in: "Mara Q") == ["Mara Q"])
    // What is the same backwards is found once.
    #expect(found(in: "-abc cba-") == ["abc cba"])
    #expect(found(in: "zzaaaaaaaaz") == ["aaaaaaaa"])
    // As UTF-16, also where the bytes end.
    let wide = "Mara Li".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(search.find(in: [1] + wide) == [1..<15])
    #expect(search.find(in: Array(wide.dropLast(2))) == [0..<12])

    let many = (0..<5_000).map { "{\"message\":\"\($0)" }
    let searchOfMany = EventValueSearch(texts: Set(many.map { Array($0.utf8) }), addresses: [])
    let bytes = (0..<5_000).flatMap { Array("{\"message\":\"-\($0)\"}".utf8) }
    let start = ContinuousClock.now
    #expect(searchOfMany.find(in: bytes).isEmpty)
    // One text after the other would take minutes.
    #expect(ContinuousClock.now - start < .seconds(20))
  }
}
