import ArgumentParser
import HarkCapture
import HarkCompare
import HarkCore
import HarkCrypto
import HarkFindings
import HarkPresentation
import HarkSession

/// A capture on its way to the smallest part that shows some of its findings.
struct CaptureSlice {
  private let command: MinimizeCommand
  private let keys: KeyRing
  private let format: String
  private var held = HeldCapture()
  private var groups = PacketGroups()
  /// What else is written with records, by their index.
  private var comments: [Int: [String]] = [:]
  private var inferred: [Int: Direction] = [:]
  private var wanted: [WantedFinding] = []

  init(_ command: MinimizeCommand, keys: KeyRing, as format: String) throws {
    (self.command, self.keys, self.format) = (command, keys, format)
  }

  /// - Returns: The exit code.
  mutating func run() throws -> ExitCode {
    let evidence = try find()
    let capture = try open(command.capture)
    let (state, end) = try hold(capture, evidence)
    let (session, progress) = (session, Tries(command.capture))
    var minimization = Minimization(
      held, groups, for: wanted,
      session: {
        Session(keys: session.0, framings: session.1, library: GATTFiles.library)
      },
      progress: progress.report)
    let links = groups.onLinks(of: evidence.map { Int($0.number) - 1 })
    let found = minimization.run([state, links])
    Progress.erase()
    guard let part = found else {
      throw refusal("the findings do not recur when the capture is read again")
    }
    try write(part, capture, &minimization)
    Console.complain(
      "\(name): \(Names.count(part.count)) of \(Names.count(held.count, "packet")) still "
        + "\(part.count == 1 ? "shows" : "show") \(shown) (\(Names.count(minimization.tries)) tries)"
    )
    if minimization.isCutShort {
      Console.complain("\(name): stopped at the limit of attempts: a smaller capture may exist")
    }
    return Reading.status(end, of: capture)
  }

  private var session: (KeyRing, VendorFramings) { (keys, Dissectors.framings) }
  private var name: String { command.output == "-" ? "standard output" : command.output }
  private var shown: String { Set(wanted.map(\.rule)).sorted().joined(separator: ", ") }

  private func open(_ path: String) throws -> Capture {
    do {
      return try command.knowledge.open(path, as: command.form)
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
  }

  private func refusal(_ reason: String) -> ExitCode {
    Console.complain("\(command.capture): \(reason)")
    return .failure
  }

  // MARK: Reading

  /// Finds what is wanted, and the packets that prove it.
  private mutating func find() throws -> Set<PacketID> {
    let rules = Set(command.finding.map(\.rule)).sorted().compactMap(Rules.named)
    var reading = Reading(try open(command.capture), keys: keys)
    var findings = Findings(rules)
    _ = try reading.run { session, record in
      findings.take(session)
      if record == nil { findings.finish(session) }
    }
    var evidence: Set<PacketID> = []
    for choice in command.finding {
      let some = findings.sorted.filter { $0.rule.id == choice.rule }
      guard choice.number <= some.count else {
        throw refusal(
          (some.isEmpty
            ? "no finding of \(choice.rule)"
            : "only \(Names.count(some.count, "finding")) of \(choice.rule)")
            + "; 'hark findings' lists all")
      }
      let finding = some[choice.number - 1]
      wanted.append(WantedFinding(finding, reading.session))
      evidence.formUnion(finding.place.frames)
    }
    return evidence.filter { $0.number > 0 }
  }

  /// Reads all records into memory.
  /// - Returns: The packets that prove the findings with those that they cannot be understood without.
  private mutating func hold(
    _ capture: Capture, _ evidence: Set<PacketID>
  ) throws -> ([Int], CaptureEnd) {
    var selection = Selection(nil, nil, keys, nil)
    var kept = try KeptRecords()
    var progress = Progress(isStreaming: false)
    let end = capture.forEachRecord { record, bytes in
      progress.report(capture, every: held.count)
      _ = selection.take(record, bytes)
      let number = PacketID(UInt32(truncatingIfNeeded: selection.session.packets.count))
      kept.take(record, bytes, isSelected: evidence.contains(number), &selection)
      groups.take(selection.session)
      selection.session.dropEvents()
      if record.flags.contains(.commented) {
        comments[held.count] = capture.comments.filter { !$0.hasPrefix(RecordOrigin.mark) }
      }
      if let row = selection.session.packets[number], row.flags.contains(.directionInferred) {
        inferred[held.count] = row.direction
      }
      held.append(record, bytes)
      return true
    }
    progress.finish()
    selection.session.finish()
    kept.takeEvents(selection.session)
    groups.take(selection.session)
    groups.finish(selection.session)
    kept.close(selection.session)
    return (state(kept), end)
  }

  /// The places of the packets that are kept.
  private func state(_ kept: KeptRecords) -> [Int] {
    var selection = Selection(nil, nil, keys, nil)
    var places: [Int] = []
    for index in 0..<held.count {
      held.withRecord(index) { record, bytes in
        _ = selection.take(record, bytes)
        if selection.keeps(bytes, kept) { places.append(index) }
        selection.session.dropEvents()
      }
    }
    return places
  }

  // MARK: Writing

  private func write(
    _ part: [Int], _ capture: Capture, _ minimization: inout Minimization
  ) throws {
    guard let kind = CaptureOutput.choose(format, for: [capture.info]) else {
      throw ValidationError("there is no output format '\(format)'")
    }
    var writer = CaptureWriter(kind, of: [capture.info], application: "hark \(Hark.version)")
    let output = try OutputBytes(command.output, besides: [command.capture])
    writer.begin(to: &output.bytes)
    for index in part {
      held.withRecord(index) { record, bytes in
        var origin = RecordOrigin(capture.info, controller: record.controller)
        origin.comments = comments[index] ?? []
        origin.inferred = inferred[index]
        _ = writer.append(record, bytes, origin, to: &output.bytes)
      }
    }
    let bytes = output.bytes
    try output.finish()
    for sentence in writer.losses.sentences { Console.complain("\(name): \(sentence)") }
    if command.output != "-" { try prove(&minimization, bytes) }
  }

  /// Reads what was written, to be sure that it shows what it is to show.
  private func prove(_ minimization: inout Minimization, _ bytes: [UInt8]) throws {
    var written = HeldCapture()
    do {
      _ = try Capture(bytes: bytes, name: command.output).forEachRecord { record, bytes in
        written.append(record, bytes)
        return true
      }
    } catch {
      Console.complain("\(error)")
      throw ExitCode.failure
    }
    guard minimization.isShown(in: written) else {
      Console.complain(
        "\(name): does not show \(shown), as its format cannot store the necessary data; write it in "
          + "the format of the capture")
      throw ExitCode.failure
    }
  }

  /// How far it is, on a terminal.
  private final class Tries {
    private var progress = Progress(isStreaming: false)
    private let name: String

    init(_ name: String) { self.name = name }

    func report(_ tries: Int, _ packets: Int) {
      progress.report {
        "\(name): \(Names.count(packets, "packet")), \(Names.count(tries, "try", "tries"))"
      }
    }
  }
}
