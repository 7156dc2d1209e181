import HarkSamples
import HarkTestSupport
import Testing

/// Two threads write the packets of a file in batches; the packets of a pipe are written one by one, as they come.
@Suite struct PacketPrinterTests {
  @Test(arguments: DailyPart.of(Sample.all + Sample.profiles, oneIn: 12))
  func `a file and a pipe print the same`(_ name: String) throws {
    let path = Sample.path(name, try Sample.firstFile(name))
    let fields = "frame.number,frame.time_delta,frame.time_relative,frame.device,att.handle"
    for options in [[], ["-f", "json"], ["-f", "csv", "-e", fields], ["-Y", "att || smp"]] {
      let file = try OtherProgram.run(HarkProgram.url.path, ["packets", path] + options)
      let words = ([HarkProgram.url.path, "packets", "-"] + options).map { "'\($0)'" }
      let pipe = try OtherProgram.run(
        "/bin/sh", ["-c", "cat '\(path)' | \(words.joined(separator: " "))"])
      #expect(file.code == 0 && pipe.code == 0, "\(name) \(options), \(DailyPart.note)")
      #expect(file.text == pipe.text, "\(name) \(options), \(DailyPart.note)")
      #expect(!file.text.isEmpty || !options.isEmpty)
    }
  }

  /// A filter that every packet passes changes no line, also if it asks for no field of the protocol inside.
  @Test(arguments: [
    "iap2-session/iap2-session.btsnoop", "coc-session/coc-session.btsnoop",
    "eatt-session/eatt-session.btsnoop", "hands-free/hands-free.btsnoop",
    "pebble-air/pebble-air.pcap --keys pebble-air/link.harkkeys",
  ])
  func `a filter shows each packet as it is`(_ words: String) throws {
    let words = words.split(separator: " ").map {
      $0.hasPrefix("--") ? String($0) : Project.capture(String($0))
    }
    for options in [[], ["-f", "json"], ["-e", "frame.number,frame.fragments"]] {
      let all = try OtherProgram.run(HarkProgram.url.path, ["packets"] + words + options)
      #expect(all.code == 0)
      for filter in ["frame.number > 0", "frame.time_relative >= 0 || smp"] {
        let some = try OtherProgram.run(
          HarkProgram.url.path, ["packets"] + words + options + ["-Y", filter])
        #expect(some.text == all.text, "\(filter) \(options)")
      }
    }
  }

  /// One batch and a part of another, in order, whoever writes which.
  @Test func `--limit ends in the middle of a batch`() throws {
    let path = Project.capture("pebble-session/pebble-session.btsnoop")
    let all = try OtherProgram.run(HarkProgram.url.path, ["packets", path]).text
    let some = try OtherProgram.run(HarkProgram.url.path, ["packets", path, "--limit", "100"]).text
    let lines = some.split(separator: "\n")
    #expect(lines.count == 100)
    #expect(lines == Array(all.split(separator: "\n").prefix(100)))
  }

  @Test func `a reader that goes away ends it`() throws {
    let path = Project.capture("pebble-session/pebble-session.btsnoop")
    let command = "'\(HarkProgram.url.path)' packets '\(path)' -f json; echo $? >&2"
    let found = try OtherProgram.run("/bin/sh", ["-c", "(\(command)) | head -c 10"])
    #expect(found.text.utf8.count == 10)
    #expect(found.stated == ["0"])
  }
}
