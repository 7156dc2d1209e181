import HarkSession

/// Lines of the system whose meaning for an extension lies in who is named and what is refused.
struct Signals {
  /// Programs of the user's, as far as they are known.
  let own: Set<String>

  func event(_ record: LogRecord) -> AppEvent? {
    denial(record) ?? refusal(record)
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
      own.isEmpty || own.contains(String(process))
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
