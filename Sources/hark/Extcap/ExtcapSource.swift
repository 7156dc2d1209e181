import HarkCapture

/// What Wireshark can choose: one of hark's kinds of sources.
enum ExtcapSource: String, CaseIterable {
  case monitor = "hark-monitor"
  case stream = "hark-stream"

  var title: String {
    switch self {
    case .monitor: "hark: Bluetooth controllers of this machine"
    case .stream: "hark: Bluetooth stream, file, socket or serial line"
    }
  }

  /// The link type, its name and what it is. https://www.tcpdump.org/linktypes.html
  private var link: (number: Int, name: String, title: String) {
    switch self {
    case .monitor: (254, "BLUETOOTH_LINUX_MONITOR", "Bluetooth Linux Monitor")
    case .stream: (201, "BLUETOOTH_HCI_H4_WITH_PHDR", "Bluetooth HCI UART with direction")
    }
  }

  /// One sentence of the extcap language for each source.
  static var interfaces: String {
    "extcap {version=\(Hark.version)}{display=hark}\n"
      + allCases.map { source in
        let problem = source.problem.map { "; cannot be opened: \($0)" } ?? ""
        return "interface {value=\(source.rawValue)}{display=\(source.title)\(problem)}\n"
      }.joined()
  }

  /// Why it cannot be opened, as far as that is known; without what would end a value.
  private var problem: String? {
    guard self == .monitor else { return nil }
    let words =
      switch Machine.recorder.state {
      case .missing: "\(RecorderProgram.name) is not beside hark"
      case .broken(let words): words
      case .working(let devices): devices.first { $0.name == LiveSource.monitor }?.problem
      }
    return words.map { $0.filter { !"{}".contains($0) && !$0.isNewline } }
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
          + "{tooltip=A file that grows, a FIFO, unix:PATH, tcp:HOST:PORT, or a serial line}")
      let number = arguments.count
      add(
        "{call=--as}{display=What comes}{type=selector}"
          + "{tooltip=Captures say themselves what they are}")
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
        + "{tooltip=Private keys of accessories: their messages are shown as comments}")
    add(
      "{call=--dissectors}{display=Folder of layouts and profiles}{type=string}"
        + "{tooltip=Of private protocols}")
    add(
      "{call=--no-comments}{display=No comments}{type=boolflag}{default=false}"
        + "{tooltip=Leave out what hark's timeline tells of packets}")
    return arguments.map { $0 + "\n" }.joined() + values
  }
}

extension StreamFormat {
  fileprivate var title: String {
    switch self {
    case .h4: "H4 packets of one direction"
    case .h5: "H5 frames of one direction"
    case .monitor: "what btmon --server takes"
    case .tty: "what btmon --tty takes"
    }
  }
}
