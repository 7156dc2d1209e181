import CPlatform

/// How much memory this process holds.
public struct ResidentMemory: Sendable {
  #if !canImport(Darwin)
    /// Opened once: a program that gave up its rights may not open files any more.
    private let statistics = unsafe open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
  #endif

  public init() {}

  /// In bytes; 0 if the system does not show it.
  public var bytes: Int {
    #if canImport(Darwin)
      Int(platform_resident())
    #else
      pages * Int(sysconf(Int32(_SC_PAGESIZE)))
    #endif
  }

  /// The most that this process held at any time, in bytes; 0 if the system does not report it. A copy of a process
  /// starts with what its parent held when it was copied.
  public static var most: Int {
    var usage = rusage()
    #if canImport(Darwin)
      return unsafe getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0
    #else
      let own = __rusage_who_t(RUSAGE_SELF.rawValue)
      return unsafe getrusage(own, &usage) == 0 ? usage.ru_maxrss * 1_024 : 0
    #endif
  }

  #if !canImport(Darwin)
    /// proc(5)
    private var pages: Int {
      // In place: it is asked for with each piece that is read of a capture.
      var text = InlineArray<96, UInt8>(repeating: 0)
      var span = text.mutableSpan
      let count = unsafe span.withUnsafeMutableBytes {
        unsafe pread(statistics, $0.baseAddress, $0.count, 0)
      }
      // Total and resident pages, with a blank between.
      var (words, pages) = (0, 0)
      for index in 0..<max(0, min(count, text.count)) where words < 2 {
        let byte = text[index]
        if byte == UInt8(ascii: " ") {
          words += 1
        } else if words == 1 {
          guard 0x30...0x39 ~= byte, pages <= Int.max >> 24 else { return 0 }
          pages = pages * 10 + Int(byte - 0x30)
        }
      }
      return words < 2 ? 0 : pages
    }
  #endif
}
