import HarkCapture
import HarkPlatform
import HarkPresentation
import HarkSystem

/// This machine, as `hark doctor` looks at it.
enum Machine {
  static var facts: MachineFacts {
    var facts = MachineFacts()
    facts.bluetoothProblem = Platform.bluetoothProblem
    facts.controllers = (Directory.names(in: "/sys/class/bluetooth") ?? []).filter {
      // Links have their controller's name in front: `hci0:64`.
      $0.hasPrefix("hci") && !$0.contains(":")
    }
    let blocks = (Directory.names(in: "/sys/class/rfkill") ?? []).map { "/sys/class/rfkill/" + $0 }
      .filter { WholeFile.firstWord(of: $0 + "/type") == "bluetooth" }
    facts.isBlocked = blocks.contains { WholeFile.firstWord(of: $0 + "/soft") == "1" }
    facts.isBlockedByHardware = blocks.contains { WholeFile.firstWord(of: $0 + "/hard") == "1" }
    (facts.recorder, facts.recorderPath) = recorder
    facts.programs = Set(MachineFacts.wantedPrograms.filter(ProgramOutput.isThere))
    facts.isInWireshark = ExtcapLauncher.isInstalled
    // Last: no program can be started from here on.
    Confinement.enterAfterOpening(.none)
    let state = Sandbox.state
    (facts.refusesCalls, facts.landlock) = (state.hasFilter, state.landlock)
    facts.isUnconfined = Sandbox.isOff
    return facts
  }

  static var recorder: (state: MachineFacts.Recorder, path: String) {
    let path = RecorderProgram.path
    guard path != RecorderProgram.name || ProgramOutput.isThere(path) else {
      return (.missing, RecorderProgram.beside)
    }
    let list = ProgramOutput(path, ["--list=tsv"], withErrors: true)
    guard list.status == 0 else {
      let words = list.text.split(separator: "\n").first.map(String.init)
      return (
        .broken(words ?? "its exit code was \(list.status.map(String.init) ?? "unknown")"), path
      )
    }
    return (.working(devices(list.text)), path)
  }

  /// What `hark-record --list=tsv` says.
  static func devices(_ text: String) -> [MachineFacts.Device] {
    text.split(separator: "\n").compactMap { line in
      let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count >= 5 else { return nil }
      let texts = columns.map { $0.isEmpty ? nil : $0 }
      return MachineFacts.Device(
        name: columns[0], description: columns[1], problem: texts[2], advice: texts[3],
        warning: texts[4])
    }
  }
}
