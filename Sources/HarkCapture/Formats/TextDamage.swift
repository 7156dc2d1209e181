/// Damage to a binary file that some program treated as text.
enum TextDamage {
  /// Octets above 0x7F were replaced by U+FFFD: what stood there is lost.
  case replacedOctets
  /// Each octet above 0x7F became two, as Latin-1 becomes UTF-8.
  case recodedOctets
  /// Each octet became two, as Latin-1 becomes UTF-16.
  case widenedOctets
  /// A text in UTF-16, as a shell of Windows writes what a program prints.
  case widenedText
  /// Each LF became CR LF.
  case translatedLines

  /// How many line ends are needed to conclude that none is alone by design.
  private static let least = 16

  /// What was done to the btsnoop file in the window, of which the header is in memory; nil if nothing.
  static func of(_ window: inout Window) -> TextDamage? {
    // The datalink's last octet is above 0x7F in every file that has packets of HCI. No datalink ends in what
    // UTF-8 makes of it, so that nothing else is waited for.
    switch window.byte(at: 15) {
    case 0xEF where window.ensure(18) && window.byte(at: 16) == 0xBF && window.byte(at: 17) == 0xBD:
      return .replacedOctets
    case 0xC2...0xC3 where window.ensure(17) && window.byte(at: 16) & 0xC0 == 0x80:
      return .recodedOctets
    default: break
    }
    // A pipe or a capture that still grows may take long to deliver more.
    guard !window.source.isAwaited else { return nil }
    _ = window.ensure(Window.step)
    var ends = 0
    for position in 16..<max(16, min(window.count, Window.step))
    where window.byte(at: position) == 0x0A {
      guard window.byte(at: position - 1) == 0x0D else { return nil }
      ends += 1
    }
    // Packets hold texts with such ends, too: then their records still follow each other.
    return ends >= least && !recordsFollowEachOther(&window) ? .translatedLines : nil
  }

  /// Whether the lengths in the headers of records lead from one to the next, as far as lines were counted.
  private static func recordsFollowEachOther(_ window: inout Window) -> Bool {
    var position = 16
    while position + 24 <= min(window.count, Window.step) {
      let original = window.u32(at: position, .bigEndian)
      let included = window.u32(at: position + 4, .bigEndian)
      guard included <= original, original <= longestRecord else { return false }
      position += 24 + Int(included)
    }
    return true
  }

  /// What was done to the btsnoop file in the window before its own first octet; nil if it is not such a file.
  static func atBeginning(of window: inout Window) -> TextDamage? {
    if window.holds("\u{FEFF}btsnoop") { return .recodedOctets }
    guard window.ensure(6) else { return nil }
    let first = (0..<6).map { window.byte(at: $0) }
    switch (first[0], first[1]) {
    case (0xFF, 0xFE) where first[3] == 0 && first[5] == 0:
      return first[2] == 0x62 && first[4] == 0x74 ? .widenedOctets : .widenedText
    case (0xFE, 0xFF) where first[2] == 0 && first[4] == 0:
      return first[3] == 0x62 && first[5] == 0x74 ? .widenedOctets : .widenedText
    default: return nil
    }
  }

  func error(_ name: String) -> CaptureError {
    switch self {
    case .replacedOctets:
      CaptureError(
        name, "a btsnoop file that was saved as text: octets above 0x7f were replaced", offset: 15,
        expected: "btsnoop datalink 1001, 1002, 1003, 1004 or 2001",
        advice:
          "the original octets are lost: copy the log again as a file, with adb pull or as an attachment"
      )
    case .recodedOctets:
      CaptureError(
        name, "a btsnoop file that was saved as text, in UTF-8", expected: "a binary file",
        advice:
          "copy the log again as a file, or undo it with: iconv -f UTF-8 -t ISO-8859-1 FILE > NEW")
    case .widenedOctets:
      CaptureError(
        name, "a btsnoop file that was saved as text, in UTF-16", expected: "a binary file",
        advice:
          "copy the log again as a file, or undo it with: iconv -f UTF-16 -t ISO-8859-1 FILE > NEW")
    case .widenedText:
      CaptureError(
        name, "a text in UTF-16", expected: "a capture, or a bug report",
        advice: "a bug report can be read in UTF-8: iconv -f UTF-16 -t UTF-8 FILE > NEW",
        isOtherFile: true)
    case .translatedLines:
      CaptureError(
        name, "a btsnoop file that was saved as text: every LF became CR LF",
        expected: "a binary file",
        advice:
          "copy the log again as a file, or undo it with: perl -pe 's/\\r\\n/\\n/g' FILE > NEW")
    }
  }
}
