import HarkCapture
import HarkCore
import HarkRedact

/// The name of a file that a redacted one is written to: what is written is of the format of the other,
/// whatever its name says.
struct RedactedName {
  private let path: String
  /// Whether the name is that of a compressed file.
  private let isPacked: Bool
  /// In lower case, without the dot; empty if there is none.
  private let ending: String

  init(_ path: String) {
    self.path = path
    let parts = path.fileName.drop { $0 == "." }
      .split(separator: ".", omittingEmptySubsequences: false).map { $0.lowercased() }
    isPacked = parts.count > 1 && parts.last == "gz"
    let rest = isPacked ? parts.dropLast() : parts[...]
    ending = rest.count > 1 ? rest.last ?? "" : ""
  }

  /// Logs have no extensions of their own.
  private static let endingsOfLogs = ["log", "txt", "text", "ndjson", "json", "jsonl"]

  /// Why `file`, which was read from `input`, cannot become a file of this name, and what would do; nil if it
  /// can.
  func complaint(_ file: CaptureBytes, _ input: String) -> String? {
    let inputName = RedactedName(input)
    let (kind, own, isOfReport): (String, [String], Bool)
    if let info = try? Capture(file).info {
      guard let format = info.isOfUSB ? "btsnoop" : CaptureOutput.format(of: info) else {
        return nil
      }
      own = CaptureOutput.endings.filter { $0.format == format }.map(\.ending)
      (kind, isOfReport) = (
        format, info.format.hasSuffix("in a bug report") || info.isOfUSB || info.isOfText
      )
    } else {
      guard Redaction.isLog(file) else { return nil }
      (kind, isOfReport) = ("a log", false)
      own = (inputName.ending.isEmpty ? [] : [inputName.ending]) + Self.endingsOfLogs
    }
    let isCompressed = file.isCompressed && !isOfReport
    let right = "." + (own.first ?? "") + (isCompressed ? ".gz" : "")
    guard !own.contains(ending), !ending.isEmpty, isOfReport || ending != inputName.ending else {
      return packing(isCompressed, file.name, right)
    }
    if isOfReport {
      return
        "\(path): the output would be \(kind): hark writes only the Bluetooth packets of such a file; end its name "
        + "with \(right)"
    }
    let convert =
      CaptureOutput.endings.contains { $0.ending == ending } && kind != "a log" && !isCompressed
      ? ", and then: hark convert OUT\(right) \(path)" : ""
    let other = CaptureOutput.endings.first { $0.ending == ending }?.format ?? ".\(ending)"
    return
      "\(path): the output would be \(kind), like \(file.name), not \(other); end its name with \(right)"
      + convert
  }

  private func packing(_ isCompressed: Bool, _ name: String, _ right: String) -> String? {
    if isPacked, !isCompressed {
      return
        "\(path): hark would not compress it, because \(name) is not compressed; omit .gz, and compress it afterwards"
    }
    if isCompressed, !isPacked, !ending.isEmpty {
      return
        "\(path): hark would compress it, because \(name) is compressed; end its name with \(right)"
    }
    return nil
  }
}
