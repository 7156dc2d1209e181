import Foundation
import HarkTestSupport
import Testing

/// The examples in help, as they are written, in a folder with files of the names that they have.
@Suite struct HelpExampleTests {
  /// What stands for which file of the samples.
  private static let files = [
    "session.pklg": "pebble-session/pebble-session.pklg",
    "session.btsnoop": "a2dp-session/a2dp-session.btsnoop",
    "pairing.pklg": "pebble-session/pebble-session.pklg",
    "a.pklg": "pebble-session/pebble-session.pklg",
    "acme.harkkeys": "pebble-session/accessory.harkkeys",
    "lab.harkkeys": "pebble-session/accessory.harkkeys",
    "ltk.txt": "app-side/message.hex",
    "sniffed.pcap": "pebble-air/pebble-air.pcap",
    "btsnoop_hci.log": "pebble-session/pebble-session.btsnoop",
    "phone.pklg": "pebble-session/pebble-session.pklg",
    "board.btsnoop": "hands-free/hands-free.btsnoop",
    "big.btsnoop": "pebble-session/pebble-session.btsnoop",
    "again.btsnoop": "pebble-faults/pebble-faults.btsnoop",
    "good.pklg": "pebble-session/pebble-session.pklg",
    "bad.pklg": "pebble-session/pebble-session.pklg",
    "bad.btsnoop": "pebble-faults/pebble-faults.btsnoop",
    "old-firmware.btsnoop": "pebble-session/pebble-session.btsnoop",
    "new-firmware.btsnoop": "pebble-faults/pebble-faults.btsnoop",
    "day2.btsnoop": "hands-free/hands-free.btsnoop",
    "trace.1.btsnoop": "hands-free/hands-free.btsnoop",
    "journal.ndjson": "app-side/pebble-journal.ndjson",
    "log.ndjson": "app-side/pebble-log.ndjson",
    "message.bin": "app-side/message.hex",
    "Acme.app": "mistakes/Lapse.app",
    "Info.plist": "app-side/AcmeTransport-Info.plist",
    "Acme.entitlements": "app-side/AcmeTransport.entitlements",
    "texts.json": "../Tests/Transcripts/notifications.json",
    "payloads.ndjson": "../Tests/Transcripts/payloads.ndjson",
    "sealed.json": "../Tests/Transcripts/sealed.json",
    "acme.ksy": "../dissectors/lens/lens.ksy",
    "acme/acme.ksy": "../dissectors/lens/lens.ksy",
    "acme/profile.yaml": "../dissectors/lens/profile.yaml",
    "acme/lens.ksy": "../dissectors/lens/lens.ksy",
    "nightly/night.btsnoop": "pebble-session/pebble-session.btsnoop",
    "captures/session.btsnoop": "pebble-session/pebble-session.btsnoop",
    "nightly.yaml": "pebble-session/expectations.yaml",
    "test.harkkeys": "pebble-session/accessory.harkkeys",
    "accepted.json": "../Tests/Transcripts/accepted.json",
    "session.notes.json": "../Tests/Transcripts/session.notes.json",
  ]

  /// What needs a phone, a board, a controller, bonds, a passphrase or a browser, or does not end.
  private static let others = [
    "hark live", "hark record", "--web", "--watch", "hark extcap", "adb exec-out",
    "/var/lib/bluetooth", "--passphrase-file",
  ]

  /// The command lines of all examples.
  private static func examples() throws -> [String] {
    // Examples are indented by two spaces. Sentences are not, and may begin with "hark", too.
    let lines = try HelpTests.helps().flatMap { help in
      try OtherProgram.run(HarkProgram.url.path, help).text.split(separator: "\n")
        .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map { $0.dropFirst(2) }
    }
    // Text after two more spaces explains the example.
    let commands = lines.map {
      String($0.prefix(upTo: $0.range(of: "  ")?.lowerBound ?? $0.endIndex))
    }.filter { $0.hasPrefix("hark ") || $0.contains(" | hark ") }
    return Set(commands).filter { command in
      !others.contains { command.contains($0) } && !command.contains("<")
    }.sorted()
  }

  @Test func areUnderstood() throws {
    let folder = try TestFolder()
    for name in ["acme", "nightly", "captures"] {
      try FileManager.default.createDirectory(
        atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for (name, sample) in Self.files {
      try FileManager.default.copyItem(
        atPath: Project.capture(sample), toPath: folder.path(name))
    }
    // The archive of an app has it in a folder Payload.
    let pack = "mkdir Payload && cp -R Acme.app Payload && python3 -m zipfile -c Acme.ipa Payload"
    let packed = try OtherProgram.run("/bin/sh", ["-c", "cd \(folder.path("")) && \(pack)"])
    try #require(packed.code == 0, "\(packed.stated)")
    let program = HarkProgram.url.path
    let examples = try Self.examples()
    #expect(examples.count > 50)
    for example in examples {
      // Of a pipeline hark's part.
      let parts = example.components(separatedBy: " | ")
      let part = try #require(parts.first { $0.hasPrefix("hark ") })
      let (_, stated, code) = try OtherProgram.run(
        "/bin/sh",
        ["-c", "cd \(folder.path("")) && \(program)\(part.dropFirst(4)) < message.bin"])
      // 1: there is no such device, finding or packet in these files; 3: something differs.
      #expect([0, 1, 2, 3].contains(code), "\(example): \(stated)")
      #expect(!stated.contains { $0.contains("No such file") }, "\(example): \(stated)")
    }
  }
}
