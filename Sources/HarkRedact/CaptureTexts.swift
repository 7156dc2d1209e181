/// Texts that stand beside the packets of a pcapng file.
/// https://datatracker.ietf.org/doc/draft-ietf-opsawg-pcapng/
struct CaptureTexts {
  private(set) var ranges: [(range: Range<Int>, kind: PersonalKind)] = []
  /// Texts of programs: some of their words stay.
  private(set) var words: [Range<Int>] = []

  private let capture: [UInt8]
  private let level: RedactionLevel
  private var isBigEndian = false

  init(_ capture: [UInt8], _ level: RedactionLevel) {
    (self.capture, self.level) = (capture, level)
    guard capture.starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) else { return }
    var place = 0
    while place + 12 <= capture.count {
      if capture[place...].starts(with: [0x0A, 0x0D, 0x0D, 0x0A]) {
        isBigEndian = capture[place + 8] == 0x1A
      }
      let (type, length) = (u32(place), Int(u32(place + 4)))
      // Of what is damaged, what is found in it is replaced all the same.
      guard length >= 12, length <= capture.count - place else { return }
      take(type, place..<(place + length - 4))
      place += length
    }
  }

  private func u32(_ place: Int) -> UInt32 {
    let bytes = capture[place..<(place + 4)]
    return isBigEndian
      ? bytes.reduce(0) { $0 << 8 | UInt32($1) }
      : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  private func u16(_ place: Int) -> Int {
    let (a, b) = (Int(capture[place]), Int(capture[place + 1]))
    return isBigEndian ? a << 8 | b : b << 8 | a
  }

  /// Takes a block of a type, without its second length.
  private mutating func take(_ type: UInt32, _ block: Range<Int>) {
    let start = block.lowerBound
    switch type {
    case 0x0A0D_0D0A: options(from: start + 24, block, [2, 3, 4])
    case 1: interface(from: start + 16, block)
    case 3: break
    case 4: names(block)
    case 5: options(from: start + 20, block, [])
    // The packet's own length, then its bytes, filled up to four.
    case 2, 6:
      guard block.count >= 28 else { return }
      options(from: start + 28 + (Int(u32(start + 20)) + 3) & ~3, block, [])
    // Secrets that open what was captured.
    case 10: add((start + 16)..<block.upperBound, .key)
    // Of systemd's journal, and of somebody's own.
    case 9, 0xBAD, 0x4000_0BAD: add((start + 12)..<block.upperBound, .comment)
    // Nobody knows what is in it.
    default: add((start + 8)..<block.upperBound, .file)
    }
  }

  /// Options of an interface: names, descriptions, filters and systems; addresses.
  private mutating func interface(from start: Int, _ block: Range<Int>) {
    options(from: start, block, [2, 3, 11, 12, 15], addresses: [4, 5, 6, 7])
  }

  /// Comments, custom options, and the options that name machines and programs.
  private mutating func options(
    from start: Int, _ block: Range<Int>, _ makers: Set<Int>, addresses: Set<Int> = [],
    hosts: Set<Int> = []
  ) {
    var place = start
    while place >= start, place + 4 <= block.upperBound {
      let (code, length) = (u16(place), u16(place + 2))
      guard code != 0, place + 4 + length <= block.upperBound else { return }
      let value = (place + 4)..<(place + 4 + length)
      switch code {
      case 1, 2988, 19_372: add(value, .comment)
      case _ where makers.contains(code) && level == .strict: add(value, .model)
      // A filter has its kind in front.
      case _ where makers.contains(code): words.append(code == 11 ? value.dropFirst() : value)
      case _ where hosts.contains(code): add(value, .comment)
      case 4 where addresses.contains(code): add(value.prefix(4), .networkAddress)
      case 5 where addresses.contains(code): add(value.prefix(16), .networkAddress)
      case _ where addresses.contains(code): add(value, .number)
      default: break
      }
      place += 4 + (length + 3) & ~3
    }
  }

  /// Names of hosts, each behind an address.
  private mutating func names(_ block: Range<Int>) {
    var place = block.lowerBound + 8
    while place + 4 <= block.upperBound {
      let (type, length) = (u16(place), u16(place + 2))
      guard type != 0, place + 4 + length <= block.upperBound else {
        // The name of the server of names, and its address.
        return options(from: place + 4, block, [], hosts: [2])
      }
      let size = type == 1 ? 4 : type == 2 ? 16 : min(8, length)
      let address = (place + 4)..<(place + 4 + min(size, length))
      add(address, type <= 2 ? .networkAddress : .number)
      if length > size { add((place + 4 + size)..<(place + 4 + length), .comment) }
      place += 4 + (length + 3) & ~3
    }
  }

  private mutating func add(_ range: Range<Int>, _ kind: PersonalKind) {
    guard !range.isEmpty, range.upperBound <= capture.count else { return }
    ranges.append((range, kind))
  }
}
