import ArgumentParser
import HarkAppLog
import HarkCapture
import HarkCore
import HarkCrypto
import HarkRedact
import HarkSession

/// Knowledge about the app's side, in addition to a capture.
struct AppOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "A log of the app's side: a hark journal, the unified log as NDJSON or text, an iPhone's "
        + "syslog, a sysdiagnose. See docs/app-log.md. May be repeated.",
      valueName: "file"),
    completion: .file())
  var appLog: [String] = []

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Seconds to add to the times of the logs to get the capture's times. Default: computed "
        + "from events in both.",
      valueName: "seconds"),
    transform: AppOptions.offset)
  var appClockOffset: Int64?

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "The app's Info.plist, or its .app or .ipa: hark compares its declarations with the "
        + "capture. May be repeated.",
      valueName: "file"),
    completion: .file())
  var appInfo: [String] = []

  @Option(
    name: .long, parsing: .singleValue,
    help: ArgumentHelp(
      "The entitlements of the app or extension given with --app-info, in the same order, or "
        + "BUNDLE=FILE for a bundle in an app.",
      valueName: "file"),
    completion: .file())
  var entitlements: [String] = []

  func validate() throws {
    guard AppInfo.numbered(entitlements).count <= appInfo.count,
      entitlements.isEmpty || !appInfo.isEmpty
    else {
      throw ValidationError(
        "there are more --entitlements than --app-info: give at most one for each --app-info")
    }
    guard appClockOffset == nil || !appLog.isEmpty else {
      throw ValidationError("--app-clock-offset needs --app-log")
    }
  }

  var isEmpty: Bool { appLog.isEmpty && appInfo.isEmpty }

  private static func offset(_ text: String) throws -> Int64 {
    guard let seconds = Double(text), abs(seconds) < 1e9 else {
      throw OptionMistake("--app-clock-offset takes seconds such as 3600 or -0.25, not '\(text)'")
    }
    return Int64((seconds * 1e9).rounded())
  }

  /// Opens logs that grow together with a capture.
  /// - Returns: Nil if nothing was given.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func live() throws -> LiveAppSide? {
    guard !isEmpty else { return nil }
    do throws(AppLogError) {
      let declaration = try AppInfo.read(appInfo, entitlements: entitlements)
      return try LiveAppSide(appLog, declaration, offset: appClockOffset)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  /// Reads the logs, and the capture once to compare their clocks.
  /// - Returns: Nil if nothing was given.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  func side(
    of capture: CaptureOptions, _ keys: KeyRing
  ) throws -> AppSide? {
    try side(
      keys,
      logs: { own, near throws(AppLogError) in
        var logs: [AppLog] = []
        for log in appLog { logs += try Self.logs(log, own, near) }
        return logs
      }, declared: { $0 }, open: { capture.capture == "-" ? nil : try? capture.open() })
  }

  /// The same beside a capture whose redacted copy is reported, with the names that the logs have there.
  func side(_ keys: KeyRing, _ open: () -> Capture?) throws -> AppSide? {
    try side(
      keys,
      logs: { own, near throws(AppLogError) in
        var logs: [AppLog] = []
        for (index, log) in appLog.enumerated() {
          logs += try Self.logs(log, name: Self.name(index, log), own, near)
        }
        return logs
      }, declared: { $0 }, open: open)
  }

  /// A log, or those in a sysdiagnose; hark reports unread parts on standard error.
  private static func logs(
    _ path: String, name: String? = nil, _ own: AppNames, _ near: Timestamp
  ) throws(AppLogError) -> [AppLog] {
    guard let packed = try PackedLogs(path: path, name: name, own: own, near: near) else {
      return [try AppLog(path: path, name: name, own: own, near: near)]
    }
    for missing in packed.missing { Console.complain(missing) }
    return packed.logs
  }

  /// The name of a log in a redacted report.
  static func name(_ index: Int, _ log: String) -> String {
    "app-log-\(index + 1)\(ReportInput.ending(of: log))"
  }

  /// The same of what they became beside a redacted capture.
  func side(
    of redacted: Redaction.Redacted, _ open: () -> Capture?
  ) throws -> AppSide? {
    try side(
      KeyRing(),
      logs: { own, near throws(AppLogError) in
        var logs: [AppLog] = []
        for (index, log) in redacted.logs.enumerated() {
          logs.append(
            try AppLog(
              bytes: log.bytes, name: Self.name(index, log.name), own: own, near: near))
        }
        return logs
      },
      declared: redacted.declared, open: open)
  }

  private func side(
    _ keys: KeyRing, logs read: (AppNames, Timestamp) throws(AppLogError) -> [AppLog],
    declared: (AppDeclaration) -> AppDeclaration, open: () -> Capture?
  ) throws -> AppSide? {
    guard !isEmpty else { return nil }
    do throws(AppLogError) {
      let declaration = try AppInfo.read(appInfo, entitlements: entitlements).map(declared)
      let landmarks = landmarks(keys, open)
      let logs = try read(AppNames(declaration), landmarks?.first ?? Timestamp.now)
      return AppSide(logs, declaration, offset: appClockOffset, landmarks: landmarks)
    } catch {
      for line in error.description.split(separator: "\n") { Console.complain(String(line)) }
      throw ExitCode.failure
    }
  }

  /// Nil if the capture can be read only once, or not at all.
  private func landmarks(_ keys: KeyRing, _ open: () -> Capture?) -> Landmarks? {
    guard !appLog.isEmpty, let capture = open(), capture.info.size != nil else { return nil }
    var reading = Reading(capture, keys: keys)
    var landmarks = Landmarks()
    _ = try? reading.run { session, _ in landmarks.take(session) }
    return landmarks
  }
}
