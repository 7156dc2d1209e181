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

  /// With bytes too many in a header, records begin elsewhere, and once bytes between frames are overwritten, others are read:
  /// nothing of a name stays, wherever the bytes are.
  @Test(arguments: [MadeCapture.Container.h5, .bcsp], RedactionLevel.allCases)
  func damaged(_ container: MadeCapture.Container, _ level: RedactionLevel) throws {
    let name = Array("Zubrikanda Quorv".utf8)
    var capture = MadeCapture(container)
    // Core Specification, Vol 4, Part E, 7.7.65.1; Vol 3, Part F, 3.4.4
    capture.event(0x3E, [1, 0, 0x40, 0, 0, 1, 9, 8, 7, 6, 5, 0xC4, 24, 0, 0, 0, 0x48, 0, 0])
    capture.l2cap(4, [8, 0x30, 0, 0xFF, 0xFF, 3, 0x28], isReceived: false)
    capture.l2cap(4, [9, 7, 0x30, 0, 2, 0x31, 0, 0, 0x2A])
    capture.l2cap(4, [0x0A, 0x31, 0], isReceived: false)
    capture.l2cap(4, [0x0B] + name)
    capture.l2cap(4, [0x1B, 0x31, 0] + name)
    let added: [UInt8] = [0xB7, 0xAD, 0x5A, 0xB3, 0xCB, 0xD1, 0xAF, 0x3F]
    for place in stride(from: 16, to: 70, by: 3) {
      let file = Array(capture.bytes[..<place]) + added + capture.bytes[place...]
      guard let redacted = try? redact(CaptureBytes(file, name: "damaged.btsnoop"), level) else {
        continue
      }
      let left = Haystack(redacted.bytes)
      for start in 0...(name.count - 6) {
        #expect(!left.holds(Array(name[start..<(start + 6)])), "with bytes at \(place)")
      }
    }
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
