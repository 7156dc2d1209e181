import ArgumentParser
import HarkPlatform

/// Options of commands that read many captures.
struct ManyOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The number of captures to read at once. Default: one per processor.", valueName: "number"),
    transform: OptionNumber.of("--jobs", 1...1_024, "a number from 1 to 1024"))
  var jobs: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With several captures, give up on one after this many seconds.", valueName: "seconds"),
    transform: OptionNumber.of(
      "--time-limit", 1...1_000_000, "a number of seconds from 1 to 1000000"))
  var timeLimit: Int?

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  var pool: CaptureJobs {
    CaptureJobs(jobs: jobs ?? Platform.processors, timeLimit: timeLimit)
  }
}

/// Options of commands that read one capture, or several one after the other.
struct ManyCaptureOptions: ParsableArguments {
  static let help = ArgumentHelp(
    "The captures: files, folders, quoted patterns, @LIST, or - for standard input.")

  @Argument(help: help, completion: .file()) var captures: [String]
}
