import Foundation
import HarkCapture
import HarkCore
import Testing

@testable import HarkRedact

/// Captures whose packets are in frames of a UART: those of Three-wire UART and BCSP.
@Suite struct UARTTests {
  @Test(arguments: ["formats/h5.btsnoop", "formats/bcsp.btsnoop"], RedactionLevel.allCases)
  func sample(_ path: String, _ level: RedactionLevel) throws {
    let file = try Samples.read(path)
    let redacted = try redact(file, level)
    let (was, now) = (MadeCapture.frames(file.bytes), MadeCapture.frames(redacted.bytes))
    #expect(was.map(\.count) == now.map(\.count))
  }

  /// Addresses and keys with bytes that need an escape: frames have their headers and lengths, and checks
  /// that are right.
  @Test(arguments: [MadeCapture.Container.h5, .bcsp], RedactionLevel.allCases)
  func frames(_ container: MadeCapture.Container, _ level: RedactionLevel) throws {
    var dice = Dice(state: 50)
    var capture = MadeCapture(container)
    var secrets: [[UInt8]] = []
    for number in 0..<60 {
      var secret = dice.bytes(number % 2 == 0 ? 6 : 16)
      if number % 3 == 0 { secret[number % 5] = number % 2 == 0 ? 0xC0 : 0xDB }
      secrets.append(secret)
      PlantedSecretsTests.plant(number % 2, secret, in: &capture)
    }
    let redacted = try redact(CaptureBytes(capture.bytes, name: "frames.btsnoop"), level)
    let (was, now) = (MadeCapture.frames(capture.bytes), MadeCapture.frames(redacted.bytes))
    #expect(was.count == 60 && was.map(\.count) == now.map(\.count))
    for (old, new) in zip(was, now) {
      #expect(old[..<4] == new[..<4])
      #expect(old != new)
      let check = MadeCapture.check(Array(new.dropLast(2)))
      #expect(Array(new.suffix(2)) == [UInt8(check >> 8), UInt8(check & 0xFF)])
    }
    let left = Haystack(now.flatMap { $0 })
    for secret in secrets {
      #expect(!left.holds(secret) && !left.holds(secret.reversed()))
    }
    // Only the checks may need other escapes.
    #expect(abs(redacted.bytes.count - capture.bytes.count) <= redacted.list.resizedRecords * 2)
    #expect(redacted.list.resizedRecords < 10)
  }

  /// A frame may be in several records, and a check that was wrong stays wrong.
  @Test func parts() throws {
    var capture = MadeCapture(.h5)
    let address: [UInt8] = [0xC6, 0xC0, 3, 0xDB, 5, 6]
    capture.event(0x3E, [0x02, 1, 0, 1] + address + [0, 0xC0])
    capture.event(0x3E, [0x02, 1, 0, 1] + address + [0, 0xC1])
    let file = capture.bytes
    let frame = MadeCapture.frames(file)[0]
    // The second frame's check, of which the last byte is in front of the delimiter.
    var wrong = file
    wrong[file.count - 2] ^= 1
    // The first record becomes two: the file's header, then both parts with the header of the record.
    let line = MadeCapture.slip(frame)
    let header = Array(file[16..<40])
    for cut in 1..<line.count {
      func part(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var header = header
        (header[3], header[7]) = (UInt8(bytes.count), UInt8(bytes.count))
        return header + bytes
      }
      let split =
        Array(wrong[..<16]) + part(line[..<cut]) + part(line[cut...]) + wrong[(40 + line.count)...]
      let redacted = try redact(CaptureBytes(split, name: "parts.btsnoop"))
      #expect(!redacted.bytes.holds(address))
      let end = try Capture(bytes: redacted.bytes, name: "parts").forEachRecord { _, _ in true }
      #expect(end.damageCount == 1)
      #expect(redacted.map.values.count == 1)
    }
  }
}
