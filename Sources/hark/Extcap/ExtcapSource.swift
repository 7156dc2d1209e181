import HarkCapture
import HarkPresentation

/// What Wireshark can choose: one of hark's sources.
enum ExtcapSource: Equatable {
  case monitor
  case stream
  /// A device that the recorder knows beside the monitor, by its name there: `usbmon1`.
  case device(String)

  /// Those that this machine has.
  static var all: [(source: ExtcapSource, title: String)] {
    var all = [
      (monitor, "hark: Bluetooth controllers of this machine"),
      (stream, "hark: Bluetooth stream, file, socket or serial line"),
    ]
    switch Machine.recorder.state {
    case .missing: all[0].1 += unopened("\(RecorderProgram.name) is not in hark's folder")
    case .broken(let words): all[0].1 += unopened(words)
    case .working(let devices):
      // Sniffers are streams with options.
      for device in devices where !device.name.contains(":") {
        let problem = device.problem.map(unopened) ?? ""
        if device.name == LiveSource.monitor {
          all[0].1 += problem
        } else {
          let what = device.description.isEmpty ? "" : ": \(device.description)"
          all.append((.device(device.name), "hark: \(device.name)\(what)\(problem)"))
        }
      }
    }
    return all
  }

  private static func unopened(_ reason: String) -> String { "; cannot be opened: \(reason)" }

  /// What Wireshark calls it.
  var name: String {
    "hark-" + (recorded ?? "stream")
  }

  /// Its name for hark-record; nil if it is not one of its sources.
  var recorded: String? {
    switch self {
    case .monitor: LiveSource.monitor
    case .stream: nil
    case .device(let name): name
    }
  }

  /// The link type, its name and what it is. https://www.tcpdump.org/linktypes.html
  private var link: (number: Int, name: String, title: String) {
    self == .monitor || self == .device("bluetooth-monitor")
      ? (254, "BLUETOOTH_LINUX_MONITOR", "Bluetooth Linux Monitor")
      : (201, "BLUETOOTH_HCI_H4_WITH_PHDR", "Bluetooth HCI UART with direction")
  }

  /// One sentence of the extcap language for each source.
  static var interfaces: String {
    "extcap {version=\(Hark.version)}{display=hark}\n"
      + all.map { source, title in
        "interface {value=\(source.name)}{display=\(value(title))}\n"
      }.joined()
  }

  /// A text without what would end it.
  private static func value(_ text: String) -> String {
    text.filter { !"{}".contains($0) && !$0.isNewline }
  }

  var links: String { "dlt {number=\(link.number)}{name=\(link.name)}{display=\(link.title)}\n" }

  /// What can be set in Wireshark's window, by the options of `hark extcap`.
  var configuration: String {
    var arguments: [String] = []
    var values = ""
    func add(_ text: String) { arguments.append("arg {number=\(arguments.count)}\(text)") }
    if self == .stream {
      add(
        "{call=--source}{display=Source}{type=string}{required=true}"
          + "{placeholder=tcp:localhost:8872}"
          + "{tooltip=A file that grows, a FIFO, unix:PATH, tcp:HOST:PORT, a serial line, nrf:DEVICE or sniffle:DEVICE}"
      )
      let number = arguments.count
      add(
        "{call=--as}{display=Stream format}{type=selector}"
          + "{tooltip=Detected automatically for capture files}")
      let formats =
        [("auto", "a capture: btsnoop, PacketLogger, pcap, pcapng")]
        + StreamFormat.allCases.map { ($0.rawValue, $0.title) }
      for (name, title) in formats {
        values +=
          "value {arg=\(number)}{value=\(name)}{display=\(title)}"
          + "{default=\(name == "auto")}\n"
      }
    }
    add(
      "{call=--keys}{display=Key file}{type=fileselect}{mustexist=true}"
        + "{tooltip=Private keys of accessories: hark shows decrypted messages as comments}")
    add(
      "{call=--dissectors}{display=Folder of layouts and profiles}{type=string}"
        + "{tooltip=Describe private protocols}")
    add(
      "{call=--time-zone}{display=Time zone of the source}{type=string}{placeholder=Europe/Berlin}"
        + "{tooltip=The zone of its clock if not UTC: a name, or +02:00}")
    add(
      "{call=--no-comments}{display=No comments}{type=boolflag}{default=false}"
        + "{tooltip=Omit the comments from hark's timeline}")
    return arguments.map { $0 + "\n" }.joined() + values
  }
}

extension StreamFormat {
  fileprivate var title: String {
    switch self {
    case .h4: "H4 packets, one direction"
    case .h5: "H5 frames, one direction"
    case .monitor: "data for btmon --server"
    case .tty: "data for btmon --tty"
    case .nrf: "data of an nRF Sniffer"
    case .sniffle: "data of a Sniffle"
    }
  }
}
