import ArgumentParser

/// Runs `hark-record`, which is beside this program: privileged code decodes nothing.
struct RecordCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", _superCommandName: Hark.name,
    abstract: "Record Bluetooth traffic to files.",
    discussion: """
      Records the traffic of this machine, or a stream. Runs hark-record, a small separate program without \
      decoders that gives up its privileges once its source is open. 'hark record --help' shows its options. \
      With -Y, --device, --service or --quiet-iso, only matching packets are recorded: see 'hark record -Y x --help'.

      Examples:
        sudo hark record -w trace.btsnoop
        sudo hark record -w trace.btsnoop --rotate-size 100M --rotate-count 10
        idevicebtlogger -f packetlogger - | hark record - -w phone.btsnoop
        hark record nrf:/dev/ttyACM0 -w air.pcapng
      """)

  @Argument(parsing: .captureForPassthrough, help: "Arguments of hark-record.")
  var arguments: [String] = []

  func run() throws {
    guard FilteredRecordCommand.isMeant(arguments) else {
      try RecorderProgram.become(arguments)
    }
    var command = try FilteredRecordCommand.parseAsRoot(arguments)
    try command.run()
  }
}
