/// What becomes of a binary file that some program on its way took for text.
enum TextDamage {
  /// Octets above 0x7F were replaced by U+FFFD: what stood there is lost.
  case replacedOctets
  /// Each LF became CR LF.
  case translatedLines

  /// How many ends of lines it takes to tell that none stands alone by design.
  private static let least = 16

  /// What was done to the btsnoop file in the window, as far as what was read of it shows, as more may
  /// be long in coming; nil if nothing.
  static func of(_ window: inout Window) -> TextDamage? {
    // The datalink's last octet is above 0x7F in every file that has packets of HCI.
    if window.count >= 18, window.byte(at: 15) == 0xEF, window.byte(at: 16) == 0xBF,
      window.byte(at: 17) == 0xBD
    {
      return .replacedOctets
    }
    var ends = 0
    for position in 16..<max(16, min(window.count, Window.step))
    where window.byte(at: position) == 0x0A {
      guard window.byte(at: position - 1) == 0x0D else { return nil }
      ends += 1
    }
    return ends >= least ? .translatedLines : nil
  }

  func error(_ name: String) -> CaptureError {
    switch self {
    case .replacedOctets:
      CaptureError(
        name, "a btsnoop file that was saved as text: octets above 0x7f were replaced", offset: 15,
        expected: "btsnoop datalink 1001, 1002, 1003, 1004 or 2001",
        advice:
          "what stood there is lost: copy the log again as a file, with adb pull or as an attachment"
      )
    case .translatedLines:
      CaptureError(
        name, "a btsnoop file that was saved as text: every LF became CR LF",
        expected: "a binary file",
        advice:
          "copy the log again as a file, or undo it with: perl -pe 's/\\r\\n/\\n/g' FILE > NEW")
    }
  }
}
