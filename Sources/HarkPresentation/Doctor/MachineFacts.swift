import HarkCapture

/// What was found out about this machine, for `DoctorReport`.
public struct MachineFacts: Sendable {
  /// Why there are no Bluetooth sockets: an `errno`; nil if there are.
  public var bluetoothProblem: Int32?
  /// The controllers, as the kernel names them: `hci0`.
  public var controllers: [String] = []
  /// What rfkill has switched off: by a program, and by a switch.
  public var isBlocked = false
  public var isBlockedByHardware = false
  public var recorder = Recorder.missing
  /// Where the recorder lies, or should.
  public var recorderPath = "hark-record"
  /// The programs of others that were found.
  public var programs: Set<String> = []
  /// Whether Wireshark finds hark among its sources.
  public var isInWireshark = false

  /// Whether dangerous system calls are refused while a capture is read, and the version of Landlock that
  /// refuses files not named on the command line; 0 if the kernel has no Landlock.
  public var refusesCalls = true
  public var landlock = 1
  /// Whether the user's environment has all that turned off.
  public var isUnconfined = false

  public enum Recorder: Sendable, Equatable {
    case missing
    /// It is there and does not run: what it said.
    case broken(String)
    case working([Device])
  }

  /// A source of the recorder.
  public struct Device: Sendable, Equatable {
    public var name: String
    public var description: String
    /// Why it cannot be opened; nil if it can.
    public var problem: String?
    /// What to do about that.
    public var advice: String?
    /// What one should know of it all the same.
    public var warning: String?

    public init(
      name: String, description: String, problem: String? = nil, advice: String? = nil,
      warning: String? = nil
    ) {
      (self.name, self.description) = (name, description)
      (self.problem, self.advice, self.warning) = (problem, advice, warning)
    }
  }

  public init() {}

  /// A program of somebody else that goes well with hark.
  struct Companion {
    var name: String
    /// Any of these is one.
    var programs: [String]
    var use: String
    var fix: String
  }

  static let companions = [
    Companion(
      name: "wireshark", programs: ["tshark", "wireshark"], use: "Wireshark",
      fix: "sudo apt install tshark"),
    Companion(
      name: "bluez", programs: ["btmon"], use: "btmon, to record on other machines",
      fix: "sudo apt install bluez"),
    Companion(
      name: "android", programs: ["adb"], use: "adb, to read an Android phone's log",
      fix: "sudo apt install adb"),
    Companion(
      name: "iphone", programs: ["idevicebtlogger", "pymobiledevice3"],
      use: "idevicebtlogger or pymobiledevice3, to read an iPhone's packets",
      fix: "pipx install pymobiledevice3"),
  ]

  /// Every program that is looked for.
  public static let wantedPrograms = companions.flatMap(\.programs)
}

extension MachineFacts {
  /// The checks, in the order in which one needs the other.
  public var checks: [DoctorCheck] {
    [kernel] + controllerChecks + recorderChecks + [sandbox] + companionChecks
  }

  private var sandbox: DoctorCheck {
    let name = "sandbox"
    if isUnconfined {
      return DoctorCheck(
        name, .warning, "HARK_SANDBOX=off: hark reads captures with all your permissions.",
        fix: "unset HARK_SANDBOX")
    }
    switch (refusesCalls, landlock > 0) {
    case (true, true):
      return DoctorCheck(
        name, .ok,
        "hark reads captures in a sandbox: seccomp for system calls, Landlock (version \(landlock)) for files."
      )
    case (true, false):
      return DoctorCheck(
        name, .info,
        "hark reads captures in a sandbox: seccomp for system calls. The kernel has no Landlock, which would "
          + "block other files.")
    case (false, true):
      return DoctorCheck(
        name, .info,
        "hark reads captures in a sandbox: Landlock (version \(landlock)) for files. The kernel has no "
          + "seccomp, which would block system calls.")
    case (false, false):
      return DoctorCheck(
        name, .info,
        "hark reads captures with all your permissions: the kernel has neither seccomp nor Landlock."
      )
    }
  }

  private var kernel: DoctorCheck {
    guard let bluetoothProblem else {
      return DoctorCheck("kernel", .ok, "The kernel has Bluetooth sockets.")
    }
    return DoctorCheck(
      "kernel", .error,
      "The kernel has no Bluetooth here (\(systemMessage(bluetoothProblem))): its module is not "
        + "loaded, or this is a container, which has no Bluetooth: record on the host.",
      fix: "sudo modprobe bluetooth")
  }

  private var controllerChecks: [DoctorCheck] {
    guard bluetoothProblem == nil else { return [] }
    guard !controllers.isEmpty else {
      return [
        DoctorCheck(
          "controller", .warning,
          "This machine has no Bluetooth controller: plug one in. Streams and files do not need one.",
          fix: "sudo modprobe btusb")
      ]
    }
    let block =
      isBlockedByHardware
      ? DoctorCheck(
        "radio", .error, "A hardware switch turns Bluetooth off: turn it on.",
        fix: "rfkill list bluetooth")
      : isBlocked
        ? DoctorCheck(
          "radio", .error, "Bluetooth is switched off.", fix: "sudo rfkill unblock bluetooth")
        : DoctorCheck("radio", .ok, "Bluetooth is switched on.")
    return [
      DoctorCheck(
        "controller", .ok,
        "This machine has \(controllers.sorted().joined(separator: ", ")).")
    ] + [block]
  }

  private var recorderChecks: [DoctorCheck] {
    let devices: [Device]
    switch recorder {
    case .missing:
      return [
        DoctorCheck(
          "recorder", .error,
          "hark-record is missing: it must be in the same folder as hark, as \(recorderPath).",
          fix:
            "install the package hark-record, or copy hark-record of the same release to "
            + recorderPath)
      ]
    case .broken(let words):
      return [
        DoctorCheck(
          "recorder", .error, "\(recorderPath) does not run: \(words)",
          fix: words.contains("libpcap")
            ? "sudo apt install libpcap0.8" : "install hark-record of the same release as hark")
      ]
    case .working(let found): devices = found
    }
    var checks = [DoctorCheck("recorder", .ok, "hark-record is installed and runs.")]
    if let monitor = devices.first(where: { $0.name == "monitor" }), bluetoothProblem == nil {
      checks += monitorChecks(monitor)
    }
    checks.append(usb(devices))
    return checks + devices.filter { $0.name.contains(":") }.map(Self.sniffer)
  }

  /// A serial device that may be a sniffer.
  private static func sniffer(_ device: Device) -> DoctorCheck {
    guard let problem = device.problem else {
      return DoctorCheck("sniffer", .ok, "\(device.name): \(device.description).")
    }
    return DoctorCheck(
      "sniffer", .warning, "\(device.name), \(device.description), cannot be opened: \(problem).",
      fix: device.advice)
  }

  /// How the recorder gets the rights that it needs and gives up again.
  private var grant: String { "sudo setcap cap_net_raw,cap_net_admin+ep \(recorderPath)" }

  private func monitorChecks(_ monitor: Device) -> [DoctorCheck] {
    if let problem = monitor.problem {
      let isRefused = problem.hasPrefix("not permitted")
      return [
        DoctorCheck(
          "monitor", .error, "hark-record cannot open the monitor channel: \(problem).",
          fix: isRefused ? grant : monitor.advice)
      ]
    }
    let channel = DoctorCheck("monitor", .ok, "The monitor channel opens.")
    guard let warning = monitor.warning else {
      return [channel, DoctorCheck("buffer", .ok, "The kernel grants a large enough buffer.")]
    }
    return [
      channel, DoctorCheck("buffer", .warning, "Packets may be lost: \(warning).", fix: grant),
    ]
  }

  private func usb(_ devices: [Device]) -> DoctorCheck {
    let buses = devices.filter { $0.name.hasPrefix("usbmon") }
    guard !buses.isEmpty else {
      return DoctorCheck(
        "usbmon", .info,
        "USB buses cannot be recorded; this is needed for controllers passed through to a virtual machine.",
        fix: "sudo modprobe usbmon")
    }
    if let closed = buses.first(where: { $0.problem?.hasPrefix("not permitted") ?? false }) {
      return DoctorCheck(
        "usbmon", .info, "USB buses cannot be recorded by this user.",
        fix: "sudo hark record \(closed.name) -w usb.btsnoop")
    }
    return DoctorCheck("usbmon", .ok, "USB buses can be recorded.")
  }

  private var companionChecks: [DoctorCheck] {
    var checks = Self.companions.map { companion in
      let found = companion.programs.filter(programs.contains)
      guard found.isEmpty else {
        return DoctorCheck(companion.name, .ok, "\(found.joined(separator: " and ")) is installed.")
      }
      return DoctorCheck(
        companion.name, .info, "\(companion.use): not installed.", fix: companion.fix)
    }
    if programs.contains("tshark") || programs.contains("wireshark") {
      checks.append(
        isInWireshark
          ? DoctorCheck("extcap", .ok, "Wireshark lists hark as a capture source.")
          : DoctorCheck(
            "extcap", .info, "Wireshark does not list hark as a capture source.",
            fix: "hark extcap install"))
    }
    return checks
  }
}
