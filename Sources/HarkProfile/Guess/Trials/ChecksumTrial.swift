import HarkLayout

/// Whether the last bytes of all samples are a checksum of those before.
enum ChecksumTrial {
  /// How many bytes at the beginning may be left out of it.
  private static let mostSkipped = 4

  static func find(_ samples: Samples) -> GuessedChecksum? {
    guard samples.distinct.count >= Least.values else { return nil }
    for algorithm in ChecksumAlgorithm.allCases {
      for from in 0...mostSkipped {
        for (integer, isLittle) in integers(algorithm) {
          let size = algorithm.size
          guard samples.shortest >= from + size + 1 else { continue }
          let isRight = samples.distinct.allSatisfy { sample in
            let tail = sample.tail
            let end = tail.suffix(size)
            let sent = (isLittle ? Array(end.reversed()) : Array(end)).reduce(UInt32(0)) {
              $0 << 8 | UInt32($1)
            }
            return algorithm.value(over: Array(tail.dropFirst(from).dropLast(size))) == sent
          }
          guard isRight, changes(samples, size) else { continue }
          return GuessedChecksum(
            algorithm: algorithm, integer: integer, from: from, size: size,
            evidence: "\(algorithm.rawValue) of the bytes from \(from) on; \(samples.evidence())")
        }
      }
    }
    return nil
  }

  /// What is always the same shows nothing.
  private static func changes(_ samples: Samples, _ size: Int) -> Bool {
    Set(samples.distinct.map { $0.tail.suffix(size) }).count >= Least.values - 1
  }

  private static func integers(_ algorithm: ChecksumAlgorithm) -> [(String, isLittle: Bool)] {
    switch algorithm.size {
    case 1: [("u1", true)]
    case 2: [("u2le", true), ("u2be", false)]
    default: [("u4le", true), ("u4be", false)]
    }
  }
}

extension ChecksumAlgorithm {
  /// In bytes.
  fileprivate var size: Int {
    switch self {
    case .sum8, .xor8, .crc8: 1
    case .crc16CCITTFalse, .crc16Xmodem, .crc16Arc: 2
    case .crc32: 4
    }
  }
}
