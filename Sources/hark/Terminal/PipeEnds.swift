import ArgumentParser
import HarkPlatform

/// The two ends of a new pipe; programs that are started do not get them.
struct PipeEnds {
  let output: Int32
  let input: Int32

  /// - Parameter purpose: What it is for, in a complaint: `wait for signals`.
  /// - Throws: `ExitCode.failure`, after it reports why on standard error.
  init(to purpose: String) throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      Console.complain("cannot \(purpose): \(unsafe String(cString: strerror(errno)))")
      throw ExitCode.failure
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, input) = (ends[0], ends[1])
  }
}
