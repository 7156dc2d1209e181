import HarkCore
import HarkDissection
import Testing

@testable import HarkSession

/// Messages whose length follows from their parts: a count of parameters, and each with its length, as
/// those of SIM Access are (SIM Access Profile 1.1, 5.1; without its padding).
@Suite struct MessageBufferTests {
  private struct Parameters: MessageCutter {
    let headerCount = 1

    /// Where each of the parameters ends; the last is as far as `begun` tells.
    private func end(_ begun: RawSpan) -> (end: Int, isKnown: Bool) {
      var end = 1
      for _ in 0..<begun.byte(at: 0) {
        guard end < begun.byteCount else { return (end + 1, false) }
        end += 1 + Int(begun.byte(at: end))
      }
      return (end, end <= begun.byteCount)
    }

    func needed(_ begun: RawSpan) -> Int? {
      let (end, _) = end(begun)
      return end > begun.byteCount ? end : nil
    }

    func count(_ header: RawSpan) -> Int? { end(header).end }
  }

  /// Asks for no more than there is, again and again.
  private struct Stubborn: MessageCutter {
    let headerCount = 1
    func needed(_ begun: RawSpan) -> Int? { begun.byteCount }
    func count(_ header: RawSpan) -> Int? { nil }
  }

  private func messages(_ bytes: [UInt8], by size: Int) -> (whole: [[UInt8]], rest: Int) {
    var (buffer, whole): (MessageBuffer, [[UInt8]]) = (MessageBuffer(), [])
    for start in stride(from: 0, to: bytes.count, by: size) {
      buffer.append(Array(bytes[start..<min(start + size, bytes.count)]).raw, [UInt32(start)])
      while case .message(let range) = buffer.next(Parameters()) {
        whole.append(Array(buffer.bytes[range]))
        buffer.moveOn()
      }
    }
    return (whole, buffer.have)
  }

  /// However a stream is cut into frames, its messages are the same.
  @Test(arguments: 1...14) func lengthsOfSeveralParts(_ size: Int) {
    let all: [[UInt8]] = [[2, 3, 0xA, 0xB, 0xC, 0], [0], [1, 2, 0xD, 0xE], [3, 0, 0, 1, 0xF]]
    let (whole, rest) = messages(all.flatMap { $0 } + [2, 1], by: size)
    #expect(whole == all)
    #expect(rest == 2)
  }

  @Test func cutterThatAsksForNothingNew() {
    var buffer = MessageBuffer()
    buffer.append(([1, 2, 3] as [UInt8]).raw, [1])
    guard case .outOfStep = buffer.next(Stubborn()) else {
      Issue.record("it went on")
      return
    }
  }
}
