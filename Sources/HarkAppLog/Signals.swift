import HarkSession

/// Lines of the system whose meaning for an extension lies in who is named and what is refused.
struct Signals {
  /// Programs of the user's, as far as they are known.
  let own: AppNames
  /// Programs that used the interfaces of accessories.
  let speaking: Set<String>
  /// The user's processes by their identifiers, and whether they are extensions.
  let processes: [Int: Bool]

  /// What is looked for, in lower case.
  static let words = [
    "sandbox: ", "deny(", "mach-lookup", "process exited", "termination reported by launchd",
    "xpcservice<", "domain:", "code:", "memorystatus: ", "killing", " pid ", "jetsam",
    "per-process-limit",
  ]

  func event(_ record: LogRecord) -> AppEvent? {
    denial(record) ?? refusal(record) ?? exit(record) ?? kill(record)
  }

  /// What RunningBoard says when a process ended:
  /// `[xpcservice<com.acme.watch.transport>:731] Process exited: <RBSProcessExitContext| specific,
  /// status:<RBSProcessExitStatus| domain:jetsam(1) code:per-process-limit(7)>>`.
  private func exit(_ record: LogRecord) -> AppEvent? {
    let text = record.message
    guard record.process == "runningboardd", text.hasPrefix("["),
      text.utf8Contains("] Process exited")
        || text.utf8Contains("] termination reported by launchd"),
      let open = text.firstIndex(of: "<"), let close = text.utf8Range(of: "] ")?.lowerBound,
      open < close
    else { return nil }
    let bundle = String(
      text[text.index(after: open)..<close].prefix { !"(><".contains($0) }.prefix(200))
    let isRunning = Int(text[..<close].split(separator: ":").last ?? "").flatMap { processes[$0] }
    guard !bundle.isEmpty, own.all.contains(bundle) || isRunning != nil else { return nil }
    let isExtension = own.extensions.contains(bundle) || isRunning == true
    var event = AppEvent(
      isExtension ? .extensionEnded : .line, AppEvent.Origin(file: "", line: 0), text: text)
    guard isExtension else { return event }
    event.isExtension = true
    event[.bundle] = bundle
    event[.extensionPoint] = own.points[bundle]
    if let domain = Self.name(after: "domain:", in: text),
      let code = Self.name(after: "code:", in: text)
    {
      event[.error] = "\(domain): \(code)"
    }
    return event
  }

  /// What the kernel says of a process that takes too much memory:
  /// `memorystatus: killing_specific_process pid 731 [AcmeTransport] (per-process-limit 100 - 3s)`.
  private func kill(_ record: LogRecord) -> AppEvent? {
    let text = record.message
    guard record.process == "kernel", let mark = text.utf8Range(of: "memorystatus: "),
      text[mark.upperBound...].utf8Contains("killing"),
      let label = text.utf8Range(of: " pid "),
      let pid = Int(text[label.upperBound...].prefix { $0.isASCII && $0.isNumber }),
      let open = text[label.upperBound...].firstIndex(of: "["),
      let close = text[open...].firstIndex(of: "]")
    else { return nil }
    let process = String(text[text.index(after: open)..<close])
    // The kernel cuts the names of processes after 16 letters, or 32.
    func names(_ names: Set<String>) -> Bool {
      names.contains(process)
        || (process.utf8.count >= 15 && names.contains { $0.hasPrefix(process) })
    }
    guard names(own.all) || names(speaking) || processes[pid] != nil else { return nil }
    // A name that is cut short may be that of the app and that of its extension.
    let isExtension =
      processes[pid]
      ?? (own.extensions.contains(process)
        || (!names(own.apps) && names(own.extensions)))
    var event = AppEvent(
      isExtension ? .extensionEnded : .line, AppEvent.Origin(file: "", line: 0), text: text)
    guard isExtension else { return event }
    event.isExtension = true
    event.process = process
    if let reason = text[close...].firstIndex(of: "(") {
      let word = text[text.index(after: reason)...].prefix { !" )".contains($0) }
      if !word.isEmpty { event[.error] = "jetsam: \(word.prefix(100))" }
    }
    return event
  }

  /// `jetsam` of `domain:jetsam(1)`.
  private static func name(after label: String, in text: String) -> String? {
    guard let found = text.utf8Range(of: label) else { return nil }
    let name = text[found.upperBound...].prefix { !"( >,".contains($0) }.prefix(100)
    return name.isEmpty ? nil : String(name)
  }

  /// `Sandbox: AcmeTransport(731) deny(1) mach-lookup com.apple.server.bluetooth.le.att.xpc`: without the
  /// service of bluetoothd CoreBluetooth stays off in the process that is named.
  private func denial(_ record: LogRecord) -> AppEvent? {
    let text = record.message
    guard let start = text.utf8Range(of: "Sandbox: "), text.utf8Contains(" deny("),
      let service = text.utf8Range(of: "com.apple.server.bluetooth"),
      text[..<service.lowerBound].utf8Contains("mach-lookup")
    else { return nil }
    let process = text[start.upperBound...].prefix { $0 != "(" }
    guard !process.isEmpty, process.utf8.count < 100,
      own.all.isEmpty || own.all.contains(String(process))
    else { return nil }
    var event = AppEvent(.centralState, AppEvent.Origin(file: "", line: 0), text: text)
    event.process = String(process)
    event[.state] = "unauthorized"
    event[.service] = String(text[service.lowerBound...].prefix { !$0.isWhitespace })
    return event
  }

  /// `sendMessageToDataProvider failed: invalidated`, in the words of an app around Apple's names.
  private func refusal(_ record: LogRecord) -> AppEvent? {
    let text = record.message
    guard record.isApp || !record.hasPath,
      let call = text.utf8Range(of: "sendMessageToDataProvider"),
      let words = Optional(text[call.upperBound...].lowercased()),
      ["fail", "error", "threw"].contains(where: { words.utf8Contains($0) }),
      let error = AccessoryTransportSession.Error.allCases.first(where: {
        words.utf8Contains($0.rawValue.lowercased())
      })
    else { return nil }
    var event = AppEvent(.messageResult, AppEvent.Origin(file: "", line: 0), text: text)
    event[.result] = "failure"
    event[.error] = error.rawValue
    return event
  }
}
