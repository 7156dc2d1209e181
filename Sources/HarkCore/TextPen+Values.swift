// Values as text: numbers, addresses, times, quoted strings.
extension TextPen {
  @inlinable @inline(__always)
  public mutating func decimal(_ value: UInt64) {
    // Nearly all numbers in packets are short.
    if value < 10 { return byte(0x30 &+ UInt8(truncatingIfNeeded: value)) }
    if value < 10_000 { return short(UInt32(truncatingIfNeeded: value)) }
    decimal(value, width: 1)
  }

  /// 10 to 9,999.
  @usableFromInline
  mutating func short(_ value: UInt32) {
    unsafe add(4) { end in
      let size = value < 100 ? 2 : value < 1_000 ? 3 : 4
      // All four digits, without leading zeros.
      let high = value / 100
      let pairs = unsafe UnsafeRawPointer(Self.pairs.utf8Start)
      let (first, second) = unsafe (
        pairs.loadUnaligned(fromByteOffset: Int(high) &* 2, as: UInt16.self),
        pairs.loadUnaligned(fromByteOffset: Int(value &- high &* 100) &* 2, as: UInt16.self)
      )
      var word = UInt32(UInt16(littleEndian: first)) | UInt32(UInt16(littleEndian: second)) &<< 16
      word &>>= UInt32(truncatingIfNeeded: (4 &- size) &* 8)
      unsafe UnsafeMutableRawPointer(end).storeBytes(of: word.littleEndian, as: UInt32.self)
      return size
    }
  }

  public mutating func decimal(_ value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    decimal(value.magnitude)
  }

  public mutating func decimal(_ value: Int) { decimal(Int64(value)) }

  /// The number of decimal digits of `value`.
  @inline(__always)
  private static func digits(_ value: UInt64) -> Int {
    if value < 10 { return 1 }
    if value < 100 { return 2 }
    if value < 1_000 { return 3 }
    if value < 10_000 { return 4 }
    if value < 100_000 { return 5 }
    if value < 1_000_000 { return 6 }
    var digits = 7
    var rest = value / 10_000_000
    while rest > 0 {
      digits &+= 1
      rest /= 10
    }
    return digits
  }

  /// The decimal digits of 0 to 99.
  private static let pairs: StaticString = """
    00010203040506070809101112131415161718192021222324252627282930313233343536373839\
    40414243444546474849505152535455565758596061626364656667686970717273747576777879\
    8081828384858687888990919293949596979899
    """

  /// Stores the last `size` decimal digits of `value`, with leading zeros, from `end` on.
  @inline(__always)
  private static func store(_ value: UInt64, _ size: Int, at end: UnsafeMutablePointer<UInt8>) {
    let pairs = unsafe UnsafeRawPointer(Self.pairs.utf8Start)
    var rest = value
    var index = size
    while index >= 2 {
      index &-= 2
      let quotient = rest / 100
      let pair = Int(truncatingIfNeeded: rest &- quotient &* 100) &* 2
      let digits = unsafe pairs.loadUnaligned(fromByteOffset: pair, as: UInt16.self)
      unsafe UnsafeMutableRawPointer(end + index).storeBytes(of: digits, as: UInt16.self)
      rest = quotient
    }
    if index == 1 { unsafe end[0] = 0x30 &+ UInt8(truncatingIfNeeded: rest % 10) }
  }

  /// The last six decimal digits of a number below 1,000,000, with leading zeros.
  public mutating func sixDigits(_ value: UInt32) {
    unsafe add(6) { end in
      let pairs = unsafe UnsafeRawPointer(Self.pairs.utf8Start)
      let target = UnsafeMutableRawPointer(end)
      let high = value / 10_000
      let low = value &- high &* 10_000
      let middle = low / 100
      for (place, pair) in [(0, high % 100), (2, middle), (4, low &- middle &* 100)] {
        let digits = unsafe pairs.loadUnaligned(fromByteOffset: Int(pair) &* 2, as: UInt16.self)
        unsafe target.storeBytes(of: digits, toByteOffset: place, as: UInt16.self)
      }
      return 6
    }
  }

  /// Decimal digits, with leading zeros up to `width` (at most 20).
  public mutating func decimal(_ value: UInt64, width: Int) {
    let size = min(max(Self.digits(value), width), 20)
    unsafe add(20) { end in
      unsafe Self.store(value, size, at: end)
      return size
    }
  }

  /// Decimal digits, with leading blanks up to `width`.
  public mutating func decimal(_ value: UInt64, padding width: Int) {
    let size = Self.digits(value)
    blanks(width &- size)
    unsafe add(20) { end in
      unsafe Self.store(value, size, at: end)
      return size
    }
  }

  /// Seconds with 6 decimals, cut and not rounded, with leading blanks up to `width`.
  public mutating func seconds(_ nanoseconds: Int64, padding width: Int) {
    let microseconds = nanoseconds.magnitude / 1_000
    let whole = microseconds / 1_000_000
    let size = Self.digits(whole)
    blanks(width &- size &- (nanoseconds < 0 ? 8 : 7))
    if nanoseconds < 0 { byte(UInt8(ascii: "-")) }
    unsafe add(27) { end in
      unsafe Self.store(whole, size, at: end)
      unsafe end[size] = UInt8(ascii: ".")
      unsafe Self.store(microseconds &- whole &* 1_000_000, 6, at: end + size + 1)
      return size &+ 7
    }
  }

  /// A number of millionths as a decimal number without trailing zeros: `1.25`.
  public mutating func decimal(millionths value: Int64) {
    if value < 0 { byte(UInt8(ascii: "-")) }
    let (whole, part) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
    decimal(whole)
    guard part > 0 else { return }
    byte(UInt8(ascii: "."))
    decimal(part, width: 6)
    while last == 0x30 { cut(to: count - 1) }
  }

  @inline(__always)
  static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 &+ nibble : 0x57 &+ nibble }

  /// Two lower-case hexadecimal digits.
  @inline(__always)
  public mutating func hex(_ byte: UInt8) {
    unsafe add(2) { end in
      unsafe end[0] = Self.digit(byte >> 4)
      unsafe end[1] = Self.digit(byte & 0x0F)
      return 2
    }
  }

  /// Two lower-case hexadecimal digits for each byte in the part of `range` that `bytes` has.
  public mutating func hex(_ bytes: RawSpan, _ range: Range<Int>) {
    let inside = range.clamped(to: 0..<bytes.byteCount)
    unsafe add(inside.count &* 2) { end in
      var index = 0
      for offset in inside {
        let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
        unsafe end[index] = Self.digit(byte >> 4)
        unsafe end[index &+ 1] = Self.digit(byte & 0x0F)
        index &+= 2
      }
      return index
    }
  }

  /// `0x` and at least `digits` lower-case hexadecimal digits.
  public mutating func hex(_ value: UInt64, digits: Int) {
    let needed = (64 &- value.leadingZeroBitCount &+ 3) / 4
    let size = min(max(digits, needed, 1), 16)
    unsafe add(18) { end in
      unsafe end[0] = UInt8(ascii: "0")
      unsafe end[1] = UInt8(ascii: "x")
      var rest = value
      var index = size &+ 2
      while index > 2 {
        index &-= 1
        unsafe end[index] = Self.digit(UInt8(truncatingIfNeeded: rest) & 0x0F)
        rest >>= 4
      }
      return size &+ 2
    }
  }

  @inline(__always)
  static func capital(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 &+ nibble : 0x37 &+ nibble }

  mutating func capitals(_ value: UInt64, octets: Int) {
    unsafe add(octets &* 2) { end in
      var rest = value
      var index = octets &* 2
      while index > 0 {
        index &-= 1
        unsafe end[index] = Self.capital(UInt8(truncatingIfNeeded: rest) & 0x0F)
        rest >>= 4
      }
      return octets &* 2
    }
  }

  /// Six octets in upper-case hexadecimal digits, separated by colons.
  public mutating func address(_ value: UInt64) {
    unsafe add(17) { end in
      var rest = value
      var index = 15
      while index >= 0 {
        let octet = UInt8(truncatingIfNeeded: rest)
        unsafe end[index] = Self.capital(octet >> 4)
        unsafe end[index &+ 1] = Self.capital(octet & 0x0F)
        if index > 0 { unsafe end[index &- 1] = UInt8(ascii: ":") }
        rest >>= 8
        index &-= 3
      }
      return 17
    }
  }

  /// `0x180F` if there is a 16-bit form, otherwise 36 upper-case characters.
  public mutating func uuid(_ uuid: BluetoothUUID) {
    if let short = uuid.short {
      text("0x")
      return capitals(UInt64(short), octets: 2)
    }
    for (value, octets) in [
      (uuid.high >> 32, 4), (uuid.high >> 16, 2), (uuid.high, 2), (uuid.low >> 48, 2),
    ] {
      capitals(value, octets: octets)
      byte(UInt8(ascii: "-"))
    }
    capitals(uuid.low, octets: 6)
  }

  /// `2026-11-19 10:01:02.123456`; `separator` is between date and time.
  public mutating func dateTime(_ time: Timestamp, separator: UInt8 = 0x20) {
    let (days, inDay) = time.nanoseconds.floored(by: 86_400_000_000_000)
    let date = CivilDate(daysSince1970: days)
    decimal(UInt64(clamping: date.year), width: 4)
    byte(UInt8(ascii: "-"))
    decimal(UInt64(date.month), width: 2)
    byte(UInt8(ascii: "-"))
    decimal(UInt64(date.day), width: 2)
    byte(separator)
    clock(inDay)
  }

  /// As `dateTime`, for a recorder's clock, with dashes if it does not know the date. Both have 26
  /// columns.
  public mutating func recorded(_ time: Timestamp) {
    if time.isDated { return dateTime(time) }
    text("---------- ")
    timeOfDay(time)
  }

  /// `10:01:02.123456` for nanoseconds since midnight.
  mutating func clock(_ nanoseconds: Int64) {
    let microseconds = UInt64(nanoseconds) / 1_000
    let seconds = microseconds / 1_000_000
    decimal(seconds / 3_600, width: 2)
    byte(UInt8(ascii: ":"))
    decimal(seconds / 60 % 60, width: 2)
    byte(UInt8(ascii: ":"))
    decimal(seconds % 60, width: 2)
    byte(UInt8(ascii: "."))
    decimal(microseconds % 1_000_000, width: 6)
  }

  /// The time of day only.
  public mutating func timeOfDay(_ time: Timestamp) {
    clock(time.nanoseconds.floored(by: 86_400_000_000_000).remainder)
  }

  /// Seconds with `decimals` (0 to 9) decimals, cut and not rounded.
  public mutating func seconds(_ nanoseconds: Int64, decimals: Int) {
    if nanoseconds < 0 { byte(UInt8(ascii: "-")) }
    let magnitude = nanoseconds.magnitude
    decimal(magnitude / 1_000_000_000)
    guard decimals > 0 else { return }
    byte(UInt8(ascii: "."))
    var fraction = magnitude % 1_000_000_000
    for _ in decimals..<9 { fraction /= 10 }
    decimal(fraction, width: decimals)
  }

  /// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD, and characters that `isHazard` are escaped.
  public mutating func json(_ text: some StringProtocol) {
    byte(UInt8(ascii: "\""))
    let isStored: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe characters(UnsafeRawBufferPointer(bytes), isQuoted: true)
    }
    if isStored == nil {
      let bytes = Array(text.utf8)
      unsafe bytes.withUnsafeBytes { unsafe characters($0, isQuoted: true) }
    }
    byte(UInt8(ascii: "\""))
  }

  /// As `json`, without a look-up of what kind of text it is: most are plain strings.
  public mutating func json(_ text: String) {
    var text = text
    byte(UInt8(ascii: "\""))
    text.withUTF8 { unsafe characters(UnsafeRawBufferPointer($0), isQuoted: true) }
    byte(UInt8(ascii: "\""))
  }

  private mutating func characters(_ bytes: UnsafeRawBufferPointer, isQuoted: Bool) {
    var place = 0
    while place < bytes.count {
      let start = place
      while place < bytes.count, unsafe Self.isPlain(bytes[place]) { place += 1 }
      if place > start { unsafe append(UnsafeRawBufferPointer(rebasing: bytes[start..<place])) }
      guard place < bytes.count else { return }
      let character = unsafe bytes[place]
      // The first bytes of all hazards beyond ASCII.
      guard character == 0xC2 || character == 0xD8 || character == 0xE2 else {
        if isQuoted || !Self.isQuote(character) { escaped(character) } else { byte(character) }
        place += 1
        continue
      }
      let size = min(character == 0xE2 ? 3 : 2, bytes.count - place)
      var value = UInt32(character) & (size == 3 ? 0x0F : 0x1F)
      for next in 1..<max(size, 1) {
        value = unsafe value << 6 | UInt32(bytes[place + next]) & 0x3F
      }
      if Self.isHazard(value) {
        unicodeEscape(value)
      } else {
        for next in 0..<size { unsafe byte(bytes[place + next]) }
      }
      place += size
    }
  }

  /// Whether a character from a capture could affect its reader: C0 and C1 control characters
  /// control terminals; marks of direction make a text look like another; U+2028 and U+2029 end lines, in
  /// JavaScript and in logs. Unicode Standard, 23.1, 23.2.
  public static func isHazard(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// `\u202e`, for a character of at most 16 bits.
  private mutating func unicodeEscape(_ scalar: UInt32) {
    text("\\u")
    hex(UInt8(truncatingIfNeeded: scalar >> 8))
    hex(UInt8(truncatingIfNeeded: scalar))
  }

  /// Text from a capture for a terminal: control characters are escaped (`\\n`, `\\u001b`), so that
  /// no device name can drive the reader's terminal.
  public mutating func printable(_ text: some StringProtocol) {
    let isStored: Void? = text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe characters(UnsafeRawBufferPointer(bytes), isQuoted: false)
    }
    if isStored == nil {
      let bytes = Array(text.utf8)
      unsafe bytes.withUnsafeBytes { unsafe characters($0, isQuoted: false) }
    }
  }

  /// Whether a character is never escaped: printable ASCII.
  private static func isPlain(_ character: UInt8) -> Bool {
    0x20..<0x7F ~= character && !isQuote(character)
  }

  /// Whether a character is escaped only between quotes.
  private static func isQuote(_ character: UInt8) -> Bool {
    character == UInt8(ascii: "\"") || character == UInt8(ascii: "\\")
  }

  /// Replaces a key by its length. No comma: it may be one value of several.
  public mutating func secret(_ count: Int) {
    decimal(count)
    text(count == 1 ? " secret byte" : " secret bytes")
  }

  mutating func escaped(_ character: UInt8) {
    switch character {
    case UInt8(ascii: "\""): text("\\\"")
    case UInt8(ascii: "\\"): text("\\\\")
    case 0x0A: text("\\n")
    case 0x0D: text("\\r")
    case 0x09: text("\\t")
    case 0..<0x20, 0x7F:
      text("\\u00")
      hex(character)
    default: byte(character)
    }
  }
}

extension Int64 {
  /// Quotient and remainder; the remainder is never negative.
  func floored(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
