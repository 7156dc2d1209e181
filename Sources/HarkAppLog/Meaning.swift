import HarkCore
import HarkSession

/// How hark interprets the lines of logs. Apple does not document them and changes their words with each
/// release: what is recognized is kept to words that have one meaning, and the line is always shown.
struct Meaning {
  /// The daemons whose lines matter, for every client.
  static let daemons: Set<String> = [
    "bluetoothd", "BTServer", "BlueTool", "accessoryd", "deviceaccessd", "audioaccessoryd",
    "extensionkitservice", "wifip2pd", "AccessorySetupUI", "iaptransportd",
  ]

  /// Frameworks that speak for the app that uses them.
  private static let libraries: Set<String> = [
    "ExternalAccessory", "CoreBluetooth", "AccessorySetupKit", "AccessoryTransportExtension",
    "AccessoryNotifications", "AudioAccessoryKit", "ExtensionFoundation", "DeviceAccess",
    "WiFiInfrastructure",
  ]

  private static let subsystems = [
    "com.apple.bluetooth", "com.apple.CoreBluetooth", "com.apple.accessory", "com.apple.Accessory",
    "com.apple.ExternalAccessory", "com.apple.iap", "com.apple.DeviceAccess",
    "com.apple.deviceaccess", "com.apple.extensionkit", "com.apple.ExtensionFoundation",
    "com.apple.extensionfoundation", "com.apple.AudioAccessory", "com.apple.audioaccessory",
    "com.apple.WiFiInfrastructure", "com.apple.wifiinfrastructure",
  ]

  /// The libraries that write what NSLog is called with.
  private static let writers: Set<String> = ["Foundation", "CoreFoundation"]

  /// Processes and subsystems of the user's own app, as far as its Info.plist names them.
  let own: AppNames
  /// Processes whose messages showed that they are the user's, for logs without their paths.
  private var speaking: Set<String> = []
  /// The extension points of processes, as far as their messages showed them.
  private var points: [String: String] = [:]
  /// Processes that opened an EASession: streams that they speak of later are its.
  private var streaming: Set<String> = []
  private static let mostSpeaking = 64
  private var connections = XPCConnections()
  /// The user's processes by their identifiers, as far as their lines showed them, and whether they are extensions.
  private var processes: [Int: Bool] = [:]
  private static let mostProcesses = 1_024

  init(own: AppNames) { self.own = own }

  /// The meaning of a record; nil if its process does not matter.
  mutating func event(_ record: LogRecord) -> AppEvent? {
    var event =
      record.event ?? Journal.event(in: record.message)
      ?? Signals(own: own, speaking: speaking, processes: processes).event(record)
    if event == nil {
      guard concerns(record) || speaks(record) else { return nil }
      event = AppEvent(kind(record), AppEvent.Origin(file: "", line: 0), text: record.message)
      if var made = event {
        made.kind = connections.kind(record, made.kind)
        Self.facts(record, &made)
        event = made
      }
      // Daemons log much that only helps their developers.
      if event?.kind == .line, record.level < .default, !isOwn(record) { return nil }
    }
    if let event, event.isOfEASession, let process = event.process ?? record.process,
      streaming.count < Self.mostSpeaking
    {
      streaming.insert(process)
    }
    place(record, &event)
    if event?.process == nil { event?.process = record.process }
    event?.pid = record.pid
    event?.subsystem = record.subsystem
    event?.category = record.category
    event?.level = record.level
    return event
  }

  /// Which of the user's programs says it.
  private mutating func place(_ record: LogRecord, _ event: inout AppEvent?) {
    if record.isExtension || isNamed(record, own.extensions)
      || event?.process.map(own.extensions.contains) == true
    {
      event?.isExtension = true
    }
    if record.isApp, let pid = record.pid,
      processes[pid] != nil || processes.count < Self.mostProcesses
    {
      processes[pid] = record.isExtension || event?.isExtension == true
    }
    if event?.isExtension == true {
      event?.isContainerApp = false
    } else if record.isApp, record.hasPath || isNamed(record, own.apps) {
      event?.isContainerApp = true
    }
    guard let process = record.process else { return }
    // That another extension was not launched says nothing of this process.
    if let point = event?[.extensionPoint], event?.severity == .info,
      !Self.daemons.contains(process), record.isApp || !record.hasPath,
      points[process] != nil || points.count < Self.mostSpeaking
    {
      points[process] = point
    }
    guard event?.isOfSession == true, event?[.extensionPoint] == nil else { return }
    event?[.extensionPoint] = points[process] ?? own.points[process]
  }

  private func isOwn(_ record: LogRecord) -> Bool {
    if isNamed(record, own.all) { return true }
    if let process = record.process, speaking.contains(process) { return true }
    guard record.isApp else { return false }
    if let subsystem = record.subsystem { return !subsystem.hasPrefix("com.apple.") }
    // Without a subsystem what the app's own code wrote, also by NSLog, and no library of the system.
    guard let library = record.library else { return true }
    return library == record.process || record.isOfAppsLibrary || Self.writers.contains(library)
  }

  private func isOfSystem(_ record: LogRecord) -> Bool {
    if let process = record.process, Self.daemons.contains(process) { return true }
    return record.hasPath && !record.isApp && !isOwn(record)
  }

  private func isNamed(_ record: LogRecord, _ names: Set<String>) -> Bool {
    if let process = record.process, names.contains(process) { return true }
    guard let subsystem = record.subsystem else { return false }
    return names.contains { subsystem.hasPrefix($0) }
  }

  /// Whether a process that nothing else is known about uses the interfaces of accessories: what it says
  /// later matters, too.
  private mutating func speaks(_ record: LogRecord) -> Bool {
    guard !record.hasPath, let process = record.process,
      !(record.subsystem?.hasPrefix("com.apple.") ?? false), speaking.count < Self.mostSpeaking,
      let kind = LogPhrases.kind(of: record.message, by: .app), kind != .centralState
    else { return false }
    speaking.insert(process)
    return true
  }

  private func speaker(_ record: LogRecord) -> LogPhrases.Speaker {
    if let process = record.process, Self.daemons.contains(process) { return .accessories }
    if let library = record.library, Self.libraries.contains(library) { return .accessories }
    if let subsystem = record.subsystem {
      if Self.subsystems.contains(where: { subsystem.hasPrefix($0) }) { return .accessories }
      if subsystem.hasPrefix("com.apple.") { return .system }
    }
    return isOwn(record) || record.isApp ? .app : .accessories
  }

  private func concerns(_ record: LogRecord) -> Bool {
    if isOwn(record) { return true }
    if let process = record.process, Self.daemons.contains(process) { return true }
    if let subsystem = record.subsystem {
      if Self.subsystems.contains(where: { subsystem.hasPrefix($0) }) { return true }
      // XPC logs each connection of each process: only those of apps matter.
      if subsystem == "com.apple.xpc" || subsystem == "com.apple.runningboard" {
        return record.isApp || record.message.utf8Contains("accessory-")
      }
    }
    if let library = record.library, Self.libraries.contains(library) { return true }
    return Self.points.contains { record.message.utf8Contains($0) }
  }

  private static let points = [
    "com.apple.accessory-data-provider", "com.apple.accessory-transport-security",
    "com.apple.accessory-transport-extension", "com.apple.developer.accessory-",
  ]

  // MARK: What happened

  /// All parts of words by which a line is recognized, in lower case.
  static var readWords: [String] {
    LogPhrases.words + Signals.words + XPCConnections.words
      + CaseFoldedLine.continuationWords.map { " \($0)" }
      + LogFieldExtractor.words + [
        "service named ", "ntitlement", "decision is ", "decision was ",
        "disconnect", "connected to", "connection complete", "handleconnectioncomplete",
        "status=0 ",
        "cbdevice", "cbuuid", "identifier", "accessory-",
      ] + LogNames.securityWords + LogNames.transportWords + AppEvent.Kind.allCases.map(\.rawValue)
  }

  private func kind(_ record: LogRecord) -> AppEvent.Kind {
    if let kind = LogPhrases.kind(of: record.message, by: speaker(record)),
      !Self.isOfOthers(record.message, kind)
    {
      // The state that the system's own programs see is no app's.
      return kind == .centralState && isOfSystem(record) ? .line : kind
    }
    if let process = record.process, streaming.contains(process),
      let kind = LogPhrases.streamKind(of: record.message)
    {
      return kind
    }
    if record.process == "bluetoothd", DeviceNames(record.message).address() != nil {
      let text = record.message.lowercased()
      if text.utf8Contains("disconnect") { return .deviceDisconnected }
      if text.utf8Contains("connected to") || text.utf8Contains("connection complete")
        || (text.utf8Contains("handleconnectioncomplete") && text.utf8Contains("status=0 "))
      {
        return .deviceConnected
      }
    }
    return .line
  }

  /// Whether the words are right, and what they are about concerns no accessory: services of the system,
  /// and entitlements for something else.
  private static func isOfOthers(_ text: String, _ kind: AppEvent.Kind) -> Bool {
    let label: String
    switch kind {
    case .connectionInterrupted, .connectionInvalidated: label = "service named "
    case .entitlementMissing: label = "ntitlement"
    default: return false
    }
    guard let found = text.utf8Range(of: label) else { return false }
    let name = text[found.upperBound...].drop { " :'\"“".contains($0) }
    guard name.hasPrefix("com.apple.") else { return false }
    if kind == .entitlementMissing { return !name.hasPrefix("com.apple.developer.") }
    let word = name.prefix { $0 != " " }.lowercased()
    return !["accessory", "bluetooth", "deviceaccess", "extension"].contains {
      word.utf8Contains($0)
    }
  }

  // MARK: What it says of it

  private static func facts(_ record: LogRecord, _ event: inout AppEvent) {
    let text = record.message
    if event.kind == .deviceFound || record.process == "bluetoothd" {
      let link = DeviceNames(text)
      if let address = link.address() { event[.address] = address }
      // Other UUIDs, such as those of sessions, stand beside addresses, too.
      let namesIt = ["CBDevice", "cbuuid", "identifier"].contains { text.utf8Contains($0) }
      if namesIt, event[.address] != nil, let identifier = link.identifier() {
        event[.identifier] = identifier
      }
    }
    for point in Self.points.prefix(3) where text.utf8Contains(point) {
      event[.extensionPoint] = point
    }
    if event[.extensionPoint] == nil, event.isOfSession || event.kind == .securityMessage {
      event[.extensionPoint] = LogNames.point(of: text)?.rawValue
    }
    if event.kind == .entitlementMissing,
      let found = text.utf8Range(of: "com.apple.developer.")
    {
      event[.entitlement] = String(
        text[found.lowerBound...].prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" })
    }
    LogFieldExtractor.take(text, &event)
    switch event.kind {
    case .connectionRejected, .connectionInterrupted, .connectionInvalidated, .eaStreamError,
      .extensionNotLaunched, .sessionRejected:
      if event[.error] == nil { event[.error] = text }
    default: break
    }
  }
}

extension AppEvent {
  /// Whether it is of a session, which the security and the transport extension both have.
  fileprivate var isOfSession: Bool {
    switch kind {
    case .sessionRequested, .sessionAccepted, .sessionRejected, .sessionCancelled,
      .sessionInvalidated:
      true
    default: false
    }
  }

  /// Whether it shows that its process has an EASession.
  fileprivate var isOfEASession: Bool {
    switch kind {
    case .eaSessionOpened, .eaStreamEvent: true
    default: false
    }
  }
}

extension AppEvent.Level: Comparable {
  public static func < (a: AppEvent.Level, b: AppEvent.Level) -> Bool { a.rank < b.rank }

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Finds the names of a device in a line: `CBDevice 6E2B…, BDA 4C:AA:…, Nm 'Acme'`.
struct DeviceNames {
  private let words: [Substring]

  init(_ text: String) {
    words = text.split { " ,;'\"()[]{}<>=".contains($0) }
  }

  /// The first address that is not all zeros, as it is spelled.
  func address() -> String? {
    // `4C:5B:B3:85:CD:D6-Public`
    words.lazy.map { $0.prefix(17) }
      .first { BluetoothAddress($0).map { $0.value != 0 } ?? false }.map(String.init)
  }

  /// The first UUID, in upper case.
  func identifier() -> String? {
    words.first { Self.isUUID($0) }.map { $0.uppercased() }
  }

  static func isUUID(_ word: Substring) -> Bool {
    let letters = Array(word.utf8)
    guard letters.count == 36 else { return false }
    for (index, letter) in letters.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard letter == UInt8(ascii: "-") else { return false }
      } else if Hex.value(of: letter) == nil {
        return false
      }
    }
    return true
  }
}
