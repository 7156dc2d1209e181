import ArgumentParser
import HarkCapture
import HarkCore
import HarkDissection
import HarkFilter

/// Options of commands that show only some packets or events.
struct FilterOptions: ParsableArguments {
  // -f is --format everywhere; tshark uses -Y for filters of this kind.
  @Option(
    name: [.customShort("Y"), .long],
    help: ArgumentHelp(
      "Keep only what matches, such as 'att.opcode == 0x1b'. See hark help filters.",
      valueName: "filter"),
    completion: ShellCompletion.of { FilterOptions.completions(of: $1) })
  var filter: String?

  @Option(
    help: ArgumentHelp(
      "Keep only this device: its address, or part of its name in any case.",
      valueName: "device"),
    completion: ShellCompletion.of(DeviceCompletion.candidates))
  var device: String?

  @Option(
    help: ArgumentHelp(
      "Keep only this GATT or SDP service: its name or UUID.",
      valueName: "service"))
  var service: String?

  /// Everything that is asked for together, once `compile` was called; nil if nothing is.
  private(set) var compiled: Compiled?

  /// A filter itself is not an argument.
  struct Compiled: Decodable {
    let filter: Filter
    /// What it is made of, without what asks for the device.
    let others: [String]

    init(_ others: [String], device: String?) throws(FilterError) {
      filter = try Filter(others + (device.map { [$0] } ?? []))
      self.others = others
    }

    init(from decoder: any Decoder) throws {
      throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "a filter"))
    }
  }

  private enum CodingKeys: CodingKey { case filter, device, service }

  /// Commands call it to validate their arguments.
  /// - Parameter more: Additional filters.
  mutating func compile(and more: [String] = []) throws {
    var parts = filter.map { [$0] } ?? []
    parts += more
    if device == "" { throw ValidationError("--device needs an address, or part of a name") }
    if let service { parts.append("service == \(Self.quoted(service))") }
    guard device != nil || !parts.isEmpty else { return }
    do {
      compiled = try Compiled(parts, device: device.map(Self.pattern))
    } catch {
      throw ValidationError("\(error)")
    }
    for id in compiled?.filter.texts(of: .rule) ?? [] { _ = try RuleOptions.rule(id) }
  }

  /// Stops where a filter stands among the captures, as tshark takes it.
  static func refuseFilters(among captures: [String]) throws {
    guard captures.count > 1 else { return }
    for text in captures.dropFirst()
    where !text.contains("/") && !WholeFile.exists(text) && (try? Filter(text)) != nil {
      throw ValidationError("there is no file '\(text)'; to filter, use -Y '\(text)'")
    }
  }

  /// Stops where something is asked for that is known only when the packet is written or has gone: what events
  /// say about it, and what messages say, which may be taken only when they are answered.
  func refuseWhatIsKnownLater() throws {
    guard let filter = compiled?.filter else { return }
    let properties = FilterProperty.allCases.filter { $0.isOfShownEvents && filter.wants($0) }
    let names =
      properties.map(\.rawValue) + filter.paths.sorted().compactMap { Self.later($0, filter) }
    guard let name = names.first else { return }
    throw ValidationError(
      "\(name) is not known at recording time: record everything "
        + "with 'hark live -w', then filter the file with 'hark convert'")
  }

  /// The first field of a protocol in the filter that only messages have, which may be decrypted or put together from
  /// several packets; nil if packets have all of them.
  private static func later(_ path: String, _ filter: Filter) -> String? {
    guard Dissectors.messagePaths.contains(path) else { return nil }
    let own =
      Catalog.shared.entries.contains { $0.path.description == path && !$0.places.isEmpty }
      ? Dissectors.labelsInPackets(of: path) : Set<String>()
    guard let own else { return nil }
    let numbers = filter.fieldNumbers[path] ?? []
    let asked = Catalog.shared.declared(by: path).filter { numbers.contains($0.field.id) }
    if let one = asked.first(where: { !own.contains($0.label) }) { return "\(path).\(one.label)" }
    return own.isEmpty ? path : nil
  }

  /// The filter, where it is known how the capture shows the device: what it did before it was named is its own, too.
  func filter(at traces: NamedDevice.Traces?) throws -> Filter? {
    guard let compiled, let traces else { return compiled?.filter }
    let addresses = traces.addresses.map { "\"\($0)\"" }
    let names = addresses + traces.names.map(Self.quoted)
    var tests = ["device in {\(names.joined(separator: ", "))}"]
    if !addresses.isEmpty { tests.append("address in {\(addresses.joined(separator: ", "))}") }
    if !traces.links.isEmpty {
      tests.append("link in {\(traces.links.map { "\($0)" }.joined(separator: ", "))}")
    }
    return try Compiled(compiled.others, device: "(\(tests.joined(separator: " or ")))").filter
  }

  /// Selects a device by an address, or by a part of its name in any case. Advertising has no link with a device:
  /// it names addresses.
  private static func pattern(_ device: String) -> String {
    let letters = device.map { letter in
      letter.isASCII && !letter.isLetter && !letter.isNumber ? "\\\(letter)" : "\(letter)"
    }
    let pattern = quoted(letters.joined())
    return "(device matches \(pattern) or address matches \(pattern))"
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.map { "\\\"".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    return "\"\(escaped)\""
  }

  /// The names that continue with the last word.
  static func completions(of text: String) -> [String] {
    let start = text.lastIndex { " (!&|,{".contains($0) }.map { text.index(after: $0) }
    let (before, word) = (text[..<(start ?? text.startIndex)], text[(start ?? text.startIndex)...])
    return FilterNames.all().filter { $0.hasPrefix(word) }.map { before + $0 }
  }
}
