import ArgumentParser
import HarkPlatform

/// Options of commands that read many captures.
struct ManyOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The number of captures to read at once. Default: one per processor.", valueName: "number")
  )
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "With several captures, give up on one after this many seconds.", valueName: "seconds"))
  var timeLimit: Int?

  @Option(name: .customLong("as"), help: CaptureForm.help) var form: CaptureForm?

  func validate() throws {
    if let jobs, !(1...1_024).contains(jobs) {
      throw ValidationError("--jobs takes a number from 1 to 1024.")
    }
    if let timeLimit, !(1...1_000_000).contains(timeLimit) {
      throw ValidationError("--time-limit takes a number of seconds, at least 1.")
    }
  }

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
