/// What the parameters of an LE connection may be. Core Specification, Vol 4, Part E, 7.8.12 and
/// 7.8.18; Vol 3, Part A, 4.20; Vol 6, Part B, 4.5.1 and 4.5.2.
public enum ConnectionTiming {
  public enum Fault: Sendable, CaseIterable {
    case interval, order, latency, timeout, timeoutForLatency

    /// What is said about the value.
    public var remark: StaticString {
      switch self {
      case .interval: "the interval is outside the range 7.5 ms to 4 s"
      case .order: "the shortest interval is longer than the longest"
      case .latency: "the latency is more than 499"
      case .timeout: "the supervision timeout is outside the range 100 ms to 32 s"
      case .timeoutForLatency:
        "the supervision timeout is not longer than 2 × (latency + 1) × interval"
      }
    }
  }

  /// - Parameters:
  ///   - shortest: As `longest`, in units of 1.25 ms: both are the interval in force, or what is asked for.
  ///   - timeout: In units of 10 ms.
  ///   - hasAny: Whether 0xFFFF stands for any value.
  public static func faults(
    shortest: UInt16, longest: UInt16, latency: UInt16, timeout: UInt16, hasAny: Bool = false
  ) -> [Fault] {
    func isAny(_ value: UInt16) -> Bool { hasAny && value == 0xFFFF }
    var faults: [Fault] = []
    let isOutside = [shortest, longest].contains { !isAny($0) && !(6...3_200).contains($0) }
    if isOutside { faults.append(.interval) }
    if shortest > longest, !isAny(shortest) { faults.append(.order) }
    if latency > 499 { faults.append(.latency) }
    if !isAny(timeout), !(10...3_200).contains(timeout) { faults.append(.timeout) }
    // Twice 1.25 ms and 10 ms are 1 to 4. What is wrong already need not be compared.
    if faults.isEmpty, !isAny(timeout), !isAny(longest),
      UInt32(timeout) * 4 <= UInt32(longest) * (UInt32(latency) + 1)
    {
      faults.append(.timeoutForLatency)
    }
    return faults
  }
}

extension PDU {
  /// Notes what is wrong with the interval, or the shortest and the longest, the latency and the timeout
  /// that were just read.
  mutating func checkTiming(hasRange: Bool, hasAny: Bool = false, clause: StaticString) {
    guard Out.wantsFields else { return }
    let size = hasRange ? 8 : 6
    guard position >= size else { return }
    func value(_ back: Int) -> UInt16 {
      UInt16(truncatingIfNeeded: bytes.unsigned(at: position - back, 2))
    }
    let faults = ConnectionTiming.faults(
      shortest: value(size), longest: value(6), latency: value(4), timeout: value(2),
      hasAny: hasAny)
    for fault in faults {
      let range =
        switch fault {
        case .interval, .order: position - size..<position - 4
        case .latency: position - 4..<position - 2
        case .timeout: position - 2..<position
        case .timeoutForLatency: position - size..<position
        }
      out.note(Note(severity: .warning, text: fault.remark, range: range, clause: clause))
    }
  }
}
