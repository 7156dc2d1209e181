import HarkDissection

extension AudioCodec {
  /// `AAC`, `LDAC`
  package var name: String {
    switch kind {
    case .aac: return "AAC"
    case .atrac: return "ATRAC"
    case .vendorSpecific:
      guard let vendor, let vendorCodec else { break }
      return AssignedNumbers.codec(vendor: vendor, codec: vendorCodec)
        ?? "codec \(Names.hex(vendorCodec)) of "
        + (AssignedNumbers.company(UInt16(truncatingIfNeeded: vendor)) ?? "vendor \(vendor)")
    case .sbc, .mpeg12, .usac, nil: break
    }
    return Names.of(type, "avdtp.codecType") ?? "codec \(Names.hex(type))"
  }

  /// `AAC 44.1 kHz stereo, VBR ≤ 256 kbit/s`
  package var words: String {
    var text = name
    if let samplingFrequency { text += " " + Self.kilohertz(samplingFrequency) }
    if let channels { text += " " + channels.words }
    if let bitpool { text += ", bitpool \(bitpool.lowerBound)–\(bitpool.upperBound)" }
    if let bitRate, bitRate > 0 {
      text += isVariable ? ", VBR ≤ " : ", "
      text += bitRate % 1_000 == 0 ? "\(bitRate / 1_000) kbit/s" : "\(bitRate) bit/s"
    }
    return text
  }

  /// `44.1 kHz`
  private static func kilohertz(_ frequency: UInt32) -> String {
    let (whole, rest) = frequency.quotientAndRemainder(dividingBy: 1_000)
    guard rest > 0 else { return "\(whole) kHz" }
    var digits = "\(rest + 1_000)".dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits) kHz"
  }
}

extension AudioCodec.Channels {
  fileprivate var words: String {
    switch self {
    case .mono: "mono"
    case .dual: "dual channel"
    case .stereo: "stereo"
    case .jointStereo: "joint stereo"
    case .surround51: "5.1"
    case .surround71: "7.1"
    }
  }
}
