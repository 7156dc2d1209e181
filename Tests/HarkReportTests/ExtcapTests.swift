import Foundation
import Testing

/// `hark extcap`: what Wireshark asks of it, and Wireshark's own programs capturing with it.
@Suite struct ExtcapTests {
  static let capture = ConvertTests.sample("pebble-session/pebble-session.btsnoop")
  static let keys = ConvertTests.sample("pebble-session/accessory.harkkeys")

  /// Sentences of the extcap language: a word and values in braces.
  private func sentences(
    _ arguments: String...
  ) throws -> [(word: String, values: [String: String])] {
    let found = try ConvertTests.run(GoldenTranscriptTests.program.path, ["extcap"] + arguments)
    #expect(found.code == 0)
    #expect(found.said == [])
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
    #expect(interfaces.map(\.word) == ["extcap", "interface", "interface"])
    let names = interfaces.dropFirst().compactMap { $0.values["value"] }
    #expect(names == ["hark-monitor", "hark-stream"])
    // Why the controllers cannot be captured from stands beside them.
    let recorder = GoldenTranscriptTests.program.deletingLastPathComponent()
      .appendingPathComponent("hark-record").path
    let list = try ConvertTests.run(recorder, ["--list=tsv"]).text
    let columns = list.split(separator: "\t", omittingEmptySubsequences: false)
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
      #expect(arguments.contains { $0.values["call"] == "--source" } == (name == "hark-stream"))
      for value in configuration where value.word == "value" {
        #expect(value.values["arg"] == "1")
      }
    }
    #expect(try ConvertTests.hark("extcap", "--extcap-dlts", "--extcap-interface", "x").code == 64)
  }

  /// Wireshark takes any output for a mistake.
  @Test func filtersAreChecked() throws {
    let arguments = ["extcap", "--extcap-interface", "hark-stream", "--extcap-capture-filter"]
    let program = GoldenTranscriptTests.program.path
    let right = try ConvertTests.run(program, arguments + ["att.opcode == 0x1b"])
    #expect(right.text == "")
    #expect(right.code == 0)
    let wrong = try ConvertTests.run(program, arguments + ["att.opcod == 0x1b"])
    #expect(wrong.text.contains("att.opcode"))
    #expect(wrong.code == 1)
  }

  @Test func installAndUninstall() throws {
    let folder = try ConvertTests.Folder()
    let path = folder.path("extcap/hark")
    let install = ["extcap", "install", "--folder", folder.path("extcap")]
    let program = GoldenTranscriptTests.program.path
    #expect(try ConvertTests.run(program, install).text.hasPrefix(path))
    let script = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try ConvertTests.hark("extcap", "install", "--show").text == script)
    #expect(try ConvertTests.run(path, ["--extcap-interfaces"]).text.contains("hark-stream"))
    // Again, as after an update.
    #expect(try ConvertTests.run(program, install).code == 0)
    let uninstall = ["extcap", "uninstall", "--folder", folder.path("extcap")]
    #expect(try ConvertTests.run(program, uninstall).text == "\(path) is gone.\n")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try ConvertTests.run(program, uninstall).code == 0)
    // What is somebody else's stays.
    try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try ConvertTests.run(program, install).code == 1)
    #expect(try ConvertTests.run(program, uninstall).code == 1)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("#!/bin/sh\n".utf8))
  }

  // MARK: Wireshark's programs

  static let hasTshark = FileManager.default.isExecutableFile(atPath: ConvertTests.tshark)

  /// tshark with hark as its only source, and folders of its own.
  private func tshark(
    _ folder: ConvertTests.Folder, _ arguments: [String]
  ) throws -> (process: Process, output: Pipe, errors: URL) {
    _ = try ConvertTests.hark("extcap", "install", "--folder", folder.path("extcap"))
    let process = Process()
    // As root, Wireshark's programs look into no folder of a user's.
    if getuid() == 0 {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
      let user = ["--reuid=65534", "--regid=65534", "--clear-groups", ConvertTests.tshark]
      process.arguments = user + arguments
      for file in ["", "phone.fifo"] { chmod(folder.path(file), 0o777) }
    } else {
      process.executableURL = URL(fileURLWithPath: ConvertTests.tshark)
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
    return (process, output, errors)
  }

  private func lines(_ output: Pipe) -> [String] {
    String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkListsIt() throws {
    let folder = try ConvertTests.Folder()
    let (process, output, _) = try tshark(folder, ["-D"])
    let found = lines(output)
    process.waitUntilExit()
    #expect(found.contains { $0.contains("hark-monitor (hark: Bluetooth controllers") })
    #expect(found.contains { $0.contains("hark-stream (hark: Bluetooth stream") })
    let links = try tshark(folder, ["-i", "hark-stream", "-L"])
    let types = lines(links.output)
    links.process.waitUntilExit()
    #expect(types.contains { $0.contains("BLUETOOTH_HCI_H4_WITH_PHDR") })
  }

  /// A whole capture through a FIFO, with a key file: packets and comments are what they are in a file.
  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkCapturesAStream() throws {
    let folder = try ConvertTests.Folder()
    let keys = folder.path("a.harkkeys")
    try FileManager.default.copyItem(atPath: Self.keys, toPath: keys)
    let fifo = folder.path("phone.fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: "/bin/sh")
    // Held open for a moment, as a phone's is: the source does not end with its last packet.
    writer.arguments = ["-c", "exec 3>'\(fifo)'; cat '\(Self.capture)' >&3; sleep 60"]
    try writer.run()
    defer { writer.terminate() }
    let (process, output, errors) = try tshark(
      folder,
      [
        "-i", "hark-stream", "-o", "extcap.hark_stream.source:\(fifo)", "-o",
        "extcap.hark_stream.keys:\(keys)", "-c", "193", "-a", "duration:60", "-T", "fields",
        "-e", "frame.len", "-e", "frame.p2p_dir", "-e", "frame.comment",
      ])
    let found = lines(output)
    process.waitUntilExit()
    let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    #expect(process.terminationStatus == 0, "\(said)")
    let file = folder.path("a.pcapng")
    try ConvertTests.hark("convert", Self.capture, file, "--keys", Self.keys)
    let expected = try ConvertTests.run(
      ConvertTests.tshark,
      [
        "-r", file, "-T", "fields", "-e", "frame.len", "-e", "frame.p2p_dir", "-e", "frame.comment",
      ]
    ).text.split(separator: "\n").map(String.init)
    #expect(expected.count == 193)
    #expect(found == expected, "\(said)")
    #expect(found.contains { $0.contains("Mara Lindqvist") })
  }

  /// With a capture filter of hark's, from a socket.
  @Test(.enabled(if: hasTshark, "tshark is missing: Tools/setup peers"))
  func tsharkCapturesFromASocket() throws {
    let folder = try ConvertTests.Folder()
    let path = "/tmp/hark-\(UInt32.random(in: 0 ... .max))"
    defer { unlink(path) }
    let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
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
    let (process, output, errors) = try tshark(
      folder,
      [
        "-i", "hark-stream", "-f", "att", "-o", "extcap.hark_stream.source:unix:\(path)", "-c",
        "20",
        "-a", "duration:60", "-T", "fields", "-e", "btatt.opcode",
      ])
    var event = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    try #require(poll(&event, 1, 60_000) == 1)
    let connection = accept(listener, nil, nil)
    let data = try Data(contentsOf: URL(fileURLWithPath: Self.capture))
    _ = data.withUnsafeBytes { write(connection, $0.baseAddress, $0.count) }
    let found = lines(output)
    process.waitUntilExit()
    close(connection)
    let said = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
    #expect(found.count == 20, "\(said)")
    #expect(found.allSatisfy { $0.hasPrefix("0x") }, "\(found)")
  }
}
