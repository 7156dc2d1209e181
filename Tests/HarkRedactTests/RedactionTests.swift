import Foundation
import HarkCapture
import HarkCore
import HarkCrypto
import HarkTestSupport
import Testing

@testable import HarkRedact

@Suite struct RedactionTests {
  /// Each sample is redacted, and the proof holds: every day at one of the two levels.
  @Test(
    arguments: Samples.all.filter { !Samples.withLayouts.contains($0) }, RedactionLevel.allCases)
  func sample(_ path: String, _ level: RedactionLevel) throws {
    let place = try #require(Samples.all.firstIndex(of: path))
    guard DailyPart.includes(place + (level == .share ? 0 : 1), oneIn: 2) else { return }
    let file = try Samples.read(path)
    if path.hasPrefix("iap2-usb/") {
      // Only transfers of a USB accessory are in it.
      #expect(throws: RedactionError.self) { try redact(file, level) }
      return
    }
    let redacted = try redact(file, level)
    let again = CaptureBytes(redacted.bytes, name: path)
    if file.isCompressed {
      #expect(Array(redacted.bytes.prefix(2)) == [0x1F, 0x8B])
    } else {
      // Of a capture of a USB the packets are written.
      #expect(try again.bytes.count == (file.log() ?? file).bytes.count)
    }
    #expect(redacted.list.packets > 0)
    // What is missing is no mistake of anybody's.
    #expect(redacted.list.newFindings.isEmpty)
  }

  @Test(arguments: Samples.withLayouts, RedactionLevel.allCases)
  func sampleWithALayout(_ path: String, _ level: RedactionLevel) throws {
    let file = Samples.folder.appending(path: path)
    let out = FileManager.default.temporaryDirectory.appending(
      path: "\(UUID())-" + file.lastPathComponent)
    defer { try? FileManager.default.removeItem(at: out) }
    let process = Process()
    process.executableURL = Samples.program
    process.arguments = ["redact", file.path(), out.path(), "--level", level.rawValue]
    process.standardOutput = FileHandle.nullDevice
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let deadline = ProgramDeadline(process)
    let stated = try String(decoding: deadline.readToEnd(errors), as: UTF8.self)
    process.waitUntilExit()
    try deadline.check()
    #expect(process.terminationStatus == 0, "\(stated)")
    #expect(try Data(contentsOf: out).count == Data(contentsOf: file).count)
  }

  /// A pcapng file whose first block has a wrong length: after its bytes are zeros, nothing says what the file is. Its
  /// packets are redacted in a new file.
  @Test(arguments: RedactionLevel.allCases) func damagedFirstBlock(_ level: RedactionLevel) throws {
    let file = try Samples.read("eatt-session/eatt-session.pcapng")
    var bytes = file.bytes
    bytes[4] &+= 4
    let damaged = try Capture(CaptureBytes(bytes, name: file.name)).forEachRecord { _, _ in true }
    #expect(damaged.status == .damaged && damaged.records > 0)
    let redacted = try redact(CaptureBytes(bytes, name: file.name), level)
    #expect(redacted.list.isRewritten)
    let end = try Capture(bytes: redacted.bytes, name: file.name).forEachRecord { _, _ in true }
    #expect(end.status == .complete && end.records == damaged.records)
    #expect(redacted.list.packets == Int(end.records))
    // Together, the fates of bytes are those of the new file.
    #expect(redacted.list.bytes.reduce(0) { $0 + $1.count } == redacted.bytes.count)
  }

  /// The command, a report and an export say that the original is damaged.
  @Test func damagedFirstBlockOutputs() throws {
    let folder = try TestFolder()
    var bytes = try Samples.read("eatt-session/eatt-session.pcapng").bytes
    bytes[4] &+= 4
    let capture = folder.path("damaged.pcapng")
    try Data(bytes).write(to: URL(filePath: capture))
    let redacted = folder.path("redacted.pcapng")
    let run = try HarkProgram.run("redact", capture, redacted, "--format", "json")
    #expect(run.code == 2 && run.text.contains("\"rewritten\":true"))
    #expect(run.stated.contains { $0.contains("the redacted capture is a new file") })
    #expect(try HarkProgram.run("info", redacted).code == 0)
    let report = folder.path("report.md")
    #expect(try HarkProgram.run("report", capture, "--redact", "-o", report).code == 2)
    #expect(try String(contentsOfFile: report, encoding: .utf8).contains("The capture is damaged"))
    let tables = folder.path("tables")
    let export = try HarkProgram.run(
      "export", capture, tables, "--format", "jsonl", "--redact", "strict", "--map",
      folder.path("map"))
    #expect(export.code == 2)
  }

  /// With one map, another capture has the same pseudonyms; with another, others.
  @Test func map() throws {
    let first = try redact(Samples.read("pebble-session/pebble-session.btsnoop"))
    let text = first.map.text
    let second = try redact(
      Samples.read("pebble-session/pebble-session.pklg"), map: try RedactionMap(text))
    let address = PersonalValue(kind: .address, bytes: [0xE2, 0x4F, 0x2A, 0x22, 0x22, 0x22])
    let new = try #require(first.map.values[address])
    #expect(second.map.values[address] == new)
    #expect(new[0] >> 6 == 3)
    #expect(second.bytes.holds(new.reversed()))
    let name = PersonalValue(kind: .name, bytes: Array("Acme Watch 4F2A".utf8))
    let called = try #require(first.map.values[name])
    #expect(first.bytes.holds(called) && second.bytes.holds(called))
    #expect(!first.bytes.holds(name.bytes) && !second.bytes.holds(name.bytes))
    let other = try redact(Samples.read("pebble-session/pebble-session.btsnoop"))
    #expect(other.map.values[address] != new)
    #expect(try RedactionMap(text).text == text)
  }

  @Test(arguments: [
    ("", 1), ("# hark redaction map 1\n", 2), ("# hark redaction map 1\nkey\t00\n", 2),
    ("# hark redaction map 1\nkey\t" + String(repeating: "00", count: 32) + "\nname\t41\n", 3),
  ])
  func noMap(_ text: String, _ line: Int) {
    #expect { try RedactionMap(text) } throws: { ($0 as? RedactionMapError)?.line == line }
  }

  /// Addresses that an IRK in the capture resolves are resolved by what it became.
  @Test func resolvable() throws {
    // Core Specification, Vol 3, Part H, D.7: IRK and prand, most significant octet first.
    let irk = try #require(Hex.bytes("ec0234a357c8ad05341010a60a397d9b"))
    let address = try #require(Hex.bytes("7081940dfbaa"))
    #expect(SMPToolbox.ah(irk: irk, prand: Array(address[..<3])) == Array(address[3...]))
    var capture = MadeCapture()
    // LE Advertising Report; HCI_LE_Add_Device_To_Resolving_List.
    capture.event(0x3E, [0x02, 1, 0, 1] + address.reversed() + [0, 0xC0])
    let zeros = [UInt8](repeating: 0, count: 16)
    capture.add(2, [0x27, 0x20, 39, 0, 6, 5, 4, 3, 2, 1] + irk.reversed() + zeros)
    let redacted = try redact(CaptureBytes(capture.bytes, name: "resolvable"))
    let values = redacted.map.values
    let new = try #require(values[PersonalValue(kind: .address, bytes: address)])
    let key = try #require(values[PersonalValue(kind: .key, bytes: irk.reversed())])
    #expect(new != address && key != irk.reversed())
    #expect(SMPToolbox.ah(irk: key.reversed(), prand: Array(new[..<3])) == Array(new[3...]))
  }

  /// A private key in JSON, as Base64 with its slashes escaped, in queued writes and what repeats them.
  @Test(arguments: RedactionLevel.allCases)
  func exposedKey(_ level: RedactionLevel) throws {
    let file = try Samples.read("notifbridge-v0/notifbridge-v0.btsnoop")
    let redacted = try redact(file, level)
    // The seed, and a part of the public key.
    for part in [
      "8Ce3TCdX0mt5cuDX5QnqdTz3PaPjaiFsC0puTgsnDoQ",
      "ATGNIRzJ5cCqUSQofaopcGMxSQqIDusWphZf",
    ] {
      let text = Array(part.utf8)
      #expect(file.bytes.holds(text) && !redacted.bytes.holds(text))
    }
  }

  /// Keys that AAP told before hark could know that it is AAP.
  @Test(arguments: RedactionLevel.allCases)
  func earlyKeys(_ level: RedactionLevel) throws {
    let file = try Samples.read("aap-middle/aap-middle.btsnoop")
    let redacted = try redact(file, level)
    for digits in ["193327e8470ebcbed350feab2b9d44b5", "0b8ec3f63322cfaab6f6951fd6d4194a"] {
      let key = try #require(Hex.bytes(digits))
      #expect(file.bytes.holds(key) && !redacted.bytes.holds(key))
    }
  }

  /// Whatever is in a file: it is redacted, or the reason is reported.
  @Test(arguments: [
    "iap2-session/iap2-session.btsnoop", "ertm-session/ertm-session.pklg",
    "notifbridge-v0/notifbridge-v0.btsnoop", "ancs-session/ancs-session.btsnoop",
    "aap-session/aap-session.pcapng", "formats/mixed.pcapng",
  ])
  func mutated(_ path: String) throws {
    let file = try Samples.read(path)
    var dice = Dice(state: DailyPart.seed(41))
    for _ in 0..<DailyPart.rounds(3, of: 12) {
      var bytes = file.bytes
      for _ in 0..<20 {
        bytes[Int.random(in: 32..<bytes.count, using: &dice)] = UInt8.random(
          in: 0...255, using: &dice)
      }
      if Bool.random(using: &dice) {
        bytes.removeLast(Int.random(in: 1..<bytes.count / 2, using: &dice))
      }
      do {
        let made = try redact(CaptureBytes(bytes, name: path), .strict)
        #expect(made.bytes.count == bytes.count, "\(DailyPart.note)")
      } catch let error as RedactionError {
        #expect(!error.description.isEmpty)
      } catch let error as CaptureError {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
