import Foundation
import HarkCore
import HarkPlatform
import HarkTestSupport
import Testing

/// `hark extcap`: what Wireshark asks of it, and Wireshark's own programs capturing with it.
@Suite struct ExtcapTests {
  static let capture = Project.capture("pebble-session/pebble-session.btsnoop")
  static let keys = Project.capture("pebble-session/accessory.harkkeys")

  /// Sentences of the extcap language: a word and values in braces.
  private func sentences(
    _ arguments: String...
  ) throws -> [(word: String, values: [String: String])] {
    let found = try OtherProgram.run(HarkProgram.url.path, ["extcap"] + arguments)
    #expect(found.code == 0)
    #expect(found.stated == [])
    return try found.text.split(separator: "\n").map { line in
      let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
      let pattern = try Regex(#"\{([a-z]+)=([^{}]*)\}"#)
      var values: [String: String] = [:]
      var rest = parts[1]
      for match in parts[1].matches(of: pattern) {
        values[String(match.output[1].substring ?? "")] = String(match.output[2].substring ?? "")
      }
      rest.replace(pattern, with: "")
      #expect(rest == "", "\(line)")
      return (parts[0], values)
    }
  }

  @Test func whatWiresharkAsks() throws {
    let interfaces = try sentences("--extcap-interfaces", "--extcap-version=4.0")
    let names = interfaces.dropFirst().compactMap { $0.values["value"] }
    // Why the controllers cannot be captured from stands beside them.
    let recorder = HarkProgram.url.deletingLastPathComponent()
      .appendingPathComponent("hark-record").path
    let devices = try OtherProgram.run(recorder, ["--list=tsv"]).text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let columns = devices.first ?? []
    #expect(
      names == ["hark-monitor", "hark-stream"] + devices.dropFirst().map { "hark-\($0[0])" })
    #expect(interfaces.dropFirst().allSatisfy { $0.word == "interface" })
    try #require(columns.first == "monitor" && columns.count > 4)
    let title = interfaces[1].values["display"] ?? ""
    #expect(title.hasPrefix("hark: Bluetooth controllers of this machine"))
    #expect(title.contains("cannot be opened: \(columns[2])") == !columns[2].isEmpty)
    for name in names {
      let links = try sentences("--extcap-dlts", "--extcap-interface", name)
      #expect(links.map(\.word) == ["dlt"])
      #expect(["254", "201"].contains(links[0].values["number"]))
      let configuration = try sentences("--extcap-config", "--extcap-interface", name)
      let arguments = configuration.filter { $0.word == "arg" }
      #expect(arguments.compactMap { $0.values["number"] } == arguments.indices.map { "\($0)" })
      #expect(arguments.contains { $0.values["call"] == "--keys" })
      #expect(arguments.contains { $0.values["call"] == "--time-zone" })
      #expect(arguments.contains { $0.values["call"] == "--source" } == (name == "hark-stream"))
      for value in configuration where value.word == "value" {
        #expect(value.values["arg"] == "1")
      }
    }
    #expect(try HarkProgram.run("extcap", "--extcap-dlts", "--extcap-interface", "x").code == 64)
  }

  /// Wireshark takes any output for a mistake.
  @Test func filtersAreChecked() throws {
    let arguments = ["extcap", "--extcap-interface", "hark-stream", "--extcap-capture-filter"]
    let program = HarkProgram.url.path
    let right = try OtherProgram.run(program, arguments + ["att.opcode == 0x1b"])
    #expect(right.text == "")
    #expect(right.code == 0)
    let wrong = try OtherProgram.run(program, arguments + ["att.opcod == 0x1b"])
    #expect(wrong.text.contains("att.opcode"))
    #expect(wrong.code == 1)
  }

  @Test func installAndUninstall() throws {
    let folder = try TestFolder()
    let path = folder.path("extcap/hark")
    let install = ["extcap", "install", "--folder", folder.path("extcap")]
    let program = HarkProgram.url.path
    #expect(try OtherProgram.run(program, install).text.hasPrefix("Installed \(path):"))
    let script = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try HarkProgram.run("extcap", "install", "--show").text == script)
    #expect(try OtherProgram.run(path, ["--extcap-interfaces"]).text.contains("hark-stream"))
    // Again, as after an update.
    #expect(try OtherProgram.run(program, install).code == 0)
    let uninstall = ["extcap", "uninstall", "--folder", folder.path("extcap")]
    #expect(try OtherProgram.run(program, uninstall).text == "Removed \(path).\n")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try OtherProgram.run(program, uninstall).code == 0)
    // What is somebody else's stays.
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try OtherProgram.run(program, install).code == 1)
    #expect(try OtherProgram.run(program, uninstall).code == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("#!/bin/sh\n".utf8))
  }

  /// The plug-in goes into the folder that is named, is that of the project, and is removed again.
  @Test func installsPlugin() throws {
    let folder = try TestFolder()
    let path = folder.path("plugins/hark.lua")
    let places = ["--folder", folder.path("extcap"), "--plugins", folder.path("plugins")]
    let program = HarkProgram.url.path
    let installed = try OtherProgram.run(program, ["extcap", "install"] + places)
    #expect(installed.code == 0)
    #expect(installed.text.contains("Installed \(path): "))
    let project = Project.root.appending(path: "wireshark/hark.lua")
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(contentsOf: project))
    let removed = try OtherProgram.run(program, ["extcap", "uninstall"] + places)
    #expect(removed.text.hasSuffix("Removed \(path).\n"))
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// Wireshark 4.0 has no folder of a user's for sources: the advice leads to all of root's folders.
  @Test(.enabled(if: getuid() == 0 && hasTshark, "needs root and tshark"))
  func advisesUser() throws {
    let folder = try TestFolder()
    chmod(folder.url.path, 0o777)
    let folders =
      "printf 'Personal Lua Plugins:\\t\(folder.path("own"))\\nExtcap path:\\t/usr/lib/extcap\\n'"
    let tshark = folder.path("tshark")
    try Data("#!/bin/sh\n\(folders)\n".utf8).write(to: URL(fileURLWithPath: tshark))
    chmod(tshark, 0o755)
    let found = try OtherProgram.run(
      "/usr/bin/setpriv",
      [
        "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/env",
        "PATH=\(folder.url.path):/usr/bin:/bin", "HOME=\(folder.url.path)",
        HarkProgram.url.path, "extcap", "install",
      ])
    #expect(found.code == 1)
    #expect(
      found.stated.contains { $0.contains("extcap install', or another folder with WIRESHARK") },
      "\(found.stated)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("own/hark.lua")))
  }

  /// Under sudo a variable of the user's does not lead to where the user cannot write; --folder does.
  @Test(.enabled(if: getuid() == 0, "needs root"), arguments: [false, true])
  func underSudo(_ isTheirs: Bool) throws {
    let folder = try TestFolder()
    let place = folder.path("extcap")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    chmod(folder.url.path, 0o755)
    if isTheirs { chown(place, 65_534, 65_534) }
    func run(_ arguments: String...) throws -> (text: String, stated: [String], code: Int32) {
      let sudo = ["SUDO_UID=65534", "SUDO_GID=65534", "WIRESHARK_EXTCAP_DIR=\(place)"]
      return try OtherProgram.run(
        "/usr/bin/env", sudo + [HarkProgram.url.path, "extcap"] + arguments)
    }
    func owner() throws -> Int? {
      let path = place + "/hark"
      guard FileManager.default.fileExists(atPath: path) else { return nil }
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return (attributes[.ownerAccountID] as? NSNumber)?.intValue
    }
    let found = try run("install")
    #expect(found.code == (isTheirs ? 0 : 1), "\(found.stated)")
    #expect(try owner() == (isTheirs ? 65_534 : nil))
    #expect(
      found.stated.contains { $0.contains("as that user; to write there as root, use --folder") },
      "\(found.stated)")
    let other = folder.path("other")
    #expect(try run("install", "--folder", other).text.hasPrefix("Installed \(other)/hark:"))
    #expect(try run("uninstall", "--folder", other).code == 0)
    #expect(try run("uninstall").code == 0)
    #expect(try owner() == nil)
  }

  /// A program beside hark that takes the recorder's place: it says that there are devices, and sends a
  /// capture for one.
  @Test func devicesOfTheRecorder() throws {
    let program = HarkProgram.url
    let folder = program.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let hark = folder.appendingPathComponent("hark").path
    try FileManager.default.linkItem(atPath: program.path, toPath: hark)
    let recorder = folder.appendingPathComponent("hark-record").path
    let script = """
      #!/bin/sh
      case "$1" in
      --list=tsv) printf 'monitor\\tall\\t\\t\\t\\nusbmon1\\tUSB {bus} 1\\t\\t\\t\\n'
        printf 'bluetooth0\\tBluetooth adapter 0\\tnot permitted\\trun sudo\\t\\n' ;;
      *) echo "$*" > '\(folder.path)/asked'; exec cat '\(Self.capture)' ;;
      esac

      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: recorder))
    chmod(recorder, 0o755)
    let interfaces = try OtherProgram.run(hark, ["extcap", "--extcap-interfaces"]).text
    #expect(
      interfaces.contains("interface {value=hark-usbmon1}{display=hark: usbmon1: USB bus 1}\n"))
    #expect(
      interfaces.contains(
        "interface {value=hark-bluetooth0}{display=hark: bluetooth0: Bluetooth adapter 0; "
          + "cannot be opened: not permitted}\n"))
    let file = folder.appendingPathComponent("out.pcapng").path
    _ = FileManager.default.createFile(atPath: file, contents: nil)
    let found = try OtherProgram.run(
      hark,
      [
        "extcap", "--capture", "--extcap-interface", "hark-usbmon1", "--fifo", file, "--time-zone",
        "+02:00",
      ])
    #expect(found.code == 0, "\(found.stated)")
    let asked = try String(
      contentsOf: folder.appendingPathComponent("asked"), encoding: .utf8)
    #expect(asked == "-w - -- usbmon1\n")
    let live = try OtherProgram.run(hark, ["live", "usbmon1", "--no-notes"])
    #expect(
      live.text.split(separator: "\n").map(String.init)
        == (try HarkProgram.timeline(Self.capture, "--no-notes")))
    #expect(
      try OtherProgram.run(hark, ["live", "usbmon7"]).stated == [
        "hark: usbmon7: cannot open: no such device or file; 'hark live --list' shows the devices"
      ])
    let zoned = try HarkProgram.timeline(Self.capture, "--time-zone", "+02:00", "--no-notes")
    #expect(try HarkProgram.timeline(file, "--no-notes") == zoned)
    #expect(
      try OtherProgram.run(hark, ["extcap", "--extcap-dlts", "--extcap-interface", "hark-hci9"])
        .code
        == 64)
  }

  /// What is known only when the source has ended has its packet and its comment as in a file: here a write that
  /// nothing answers. Core Specification, Vol 3, Part F, 3.3.3
  @Test func theEndOfASource() throws {
    let folder = try TestFolder()
    let records = [
      (1, "043e130100400000012222222222e218000000480000"), (0, "0240000800 0400 0400 12030001"),
    ]
    var capture = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    for (flags, hex) in records {
      let bytes = Hex.bytes(hex) ?? []
      let size: [UInt8] = [0, 0, 0, UInt8(bytes.count)]
      capture += size + size + [0, 0, 0, UInt8(flags), 0, 0, 0, 0, 0, 0xE0, 0x3A, 0xB4, 0, 0, 0, 0]
      capture += bytes
    }
    let (file, fifo) = (folder.path("a.btsnoop"), folder.path("fifo"))
    try Data(capture).write(to: URL(fileURLWithPath: file))
    try #require(mkfifo(fifo, 0o600) == 0)
    let (written, converted) = (folder.path("out.pcapng"), folder.path("file.pcapng"))
    _ = FileManager.default.createFile(atPath: written, contents: nil)
    let filter = "text contains \"no response in the capture\""
    let program = HarkProgram.url.path
    let run = try OtherProgram.run(
      "/bin/sh",
      [
        "-c", "f=$1 p=$2 h=$3; shift 3; cat \"$f\" > \"$p\" & \"$h\" \"$@\"", "sh", file, fifo,
        program,
        "extcap", "--capture", "--extcap-interface", "hark-stream", "--source", fifo, "--fifo",
        written,
        "--extcap-capture-filter", filter,
      ])
    #expect(run.code == 0, "\(run.stated)")
    #expect(try HarkProgram.run("convert", file, converted, "-Y", filter).code == 0)
    for name in [written, converted] {
      let rows = try OtherProgram.run(program, ["packets", name, "-e", "frame.length"]).text
      #expect(rows == "frame.length\n12\n", "\(name)")
      let bytes = try Project.bytes(name)
      #expect(bytes.range(of: Data("no response in the capture".utf8)) != nil, "\(name)")
    }
  }

  // MARK: Wireshark's programs

  static let hasTshark = FileManager.default.isExecutableFile(atPath: OtherProgram.tshark)

  /// tshark with hark as its only source, and folders of its own.
  private func tshark(
    _ folder: TestFolder, _ arguments: [String]
  ) throws -> (process: Process, output: Pipe, errors: URL, deadline: ProgramDeadline) {
    _ = try HarkProgram.run("extcap", "install", "--folder", folder.path("extcap"))
    let process = Process()
    // As root, Wireshark's programs look into no folder of a user's.
    if getuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      let user = ["--reuid=65534", "--regid=65534", "--clear-groups", OtherProgram.tshark]
      process.arguments = user + arguments
      for file in ["", "phone.fifo"] { chmod(folder.path(file), 0o777) }
    } else {
      process.executableURL = URL(fileURLWithPath: OtherProgram.tshark)
      process.arguments = arguments
    }
    process.environment = ProcessInfo.processInfo.environment.merging([
      "WIRESHARK_EXTCAP_DIR": folder.path("extcap"), "HOME": folder.url.path,
      "XDG_CONFIG_HOME": folder.path("config"),
    ]) { $1 }
    let output = Pipe()
    let errors = folder.url.appendingPathComponent("errors")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return (process, output, errors, ProgramDeadline(process))
  }

  private func lines(_ output: Pipe, _ deadline: ProgramDeadline) throws -> [String] {
    try String(decoding: deadline.readToEnd(output), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkListsIt() throws {
    let folder = try TestFolder()
    let (process, output, _, deadline) = try tshark(folder, ["-D"])
    let found = try lines(output, deadline)
    process.waitUntilExit()
    try deadline.check()
    #expect(found.contains { $0.contains("hark-monitor (hark: Bluetooth controllers") })
    #expect(found.contains { $0.contains("hark-stream (hark: Bluetooth stream") })
    let links = try tshark(folder, ["-i", "hark-stream", "-L"])
    let types = try lines(links.output, links.deadline)
    links.process.waitUntilExit()
    try links.deadline.check()
    #expect(types.contains { $0.contains("BLUETOOTH_HCI_H4_WITH_PHDR") })
  }

  /// A whole capture through a FIFO, with a key file: packets and comments are what they are in a file.
  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkCapturesAStream() throws {
    let folder = try TestFolder()
    let keys = folder.path("a.harkkeys")
    try FileManager.default.copyItem(atPath: Self.keys, toPath: keys)
    let fifo = folder.path("phone.fifo")
    let held = try HeldFIFO(fifo, holding: Self.capture)
    defer { held.close() }
    let (process, output, errors, deadline) = try tshark(
      folder,
      [
        "-i", "hark-stream", "-o", "extcap.hark_stream.source:\(fifo)", "-o",
        "extcap.hark_stream.keys:\(keys)", "-c", "193", "-a", "duration:60", "-T", "fields",
        "-e", "frame.len", "-e", "frame.p2p_dir", "-e", "frame.comment",
      ])
    let found = try lines(output, deadline)
    process.waitUntilExit()
    try deadline.check()
    let stated = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    #expect(process.terminationStatus == 0, "\(stated)")
    let file = folder.path("a.pcapng")
    try HarkProgram.run("convert", Self.capture, file, "--keys", Self.keys)
    let expected = try OtherProgram.run(
      OtherProgram.tshark,
      [
        "-r", file, "-T", "fields", "-e", "frame.len", "-e", "frame.p2p_dir", "-e", "frame.comment",
      ]
    ).text.split(separator: "\n").map(String.init)
    #expect(expected.count == 193)
    #expect(found == expected, "\(stated)")
    #expect(found.contains { $0.contains("Mara Lindqvist") })
  }

  /// Capture filters on what is known only after a packet: those packets that `hark packets` shows of the file.
  @Test(
    .enabled(if: hasTshark, "tshark is missing: Tools/setup peers"),
    arguments: ["lane == notification", "pebble.title_title"])
  func tsharkFiltersByEvents(_ filter: String) throws {
    let folder = try TestFolder()
    let keys = folder.path("a.harkkeys")
    try FileManager.default.copyItem(atPath: Self.keys, toPath: keys)
    let fifo = folder.path("phone.fifo")
    let held = try HeldFIFO(fifo, holding: Self.capture)
    defer { held.close() }
    let expected = try OtherProgram.run(
      HarkProgram.url.path,
      [
        "packets", Self.capture, "--keys", Self.keys, "-Y", filter, "-e",
        "frame.time",
      ]
    ).text.split(separator: "\n").dropFirst().map(String.init)
    #expect(expected.count > 5)
    let (process, output, errors, deadline) = try tshark(
      folder,
      [
        "-i", "hark-stream", "-f", filter, "-o", "extcap.hark_stream.source:\(fifo)", "-o",
        "extcap.hark_stream.keys:\(keys)", "-c", "\(expected.count)", "-a", "duration:50", "-T",
        "fields", "-e", "frame.time_epoch",
      ])
    let found = try lines(output, deadline)
    process.waitUntilExit()
    try deadline.check()
    let stated = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    #expect(found == expected, "\(stated)")
  }

  /// What a sniffer writes into a FIFO: the link type is kept, whatever was announced.
  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkCapturesTheAir() throws {
    let folder = try TestFolder()
    let fifo = folder.path("phone.fifo")
    let source = Project.capture("pebble-air/pebble-air.pcap")
    let held = try HeldFIFO(fifo, holding: source)
    defer { held.close() }
    let fields = ["-T", "fields", "-e", "frame.len", "-e", "btle.access_address", "-e", "btle.crc"]
    let expected = try OtherProgram.run(OtherProgram.tshark, ["-r", source] + fields).text
      .split(separator: "\n").map(String.init)
    let (process, output, errors, deadline) = try tshark(
      folder,
      [
        "-i", "hark-stream", "-o", "extcap.hark_stream.source:\(fifo)", "-c",
        "\(expected.count)", "-a", "duration:60",
      ] + fields)
    let found = try lines(output, deadline)
    process.waitUntilExit()
    try deadline.check()
    let stated = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    #expect(expected.count == 237)
    #expect(found == expected, "\(stated)")
  }

  /// With a capture filter of hark's, from a socket.
  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkCapturesFromASocket() throws {
    let folder = try TestFolder()
    let path = "/tmp/hark-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    let listener = socket(AF_UNIX, Platform.streamType, 0)
    defer { close(listener) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listener, $0, size) == 0 }
    }
    try #require(isBound && listen(listener, 1) == 0)
    chmod(path, 0o777)
    let (process, output, errors, deadline) = try tshark(
      folder,
      [
        "-i", "hark-stream", "-f", "att", "-o", "extcap.hark_stream.source:unix:\(path)", "-c",
        "20",
        "-a", "duration:60", "-T", "fields", "-e", "btatt.opcode",
      ])
    let connection = try acceptConnection(on: listener, seconds: 60)
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.capture))
    _ = data.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
    let found = try lines(output, deadline)
    process.waitUntilExit()
    try deadline.check()
    close(connection)
    let stated = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    #expect(found.count == 20, "\(stated)")
    #expect(found.allSatisfy { $0.hasPrefix("0x") }, "\(found)")
  }
}
