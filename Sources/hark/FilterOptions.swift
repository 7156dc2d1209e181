import ArgumentParser
import HarkFilter

/// What commands take that show some packets or events only.
struct FilterOptions: ParsableArguments {
  // -f is --format everywhere; -Y is what tshark calls a filter of this kind.
  @Option(
    name: [.customShort("Y"), .long],
    help: ArgumentHelp(
      "Show what matches only, such as 'att.opcode == 0x1b'. See hark help filters.",
      valueName: "filter"),
    completion: .custom { _, _, prefix in FilterOptions.completions(of: prefix) })
  var filter: String?

  @Option(
    help: ArgumentHelp(
      "Show what is of a device only: its address, or a part of its name.", valueName: "device"))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "Show what is about attributes of a GATT service only: its name or UUID.",
      valueName: "service"))
  var service: String?

  func validate() throws { _ = try compiled() }

  /// All that is asked for together; nil where nothing is.
  /// - Parameter more: Filters to be added.
  func compiled(and more: [String] = []) throws -> Filter? {
    var parts = more
    if let device { parts.append("device contains \(Self.quoted(device))") }
    if let service { parts.append("service == \(Self.quoted(service))") }
    do throws(FilterError) {
      guard let filter else {
        return parts.isEmpty ? nil : try Filter(parts.joined(separator: " and "))
      }
      // First alone: what is said of a mistake then shows what was written.
      let alone = try Filter(filter)
      if parts.isEmpty { return alone }
      return try Filter("(\(filter)) and " + parts.joined(separator: " and "))
    } catch {
      throw ValidationError("\(error)")
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
  }

  /// The names that go on with the last word.
  private static func completions(of text: String) -> [String] {
    let start = text.lastIndex { " (!&|,{".contains($0) }.map { text.index(after: $0) }
    let (before, word) = (text[..<(start ?? text.startIndex)], text[(start ?? text.startIndex)...])
    return FilterNames.all().filter { $0.hasPrefix(word) }.map { before + $0 }
  }
}
