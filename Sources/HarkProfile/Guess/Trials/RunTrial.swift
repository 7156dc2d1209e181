/// Whether values of the greatest size come in runs that end with a shorter one, as the parts of long
/// messages do that are cut to what a packet holds.
struct RunTrial {
  /// Of the full values.
  let size: Int
  let runs: Int
  /// How many values are in runs.
  let values: Int

  private static let fewestRuns = 2
  /// A value that is shorter is no full packet.
  private static let smallest = 16

  static func find(_ samples: Samples) -> RunTrial? {
    guard samples.longest >= smallest else { return nil }
    var (runs, values) = (0, 0)
    for isToServer in [false, true] {
      var length = 0
      for sample in samples.all where sample.isStep && sample.toServer == isToServer {
        if sample.bytes.count == samples.longest {
          length += 1
          continue
        }
        if length >= 2 {
          runs += 1
          values += length + 1
        }
        length = 0
      }
    }
    // Chance makes no two values of a size that nothing exceeds, twice; one size for all makes no run.
    return runs >= fewestRuns ? RunTrial(size: samples.longest, runs: runs, values: values) : nil
  }
}
