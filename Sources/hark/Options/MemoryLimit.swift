import ArgumentParser
import HarkCapture
import HarkPlatform

/// How much memory reading a capture may take.
enum MemoryLimit {
  static var help: ArgumentHelp {
    ArgumentHelp(
      "Limit memory use: 2G. Default: 512 MiB, and four bytes more for each byte of the capture file beyond 10 MB.",
      valueName: "size")
  }

  static func size(_ text: String) throws -> Int {
    do throws(RecordingAmount.Mistake) {
      return try RecordingAmount.memory.value(of: text)
    } catch {
      throw OptionMistake(error.text)
    }
  }

  /// Ends the command if a capture cannot be read completely: the result for a part would be wrong.
  static func refuseParts() {
    MemoryBudget.refuse { problem in
      Console.complain(problem)
      Console.complain("nothing was written")
      HarkPlatform.exit(ExitCode.failure.rawValue)
    }
  }

  /// The limit applies to the process, as its memory does.
  static func begin(_ memory: Int?) {
    if let memory { MemoryBudget.begin(memory, grows: false) }
  }
}
