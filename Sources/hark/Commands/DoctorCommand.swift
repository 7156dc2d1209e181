import ArgumentParser
import HarkCapture
import HarkPresentation
import HarkSession

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", _superCommandName: Hark.name,
    abstract: "Diagnose recording problems and incomplete captures.",
    usage: "hark doctor [<capture>] [<options>]",
    discussion: """
      Without a capture: can this machine record Bluetooth traffic? Checks the kernel, controllers, \
      hark-record and its permissions, and useful other programs. Tests whether hark reads captures in \
      a sandbox: seccomp blocks system calls, Landlock blocks files not named on the command line. \
      HARK_SANDBOX=off in the environment turns both off.

      With a capture: did the recorder leave out something important? Detects a missing or \
      expired logging profile on an iPhone, a filtered snoop log on Android, a clock that shows \
      local time, lost packets and damage.

      After each problem, hark prints the command that fixes it; info marks optional improvements.

      Examples:
        hark doctor
        hark doctor phone.pklg
        hark doctor sniffed.pcap --keys acme.harkkeys
        hark doctor btsnoop_hci.log -f json | jq -r '.checks[].fix // empty'

      Exit codes:
        0   no error; there may be warnings
        1   at least one error: something cannot be recorded, or the capture lacks
            something, is truncated or cannot be read
        64  the command line is wrong
      """)

  @Argument(
    help: "A capture, or - for standard input; without one, hark checks this machine.",
    completion: .file())
  var capture: String?

  @OptionGroup(title: "Keys") var keys: KeyOptions

  @Option(parsing: .unconditional, help: ClockZone.help, transform: ClockZone.named)
  var timeZone: ClockZone?

  @Option(parsing: .unconditional, help: MemoryLimit.help, transform: MemoryLimit.size)
  var memory: Int?

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    MemoryLimit.begin(memory)
    guard capture == nil else { return }
    let idle: [String?] = [
      timeZone == nil ? nil : "--time-zone", form == nil ? nil : "--as",
      memory == nil ? nil : "--memory", keys.areNamed ? "--keys" : nil,
    ]
    if let option = idle.compactMap({ $0 }).first {
      throw ValidationError("\(option) needs a capture")
    }
  }

  func run() throws {
    let (subject, checks) = try capture.map(check) ?? ("This machine", Machine.facts.checks)
    let report = DoctorReport(checks)
    var out = Output(isImmediate: false)
    if output.format == .json {
      report.writeJSON(subject, to: &out.text)
    } else {
      report.write(subject, style: output.style, to: &out.text)
    }
    try out.flush()
    throw report.hasErrors ? ExitCode.failure : ExitCode.success
  }

  private func check(_ path: String) throws -> (String, [DoctorCheck]) {
    let ring = try keys.ring()
    Confinement.enterAfterOpening(Connection.isMeant(path) ? .connecting : .none)
    let capture: Capture
    do {
      capture = try Capture(path: path, isText: form == .text)
    } catch {
      // The name is above, and the advice has a separate line.
      var problem = error
      problem.advice = nil
      let text = "\(problem)".dropFirst(problem.name.count + 2)
      let verb = ["cannot open", "cannot read"].first { text.hasPrefix($0 + ": ") }
      let sentence =
        verb.map { "hark \($0) it\(text.dropFirst($0.count))" }
        ?? (text.hasPrefix("cannot ") ? "hark \(text)" : "hark cannot read it: \(text)")
      return (path, [DoctorCheck("whole", .error, sentence, fix: error.advice)])
    }
    capture.zone = timeZone
    var session = Session(keys: ring)
    var health = CaptureHealth()
    var progress = Progress(isStreaming: false)
    let end = capture.forEachRecord { record, bytes in
      progress.report(capture, every: session.packets.count)
      session.index(record, bytes)
      session.dropEvents()
      health.take(record, bytes)
      return true
    }
    progress.finish()
    return (capture.name, health.checks(capture.info, end, session))
  }
}
