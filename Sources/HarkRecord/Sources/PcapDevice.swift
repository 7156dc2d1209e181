import CPcap
import HarkCapture
import HarkCore
import HarkPlatform

/// A device that libpcap opens: `bluetooth0` and so on (one controller), `bluetooth-monitor`, and
/// `usbmon1` and so on (the controllers of one bus).
@safe final class PcapDevice: RecordSource {
  let name: String
  let descriptor: Int32
  private(set) var warning: String?
  private let handle: OpaquePointer
  private let link: Int32
  private var isMonitor: Bool { link == DLT_BLUETOOTH_LINUX_MONITOR }
  private var usb = USBPackets()
  private var drops: UInt32 = 0

  /// Opens a device.
  /// - Parameters:
  ///   - buffer: How many bytes may wait in the kernel, where the device has such a buffer.
  init(_ name: String, buffer: Int) throws(RecordError) {
    self.name = name
    var text = [CChar](repeating: 0, count: Int(PCAP_ERRBUF_SIZE))
    guard let handle = unsafe pcap_create(name, &text) else {
      throw RecordError(name, "cannot open: \(Self.string(text))")
    }
    unsafe self.handle = unsafe handle
    unsafe pcap_set_snaplen(handle, Self.longest)
    unsafe pcap_set_immediate_mode(handle, 1)
    unsafe pcap_set_buffer_size(handle, Int32(clamping: buffer))
    let code = unsafe pcap_activate(handle)
    let problem = unsafe Self.refusal(name, code, String(cString: pcap_geterr(handle)))
    link = unsafe code < 0 ? 0 : pcap_datalink(handle)
    descriptor = unsafe code < 0 ? -1 : pcap_get_selectable_fd(handle)
    if let problem { throw problem }
    guard Self.links.contains(link) else {
      throw RecordError(
        name, "delivers \(Self.linkName(link)), not HCI packets",
        advice: "see 'hark record --list'")
    }
    guard descriptor >= 0, unsafe pcap_setnonblock(handle, 1, &text) == 0 else {
      throw RecordError(name, "cannot wait for packets: \(Self.string(text))")
    }
    var controllers = USBControllers()
    if link == DLT_USB_LINUX_MMAPPED, !controllers.isOnBus(Self.bus(name)) {
      warning = "\(name): this bus has no Bluetooth controller at present"
    }
  }

  deinit { unsafe pcap_close(handle) }

  private static let links = [
    DLT_BLUETOOTH_LINUX_MONITOR, DLT_BLUETOOTH_HCI_H4_WITH_PHDR, DLT_USB_LINUX_MMAPPED,
  ]

  /// The number of a bus in the name of its device; 0 for all.
  private static func bus(_ name: String) -> UInt16 {
    UInt16(name.drop { !$0.isNumber }) ?? 0
  }

  /// libpcap's own limit for Bluetooth.
  private static let longest: Int32 = 262_144

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func linkName(_ link: Int32) -> String {
    unsafe pcap_datalink_val_to_description(link).map { unsafe String(cString: $0) }
      ?? "link type \(link)"
  }

  /// Why a device cannot be opened, in words that help; nil if it can.
  private static func refusal(_ name: String, _ code: Int32, _ text: String) -> RecordError? {
    guard code < 0 else { return nil }
    let reason = unsafe String(cString: pcap_statustostr(code))
    switch code {
    case PCAP_ERROR_PERM_DENIED:
      let advice =
        name.hasPrefix("usbmon") ? "run 'sudo \(Privileges.executable) ...'" : Privileges.advice
      return RecordError(name, "not permitted: \(text)", advice: advice)
    case PCAP_ERROR_NO_SUCH_DEVICE:
      return RecordError(
        name, "cannot open: no such device or file",
        advice: "'hark record --list' shows the devices")
    default:
      let isGeneral = code == PCAP_ERROR || text.isEmpty
      let words = isGeneral ? (text.isEmpty ? reason : text) : "\(reason) (\(text))"
      // libpcap says neither EPERM nor EAFNOSUPPORT by a code of its own here.
      if words.contains(systemMessage(EAFNOSUPPORT)) {
        return MonitorSocket.refusal(name, EAFNOSUPPORT)
      }
      if words.contains(systemMessage(EPERM)) { return MonitorSocket.refusal(name, EPERM) }
      return RecordError(name, "cannot open: \(words)")
    }
  }

  func begin(_ waitPolicy: ReadWaitPolicy) -> BtsnoopWriter.Datalink { isMonitor ? .monitor : .h4 }

  func read(_ intake: Intake) throws(RecordError) {
    while !intake.isStopped {
      if try next(intake) { continue }
      intake.flush()
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&event, 1, -1)
    }
    let end = monotonicTime + Recorder.drain
    while monotonicTime < end, try next(intake) {}
  }

  /// Reads one packet; false when there is none for now.
  private func next(_ intake: Intake) throws(RecordError) -> Bool {
    var header: UnsafeMutablePointer<pcap_pkthdr>?
    var data: UnsafePointer<UInt8>?
    switch unsafe pcap_next_ex(handle, &header, &data) {
    case 1: break
    case 0: return false
    default:
      let text = unsafe String(cString: pcap_geterr(handle))
      throw RecordError(name, "cannot continue reading: \(text)")
    }
    guard let header = unsafe header?.pointee, let data = unsafe data else { return false }
    countDrops(intake)
    let bytes = unsafe UnsafeRawBufferPointer(start: data, count: Int(header.caplen))
    var record = CaptureRecord()
    record.time = Timestamp(
      seconds: Int64(header.ts.tv_sec), nanoseconds: Int64(header.ts.tv_usec) * 1_000)
    unsafe take(bytes, originalCount: Int(header.len), &record, intake)
    return true
  }

  /// Takes the pseudo-header off a packet: 4 bytes, big-endian in both cases (pcap/bluetooth.h).
  private func take(
    _ bytes: UnsafeRawBufferPointer, originalCount: Int, _ record: inout CaptureRecord,
    _ intake: Intake
  ) {
    guard link != DLT_USB_LINUX_MMAPPED else {
      return unsafe takeUSB(bytes, record.time, intake)
    }
    guard bytes.count >= 4 else { return }
    let packet = unsafe UnsafeRawBufferPointer(rebasing: bytes[4...])
    if isMonitor {
      let index = unsafe UInt16(bigEndian: bytes.loadUnaligned(as: UInt16.self))
      let opcode = unsafe UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      unsafe intake.append(
        HoldWindow.Entry(time: record.time, dropped: 0, opcode: opcode, index: index), packet)
      return
    }
    record.kind = unsafe packet.first.flatMap { PacketKind(rawValue: $0) } ?? .h4
    let taken = record.kind.isHCI ? 1 : 0
    if !record.kind.isHCI { record.kind = .h4 }
    record.direction = unsafe bytes[3] & 1 == 1 ? .controllerToHost : .hostToController
    record.count = packet.count - taken
    record.originalCount = max(record.count, originalCount - 4 - taken)
    unsafe intake.append(record, UnsafeRawBufferPointer(rebasing: packet[taken...]).bytes)
  }

  private func takeUSB(_ bytes: UnsafeRawBufferPointer, _ time: Timestamp, _ intake: Intake) {
    for packet in unsafe usb.take(bytes, now: monotonicTime) {
      var record = CaptureRecord()
      record.time = time
      record.kind = packet.kind
      record.direction = packet.direction
      record.count = packet.bytes.count
      record.originalCount = packet.bytes.count
      intake.append(record, packet.bytes.raw)
    }
  }

  private func countDrops(_ intake: Intake) {
    var statistics = pcap_stat()
    guard unsafe pcap_stats(handle, &statistics) == 0, statistics.ps_drop != drops else { return }
    intake.lose(Int(statistics.ps_drop &- drops))
    drops = statistics.ps_drop
  }
}
