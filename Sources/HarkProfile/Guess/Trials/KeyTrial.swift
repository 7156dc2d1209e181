import HarkCrypto

/// Whether all samples continue with a key.
enum KeyTrial {
  /// Points are looked at one by one.
  private static let most = 64

  static func find(_ samples: Samples) -> KeyShape? {
    let shapes: [KeyShape] = [.p256Uncompressed, .xWing, .p256, .xWingEncapsulated]
    return shapes.first { shape in
      guard samples.shortest >= shape.size else { return false }
      let tails = samples.distinct.prefix(most).map(\.tail)
      guard tails.allSatisfy({ shape.fits($0.prefix(shape.size)) }) else { return false }
      return shape.isProvable
        || tails.allSatisfy { $0.count == shape.size } && Randomness(tails).isEven
    }
  }

  /// How far from its beginning a value is searched for a key.
  private static let reach = 16

  /// Keys in single values, where the bytes themselves show that they are keys.
  static func single(_ samples: Samples) -> [(frame: UInt32, offset: Int, shape: KeyShape)] {
    var found: [(frame: UInt32, offset: Int, shape: KeyShape)] = []
    for sample in samples.distinct.prefix(most) {
      for offset in 0...reach {
        let shape = KeyShape.allCases.first { shape in
          shape.isProvable && shape.fits(sample.bytes.dropFirst(offset).prefix(shape.size))
        }
        guard let shape else { continue }
        // X and Y of an uncompressed point are found after its 04.
        let isUncompressed = shape == .p256 && offset > 0 && sample.bytes[offset - 1] == 4
        if !isUncompressed { found.append((sample.frame, offset, shape)) }
      }
    }
    return found
  }
}

extension KeyShape {
  /// For people, with why.
  var described: String {
    switch self {
    case .p256: "a point of P-256 (X and Y are on the curve)"
    case .p256Uncompressed: "a point of P-256, uncompressed (04, X and Y are on the curve)"
    case .xWing: "a public key of X-Wing (1216 bytes, its coefficients are below 3329)"
    case .xWingEncapsulated: "an encapsulated key of X-Wing by its size (1120 random bytes)"
    }
  }
}
