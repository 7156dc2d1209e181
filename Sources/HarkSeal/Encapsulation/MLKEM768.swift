/// Encapsulation of ML-KEM-768 with given randomness: FIPS 203, 6.2 and 5.2. It works on public values of one
/// conversation, and decapsulates nothing.
enum MLKEM768 {
  static let publicKeySize = 1184
  private static let q = 3329
  private static let k = 3

  private typealias Polynomial = [Int]

  /// - Parameter randomness: 32 bytes, `m` of the standard.
  /// - Returns: Nil if the key has another size or a coefficient that is too large (FIPS 203, 7.2).
  static func encapsulate(
    _ publicKey: [UInt8], randomness: [UInt8]
  ) -> (ciphertext: [UInt8], secret: [UInt8])? {
    guard publicKey.count == publicKeySize, randomness.count == 32 else { return nil }
    var coefficients: [Polynomial] = []
    for row in 0..<k {
      let polynomial = decode12(publicKey[(row * 384)..<(row * 384 + 384)])
      guard polynomial.allSatisfy({ $0 < q }) else { return nil }
      coefficients.append(polynomial)
    }
    let derived = Keccak.sha3of512(randomness + Keccak.sha3of256(publicKey))
    let ciphertext = encrypt(
      coefficients, Array(publicKey[(k * 384)...]), randomness, Array(derived[32...]))
    return (ciphertext, Array(derived[..<32]))
  }

  /// K-PKE.Encrypt.
  private static func encrypt(
    _ key: [Polynomial], _ seed: [UInt8], _ message: [UInt8], _ randomness: [UInt8]
  ) -> [UInt8] {
    let noise = (0..<7).map { binomial(Keccak.shake256(randomness + [UInt8($0)], count: 128)) }
    let y = noise[..<k].map(transformed)
    var ciphertext: [UInt8] = []
    for row in 0..<k {
      var sum = Polynomial(repeating: 0, count: 256)
      for column in 0..<k {
        // The matrix is transposed: row and column change places in the seed.
        add(product(uniform(seed + [UInt8(row), UInt8(column)]), y[column]), to: &sum)
      }
      var u = restored(sum)
      add(noise[k + row], to: &u)
      ciphertext += encode(u, bits: 10)
    }
    var sum = Polynomial(repeating: 0, count: 256)
    for row in 0..<k { add(product(key[row], y[row]), to: &sum) }
    var v = restored(sum)
    add(noise[2 * k], to: &v)
    add((0..<256).map { Int(message[$0 / 8] >> UInt8($0 % 8) & 1) * ((q + 1) / 2) }, to: &v)
    return ciphertext + encode(v, bits: 4)
  }

  private static func add(_ other: Polynomial, to sum: inout Polynomial) {
    for index in 0..<256 { sum[index] = (sum[index] + other[index]) % q }
  }

  /// ByteDecode of 12 bits.
  private static func decode12(_ bytes: ArraySlice<UInt8>) -> Polynomial {
    let start = bytes.startIndex
    return (0..<256).map { index in
      let place = start + index / 2 * 3
      return index % 2 == 0
        ? Int(bytes[place]) | Int(bytes[place + 1] & 0x0F) << 8
        : Int(bytes[place + 1] >> 4) | Int(bytes[place + 2]) << 4
    }
  }

  /// Compress and ByteEncode.
  private static func encode(_ polynomial: Polynomial, bits: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var (held, count) = (0, 0)
    for coefficient in polynomial {
      let compressed = ((coefficient << bits) + q / 2) / q & ((1 << bits) - 1)
      held |= compressed << count
      count += bits
      while count >= 8 {
        bytes.append(UInt8(held & 0xFF))
        (held, count) = (held >> 8, count - 8)
      }
    }
    return bytes
  }

  /// SampleNTT.
  private static func uniform(_ seed: [UInt8]) -> Polynomial {
    var sponge = Keccak.shake128(seed)
    var result: Polynomial = []
    while result.count < 256 {
      let part = sponge.squeeze(3).map(Int.init)
      let pair = [part[0] | (part[1] & 0x0F) << 8, part[1] >> 4 | part[2] << 4]
      for value in pair where value < q && result.count < 256 { result.append(value) }
    }
    return result
  }

  /// SamplePolyCBD with η = 2.
  private static func binomial(_ bytes: [UInt8]) -> Polynomial {
    (0..<256).map { index in
      let nibble = bytes[index / 2] >> UInt8(index % 2 * 4)
      let plus = Int(nibble & 1) + Int(nibble >> 1 & 1)
      let minus = Int(nibble >> 2 & 1) + Int(nibble >> 3 & 1)
      return (plus - minus + q) % q
    }
  }

  private static func reversed(_ index: Int) -> Int {
    (0..<7).reduce(0) { $0 | (index >> $1 & 1) << (6 - $1) }
  }

  private static func power(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { value, _ in value * 17 % q }
  }

  private static let zetas = (0..<128).map { power(reversed($0)) }
  private static let gammas = (0..<128).map { power(2 * reversed($0) + 1) }

  /// NTT; algorithm 9.
  private static func transformed(_ polynomial: Polynomial) -> Polynomial {
    var result = polynomial
    var (length, index) = (128, 1)
    while length >= 2 {
      for start in stride(from: 0, to: 256, by: 2 * length) {
        for place in start..<(start + length) {
          let product = zetas[index] * result[place + length] % q
          result[place + length] = (result[place] - product + q) % q
          result[place] = (result[place] + product) % q
        }
        index += 1
      }
      length /= 2
    }
    return result
  }

  /// NTT⁻¹; algorithm 10.
  private static func restored(_ polynomial: Polynomial) -> Polynomial {
    var result = polynomial
    var (length, index) = (2, 127)
    while length <= 128 {
      for start in stride(from: 0, to: 256, by: 2 * length) {
        for place in start..<(start + length) {
          let value = result[place]
          result[place] = (value + result[place + length]) % q
          result[place + length] = zetas[index] * (result[place + length] - value + q) % q
        }
        index -= 1
      }
      length *= 2
    }
    return result.map { $0 * 3303 % q }
  }

  /// MultiplyNTTs; algorithm 11.
  private static func product(_ a: Polynomial, _ b: Polynomial) -> Polynomial {
    var result = Polynomial(repeating: 0, count: 256)
    for index in 0..<128 {
      let (even, odd) = (2 * index, 2 * index + 1)
      result[even] = (a[even] * b[even] + a[odd] * b[odd] % q * gammas[index]) % q
      result[odd] = (a[even] * b[odd] + a[odd] * b[even]) % q
    }
    return result
  }
}
