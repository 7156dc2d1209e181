#if !os(Linux)
  /// A program cannot give up the like for good with public interfaces of macOS: nothing is refused there, and
  /// `hark doctor` reports it.
  extension Sandbox {
    public static var state: State { State() }

    @discardableResult
    public static func refuseCalls(
      _ network: Network = .none, startsPrograms: Bool = false, allThreads: Bool = true
    ) -> Bool { false }

    @discardableResult
    public static func refuseReading(
      but paths: [String], lists: [String] = [], connects: Bool = false,
      temporary: String = temporaryFolder
    ) -> Int { 0 }

    @discardableResult
    public static func refuseWriting(
      but paths: [String], files written: [String] = [], temporary: String = temporaryFolder
    ) -> Int { 0 }
  }
#endif
