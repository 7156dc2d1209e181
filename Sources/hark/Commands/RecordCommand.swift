import ArgumentParser

/// Hands over to `hark-record`, which lies beside this program: what has privileges decodes nothing.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", _superCommandName: Hark.name,
    abstract: "Record Bluetooth traffic of this machine, or of a stream, into files.",
    discussion: """
      Runs hark-record, a small program of its own without any decoder, which gives up its \
      privileges once it has opened its source. 'hark record --help' shows its options. With -Y, \
      --device, --service or --quiet-iso what matches is recorded: 'hark record -Y x --help'.

      Examples:
        sudo hark record -w trace.btsnoop
        sudo hark record -w trace.btsnoop --rotate-size 100M --rotate-count 10
        idevicebtlogger -f packetlogger - | hark record - -w phone.btsnoop
      """)

  @Argument(parsing: .captureForPassthrough, help: "What hark-record takes.")
  var arguments: [String] = []

  func run() throws {
    guard FilteredRecordCommand.isMeant(arguments) else {
      try RecorderProgram.become(arguments)
    }
    FilteredRecordCommand.main(arguments)
  }
}
