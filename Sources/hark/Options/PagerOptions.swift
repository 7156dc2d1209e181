import ArgumentParser

/// Whether long output goes through a pager on a terminal: see `Pager`, which reads it before all others.
struct PagerOptions: ParsableArguments {
  static let flag = "--no-pager"

  @Flag(
    name: .customLong("no-pager"),
    help: "Print without a pager: HARK_PAGER, PAGER or less, on a terminal only.")
  var isOff = false
}
