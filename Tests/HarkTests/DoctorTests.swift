import Foundation
import HarkCapture
import HarkPresentation
import HarkTestSupport
import Testing

/// `hark doctor`: each check where all is well, and where it is not.
@Suite struct DoctorTests {
  typealias Device = MachineFacts.Device

  /// A machine on which nothing is missing.
  static var sound: MachineFacts {
    var facts = MachineFacts()
    facts.controllers = ["hci1", "hci0"]
    facts.recorderPath = "/opt/hark-record"
    facts.recorder = .working([
      Device(name: "monitor", description: "all controllers"),
      Device(name: "usbmon1", description: "bus 1"),
    ])
    facts.programs = Set(MachineFacts.wantedPrograms)
    facts.isInWireshark = true
    return facts
  }

  @Test func aSoundMachine() {
    let checks = Self.sound.checks
    #expect(checks.allSatisfy { $0.status == .ok && $0.fix == nil }, "\(checks)")
    #expect(
      checks.map(\.name) == [
        "kernel", "controller", "radio", "recorder", "monitor", "buffer", "usbmon", "sandbox",
        "wireshark", "bluez", "android", "iphone", "extcap",
      ])
    #expect(checks[1].text == "This machine has hci0, hci1.")
  }

  struct Fault: CustomTestStringConvertible, Sendable {
    var check: String
    var status: DoctorCheck.Status
    var fix: String
    var change: @Sendable (inout MachineFacts) -> Void

    init(
      _ check: String, _ status: DoctorCheck.Status, _ fix: String,
      _ change: @escaping @Sendable (inout MachineFacts) -> Void
    ) {
      (self.check, self.status, self.fix, self.change) = (check, status, fix, change)
    }

    var testDescription: String { "\(check): \(fix)" }
  }

  static let refused = "not permitted: Operation not permitted"
  static let grant = "sudo setcap cap_net_raw,cap_net_admin+ep /opt/hark-record"

  static let faults: [Fault] = [
    Fault("kernel", .error, "sudo modprobe bluetooth") { $0.bluetoothProblem = EAFNOSUPPORT },
    Fault("controller", .warning, "sudo modprobe btusb") { $0.controllers = [] },
    Fault("radio", .error, "sudo rfkill unblock bluetooth") { $0.isBlocked = true },
    Fault("radio", .error, "rfkill list bluetooth") {
      ($0.isBlocked, $0.isBlockedByHardware) = (true, true)
    },
    Fault(
      "recorder", .error,
      "install the package hark-record, or copy hark-record of the same release to /opt/hark-record"
    ) { $0.recorder = .missing },
    Fault("recorder", .error, "sudo apt install libpcap0.8") {
      $0.recorder = .broken("error while loading shared libraries: libpcap.so.0.8")
    },
    Fault("recorder", .error, "install hark-record of the same release as hark") {
      $0.recorder = .broken("its exit code was 139")
    },
    Fault("monitor", .error, grant) {
      $0.recorder = .working([
        Device(name: "monitor", description: "", problem: refused, advice: "run 'sudo …'"),
        Device(name: "usbmon1", description: ""),
      ])
    },
    Fault("monitor", .error, "it needs Linux 3.4 or later") {
      $0.recorder = .working([
        Device(
          name: "monitor", description: "", problem: "this kernel has no monitor channel",
          advice: "it needs Linux 3.4 or later"), Device(name: "usbmon1", description: ""),
      ])
    },
    Fault("buffer", .warning, grant) {
      $0.recorder = .working([
        Device(name: "monitor", description: "", warning: "only 416 KiB"),
        Device(name: "usbmon1", description: ""),
      ])
    },
    Fault("sniffer", .warning, "sudo usermod") {
      $0.recorder = .working([
        Device(name: "monitor", description: ""), Device(name: "usbmon1", description: ""),
        Device(
          name: "nrf:/dev/ttyACM0", description: "nRF Sniffer", problem: refused,
          advice: "sudo usermod"),
      ])
    },
    Fault("usbmon", .info, "sudo modprobe usbmon") {
      $0.recorder = .working([Device(name: "monitor", description: "")])
    },
    Fault("usbmon", .info, "sudo hark record usbmon1 -w usb.btsnoop") {
      $0.recorder = .working([
        Device(name: "monitor", description: ""),
        Device(name: "usbmon1", description: "", problem: refused),
      ])
    },
    Fault("wireshark", .info, "sudo apt install tshark") {
      $0.programs.subtract(["tshark", "wireshark"])
    },
    Fault("bluez", .info, "sudo apt install bluez") { $0.programs.remove("btmon") },
    Fault("android", .info, "sudo apt install adb") { $0.programs.remove("adb") },
    Fault("iphone", .info, "pipx install pymobiledevice3") {
      $0.programs.subtract(["idevicebtlogger", "pymobiledevice3"])
    },
    Fault("extcap", .info, "hark extcap install") { $0.isInWireshark = false },
  ]

  /// One thing is wrong, and one check says so, with the command that mends it.
  @Test(arguments: faults) func oneFault(_ fault: Fault) throws {
    var facts = Self.sound
    fault.change(&facts)
    let wrong = facts.checks.filter { $0.status != .ok }
    #expect(wrong.count == 1, "\(wrong)")
    let check = try #require(wrong.first)
    #expect(check.name == fault.check)
    #expect(check.status == fault.status)
    #expect(check.fix == fault.fix)
    #expect(DoctorReport(facts.checks).hasErrors == (fault.status == .error))
  }

  /// What the kernel lacks is said, and is no fault of the machine.
  @Test(arguments: [
    (true, 7, false, DoctorCheck.Status.ok, "calls, Landlock (version 7) for files"),
    (true, 0, false, .info, "seccomp for system calls. The kernel has no Landlock"),
    (false, 1, false, .info, "Landlock (version 1) for files. The kernel has no seccomp"),
    (false, 0, false, .info, "the kernel has neither seccomp nor Landlock"),
    (false, 0, true, .warning, "HARK_SANDBOX=off"),
  ])
  func sandbox(
    _ refusesCalls: Bool, _ landlock: Int, _ isUnconfined: Bool, _ status: DoctorCheck.Status,
    _ text: String
  ) throws {
    var facts = Self.sound
    (facts.refusesCalls, facts.landlock) = (refusesCalls, landlock)
    facts.isUnconfined = isUnconfined
    let check = try #require(facts.checks.first { $0.name == "sandbox" })
    #expect(check.status == status)
    #expect(check.text.contains(text))
  }

  // MARK: Captures

  private func doctor(
    _ path: String
  ) throws -> (checks: [String: (status: String, text: String, fix: String?)], code: Int32) {
    let (text, _, code) = try HarkProgram.run("doctor", path, "-f", "json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let list = try #require(object?["checks"] as? [[String: String]])
    var checks: [String: (status: String, text: String, fix: String?)] = [:]
    for check in list {
      checks[check["check"] ?? ""] = (check["status"] ?? "", check["text"] ?? "", check["fix"])
    }
    return (checks, code)
  }

  @Test func soundCaptures() throws {
    for name in [
      "pebble-session/pebble-session.pklg", "hands-free/hands-free.btsnoop",
      "formats/201-be-us.pcap",
    ] {
      let (checks, code) = try doctor(Project.capture(name))
      #expect(checks.count == 7)
      #expect(checks.values.allSatisfy { $0.status == "ok" }, "\(name): \(checks)")
      #expect(code == 0)
    }
  }

  /// What helps is said once. The sample as an editor keeps it: what is no UTF-8 becomes U+FFFD.
  @Test func savedAsText() throws {
    let folder = try TestFolder()
    let bytes = try Data(
      contentsOf: URL(fileURLWithPath: Project.capture("formats/h4.btsnoop")))
    let file = folder.path("text.btsnoop")
    try Data(String(decoding: bytes, as: UTF8.self).utf8).write(to: URL(fileURLWithPath: file))
    let (checks, code) = try doctor(file)
    #expect(code == 1)
    let whole = try #require(checks["whole"])
    let fix = try #require(whole.fix)
    #expect(whole.text.contains("text") && !whole.text.contains(fix), "\(whole)")
  }

  /// A sniffer's capture holds no packets of HCI, and nothing is wrong with that. Encrypted are those
  /// with a payload behind LL_START_ENC_REQ (#53), as tshark counts them, that were not sent again.
  @Test func fromTheAir() throws {
    for name in ["pebble-air/pebble-air.pcap", "pebble-air/pebble-air.pcapng"] {
      let (checks, code) = try doctor(Project.capture(name))
      #expect(code == 0)
      #expect(Set(checks.keys) == ["whole", "packets", "data", "losses", "clock"])
      let data = try #require(checks["data"])
      #expect(data.status == "info")
      #expect(
        data.text == "1 connection was captured; 92 packets are encrypted and not decrypted.")
      #expect(data.fix?.contains("longTermKeys") == true)
      #expect(checks["losses"]?.status == "ok")
    }
  }

  /// What an iPhone without its logging profile gives: connections, and no data.
  @Test func noData() throws {
    let folder = try TestFolder()
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    for (name, advice) in [
      ("a.pklg", "developer.apple.com/bug-reporting/profiles-and-logs"),
      ("a.btsnoop", "persist.bluetooth.btsnooplogmode full"), ("a.pcap", "tshark -s 0"),
    ] {
      let file = folder.path(name)
      try HarkProgram.run("convert", source, file, "-Y", "not kind == acl")
      let (checks, code) = try doctor(file)
      #expect(code == 1)
      let data = try #require(checks["data"])
      #expect(data.status == "error")
      #expect(data.text.contains("1 connection, but no data packets"))
      #expect(data.fix?.contains(advice) == true)
      #expect(checks.count { $0.value.status == "error" } == 1)
    }
  }

  /// Packets that were cut: PacketLogger does not say so, they do themselves.
  @Test func cutData() throws {
    let folder = try TestFolder()
    var packets = try Data(
      contentsOf: URL(fileURLWithPath: Project.capture("pebble-session/pebble-session.btsnoop"))
    )
    // The header of the file, then records: each ACL packet cut behind its L2CAP header.
    var cut = packets.prefix(16)
    packets = packets.dropFirst(16)
    while packets.count >= 24 {
      var header = Data(packets.prefix(24))
      let count = Int(header[7]) | Int(header[6]) << 8
      var body = Data(packets.dropFirst(24).prefix(count))
      packets = packets.dropFirst(24 + count)
      if body.first == 2, body.count > 9 {
        body = body.prefix(9)
        header[6] = 0
        header[7] = 9
      }
      cut += header + body
    }
    let (android, apple) = (folder.path("cut.btsnoop"), folder.path("cut.pklg"))
    try cut.write(to: URL(fileURLWithPath: android))
    let (_, stated, _) = try HarkProgram.run("convert", android, apple)
    #expect(stated.contains { $0.contains("are written as if complete") })
    for (file, advice) in [
      (android, "btsnooplogmode full"), (apple, "profiles-and-logs"),
    ] {
      let (checks, code) = try doctor(file)
      #expect(code == 1)
      let lengths = try #require(checks["lengths"])
      #expect(lengths.status == "error")
      #expect(lengths.text.contains(" to 8 bytes"), "\(lengths.text)")
      #expect(lengths.fix?.contains(advice) == true)
    }
  }

  @Test func lossesDirectionsAndDamage() throws {
    let folder = try TestFolder()
    let unknown = try doctor(Project.capture("formats/187-le-us.pcap"))
    #expect(unknown.checks["directions"]?.status == "warning")
    #expect(unknown.code == 0)
    var bytes = try Data(
      contentsOf: URL(fileURLWithPath: Project.capture("formats/h4.btsnoop")))
    // The cumulative drops of the first record.
    bytes[16 + 15] = 5
    let file = folder.path("a.btsnoop")
    try bytes.write(to: URL(fileURLWithPath: file))
    let lost = try doctor(file)
    #expect(lost.checks["losses"]?.text == "The recorder lost 5 packets.")
    try bytes.prefix(bytes.count - 3).write(to: URL(fileURLWithPath: file))
    let damaged = try doctor(file)
    #expect(damaged.checks["whole"]?.status == "error")
    #expect(damaged.code == 1)
    try bytes.prefix(16).write(to: URL(fileURLWithPath: file))
    let empty = try doctor(file)
    #expect(empty.checks["packets"]?.text.contains("enabled while Bluetooth was on") == true)
    try Data("no capture".utf8).write(to: URL(fileURLWithPath: file))
    let none = try doctor(file)
    #expect(none.checks["whole"]?.text.hasPrefix("hark cannot read it: ") == true)
    #expect(none.code == 1)
    let missing = try doctor(folder.path("missing.btsnoop"))
    #expect(missing.checks["whole"]?.text == "hark cannot open it: No such file or directory")
  }

  /// A file that ends too early says nothing of who recorded it.
  @Test func truncated() throws {
    let folder = try TestFolder()
    let bytes = try Project.bytes(
      Project.capture("pebble-session/pebble-session.btsnoop"))
    let file = folder.path("a.btsnoop")
    // In the first record, and behind the connection and before its data.
    for (count, status) in [(30, "packets"), (1_800, "data")] {
      try bytes.prefix(count).write(to: URL(fileURLWithPath: file))
      let (checks, code) = try doctor(file)
      #expect(code == 1)
      #expect(checks["whole"]?.text.hasPrefix("The capture is truncated: ") == true)
      #expect(checks[status]?.fix == checks["whole"]?.fix, "\(checks)")
      #expect(checks.values.allSatisfy { $0.fix?.contains("btsnooplogmode") != true })
      #expect(
        checks.values.allSatisfy { !$0.text.contains("log was") && !$0.text.contains("log is") })
    }
  }

  /// A file that is older than its last packet: its clock shows local time, which can be said.
  @Test func clocks() throws {
    let folder = try TestFolder()
    let file = folder.path("a.btsnoop")
    let source = Project.capture("pebble-session/pebble-session.btsnoop")
    try FileManager.default.copyItem(atPath: source, toPath: file)
    // Its last packet is of 2026-11-20 16:41:41; 14:41:42 is written as seconds by `date -u +%s`.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_795_185_702)], ofItemAtPath: file)
    let (checks, code) = try doctor(file)
    #expect(checks["clock"]?.status == "warning", "\(checks)")
    #expect(checks["clock"]?.fix == "hark timeline CAPTURE --time-zone +02:00")
    #expect(code == 0)
    let reported = try HarkProgram.run("doctor", file, "--time-zone", "Europe/Berlin")
    #expect(reported.text.contains("The capture records Europe/Berlin; hark shows UTC."))
    #expect(try HarkProgram.run("doctor", "--time-zone", "UTC").code == 64)
  }

  /// On this machine, whatever it is: doctor says about the monitor what the recorder itself says.
  @Test func thisMachine() throws {
    let (text, _, code) = try HarkProgram.run("doctor", "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    let checks = try #require(object?["checks"] as? [[String: String]])
    let recorder = HarkProgram.url.deletingLastPathComponent()
      .appendingPathComponent("hark-record").path
    let list = try OtherProgram.run(recorder, ["--list=tsv"]).text
    let monitor = try #require(list.split(separator: "\n").first).split(
      separator: "\t", omittingEmptySubsequences: false)
    #expect(monitor.count == 5)
    #expect(checks.first { $0["check"] == "recorder" }?["status"] == "ok")
    if let check = checks.first(where: { $0["check"] == "monitor" }) {
      #expect((check["status"] == "ok") == monitor[2].isEmpty)
    } else {
      #expect(checks.first?["check"] == "kernel")
      #expect(checks.first?["status"] == "error")
      #expect(monitor[2].contains("no Bluetooth"))
    }
    #expect(code == (checks.contains { $0["status"] == "error" } ? 1 : 0))
  }
}
