import HarkPlatform

/// How bytes spell text. KSY style guide, "Encoding name".
enum TextEncoding: Hashable {
  case ascii, utf8, latin1
  case utf16(isLittle: Bool)
  case utf32(isLittle: Bool)
  /// What the C library converts, by the name it has there.
  case other(String)

  static let canonical = [
    "ASCII", "UTF-8", "UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1", "ISO-8859-2",
    "ISO-8859-3", "ISO-8859-4", "ISO-8859-5", "ISO-8859-6", "ISO-8859-7", "ISO-8859-8",
    "ISO-8859-9", "ISO-8859-10", "ISO-8859-11", "ISO-8859-13", "ISO-8859-14", "ISO-8859-15",
    "ISO-8859-16", "windows-1250", "windows-1251", "windows-1252", "windows-1253", "windows-1254",
    "windows-1255", "windows-1256", "windows-1257", "windows-1258", "IBM437", "IBM866", "Shift_JIS",
    "Big5", "EUC-KR", "EUC-JP", "GB2312", "SJIS",
  ]
  private static let aliases = [
    "us-ascii": "ASCII", "utf8": "UTF-8", "utf16le": "UTF-16LE", "utf16be": "UTF-16BE",
    "utf-16": "UTF-16BE", "latin1": "ISO-8859-1", "iso8859-1": "ISO-8859-1", "cp437": "IBM437",
  ]

  /// How the style guide spells `name`, or nil if it knows no such encoding.
  static func canonicalName(of name: String) -> String? {
    let folded = name.lowercased()
    return aliases[folded] ?? canonical.first { $0.lowercased() == folded }
  }

  init(name: String) {
    switch Self.canonicalName(of: name) {
    case "ASCII": self = .ascii
    case "UTF-8": self = .utf8
    case "ISO-8859-1": self = .latin1
    case "UTF-16LE": self = .utf16(isLittle: true)
    case "UTF-16BE": self = .utf16(isLittle: false)
    case "UTF-32LE": self = .utf32(isLittle: true)
    case "UTF-32BE": self = .utf32(isLittle: false)
    case let known: self = .other(known ?? name)
    }
  }

  /// How many octets its smallest unit has: that many zeros end a `strz`.
  var unit: Int {
    switch self {
    case .utf16: 2
    case .utf32: 4
    case .ascii, .utf8, .latin1, .other: 1
    }
  }

  /// The text `bytes` spell, as UTF-8; nil if the encoding is not known. What spells nothing
  /// becomes U+FFFD.
  func decode(_ bytes: [UInt8]) -> [UInt8]? {
    switch self {
    case .ascii:
      if bytes.allSatisfy({ $0 < 0x80 }) { return bytes }
      return Self.utf8(bytes.map { $0 < 0x80 ? UnicodeScalar($0) : "\u{FFFD}" })
    case .utf8: return Array(String(decoding: bytes, as: UTF8.self).utf8)
    case .latin1: return Self.utf8(bytes.map { UnicodeScalar($0) })
    case .utf16(let isLittle):
      var units: [UInt16] = []
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        let (a, b) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(isLittle ? b << 8 | a : a << 8 | b)
      }
      let rest = bytes.count % 2 == 0 ? "" : "\u{FFFD}"
      return Array((String(decoding: units, as: UTF16.self) + rest).utf8)
    case .utf32(let isLittle):
      var scalars: [UnicodeScalar] = []
      for index in stride(from: 0, to: bytes.count - 3, by: 4) {
        let octets =
          isLittle ? bytes[index..<index + 4].reversed() : Array(bytes[index..<index + 4])
        let code = octets.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        scalars.append(UnicodeScalar(code) ?? "\u{FFFD}")
      }
      return Self.utf8(scalars)
    case .other(let name): return Self.convert(bytes, from: name)
    }
  }

  private static func utf8(_ scalars: [UnicodeScalar]) -> [UInt8] {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return Array(String(view).utf8)
  }

  private static func convert(_ bytes: [UInt8], from name: String) -> [UInt8]? {
    // A name with a slash would ask the C library for more than a table.
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x2F && $0 != 0x5C }) else {
      return nil
    }
    let converter = unsafe iconv_open("UTF-8", name)
    guard Int(bitPattern: converter) != -1 else { return nil }
    defer { _ = unsafe iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: bytes.count * 4 + 16)
    var written = 0
    var ending: [UInt8] = []
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        var from = source.baseAddress
        var to = target.baseAddress
        var (left, room) = (source.count, target.count)
        if unsafe iconv(converter, &from, &left, &to, &room) == -1 {
          ending = Array("\u{FFFD}".utf8)
        }
        written = target.count - room
      }
    }
    return output.prefix(written).map { UInt8(bitPattern: $0) } + ending
  }
}
