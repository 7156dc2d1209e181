import CBluetooth
import CLinux
import HarkCapture
import HarkCore
import HarkPlatform

/// The Linux monitor channel: what all controllers of this machine and their host say, with the
/// kernel's time stamps. Kernel, net/bluetooth/hci_sock.c and include/net/bluetooth/hci_mon.h.
@safe final class MonitorSocket: RecordSource {
  let name = "monitor"
  let descriptor: Int32
  private(set) var warning: String?

  /// Bytes in front of a packet: opcode, index and length, 2 each, little-endian.
  static let headerCount = 6
  /// Messages per system call.
  private static let batch = 64
  /// The longest message: the header's length has 16 bits.
  private static let longest = headerCount + 0xFFFF + 1
  /// A control message with one timeval.
  private static let controlCount = 64

  private let messages: UnsafeMutableBufferPointer<linux_mmsghdr>
  private let vectors: UnsafeMutableBufferPointer<iovec>
  private let packets: UnsafeMutableRawBufferPointer
  private let controls: UnsafeMutableRawBufferPointer
  private let buffer: Int
  private var held = HoldWindow()
  private var drops = DropCounter()
  private var lastTime = Timestamp(nanoseconds: 0)

  /// Opens the channel.
  /// - Parameters:
  ///   - buffer: How many bytes may wait in the kernel, whose bookkeeping counts too: a record of 27
  ///     bytes takes 768.
  init(buffer: Int) throws(RecordError) {
    descriptor = try Self.open()
    unsafe messages = .allocate(capacity: Self.batch)
    unsafe vectors = .allocate(capacity: Self.batch)
    unsafe packets = .allocate(byteCount: Self.batch * Self.longest, alignment: 16)
    unsafe controls = .allocate(byteCount: Self.batch * Self.controlCount, alignment: 16)
    // The kernel doubles what it is given, for its bookkeeping.
    var size = Int32(clamping: buffer / 2)
    let count = socklen_t(MemoryLayout<Int32>.size)
    if unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &size, count) != 0 {
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, count)
    }
    var got: Int32 = 0
    var length = count
    unsafe getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &got, &length)
    self.buffer = Int(got)
    if Int(got) < buffer {
      warning =
        "monitor: the kernel buffers only \(got / 1_024) KiB instead of \(buffer / 1_024); "
        + "a larger buffer needs cap_net_admin: \(Privileges.advice)"
    }
  }

  deinit {
    close(descriptor)
    unsafe messages.deallocate()
    unsafe vectors.deallocate()
    unsafe packets.deallocate()
    unsafe controls.deallocate()
  }

  private static func open() throws(RecordError) -> Int32 {
    let name = "monitor"
    let socket = socket(AF_BLUETOOTH, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue), BTPROTO_HCI)
    guard socket >= 0 else { throw refusal(name, errno) }
    var address = sockaddr_hci(
      hci_family: sa_family_t(AF_BLUETOOTH), hci_dev: UInt16(HCI_DEV_NONE),
      hci_channel: UInt16(HCI_CHANNEL_MONITOR))
    var isOn: Int32 = 1
    unsafe setsockopt(
      socket, SOL_SOCKET, SO_TIMESTAMP, &isOn, socklen_t(MemoryLayout<Int32>.size))
    let bound = unsafe withUnsafeBytes(of: &address) { bytes in
      unsafe bytes.baseAddress.map {
        unsafe bind(
          socket, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
      } ?? -1
    }
    guard bound == 0 else {
      let code = errno
      close(socket)
      throw refusal(name, code)
    }
    return socket
  }

  /// Why the kernel does not give the channel, and what to do.
  static func refusal(_ name: String, _ code: Int32) -> RecordError {
    switch code {
    case EAFNOSUPPORT, EPROTONOSUPPORT:
      RecordError(
        name, "the kernel offers no Bluetooth here: \(systemMessage(code))",
        advice: "try 'sudo modprobe bluetooth'; containers have no Bluetooth: record on the host")
    case EPERM, EACCES:
      RecordError(
        name, "not permitted: \(systemMessage(code))", advice: Privileges.advice)
    case EINVAL, ENODEV:
      RecordError(
        name, "this kernel has no monitor channel: \(systemMessage(code))",
        advice: "it needs Linux 3.4 or later")
    default: RecordError(name, errno: code, "cannot open")
    }
  }

  func begin(_ waitPolicy: ReadWaitPolicy) -> BtsnoopWriter.Datalink { .monitor }

  func read(_ intake: Intake) throws(RecordError) {
    while !intake.isStopped {
      try receive(intake, wait: true)
      release(intake)
    }
    // What arrived before the end belongs to the recording; what arrives meanwhile could continue.
    let end = monotonicTime + Recorder.drain
    while try receive(intake, wait: false), monotonicTime < end { release(intake) }
    release(intake, all: true)
    drops.see(dropCount)
    intake.lose(drops.takeAll())
  }

  private func release(_ intake: Intake, all: Bool = false) {
    let now = monotonicTime
    if held.wait(now: now) == 0 || all {
      unsafe held.release(now: now, all: all) { unsafe intake.append($0, $1) }
      intake.flush()
    }
  }

  /// Reads once as much as there is, up to a batch.
  /// - Returns: Whether there was something.
  @discardableResult
  private func receive(_ intake: Intake, wait: Bool) throws(RecordError) -> Bool {
    if wait {
      let rest = held.wait(now: monotonicTime)
      var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&event, 1, rest.map { Int32($0 / 1_000_000 + 1) } ?? -1)
    }
    prepare()
    let count = unsafe Int(
      linux_recvmmsg(descriptor, messages.baseAddress, UInt32(Self.batch)))
    guard count >= 0 else {
      switch errno {
      case EAGAIN: drops.isDrained()
      case EINTR: break
      default: throw RecordError(name, errno: errno, "cannot continue reading")
      }
      return false
    }
    for index in 0..<count { take(index) }
    drops.see(dropCount)
    if count < Self.batch { drops.isDrained() }
    return count > 0
  }

  private func prepare() {
    for index in 0..<Self.batch {
      unsafe vectors[index] = iovec(
        iov_base: packets.baseAddress.map { unsafe $0 + index * Self.longest },
        iov_len: Self.longest)
      var header = unsafe msghdr()
      unsafe header.msg_iov = vectors.baseAddress.map { unsafe $0 + index }
      unsafe header.msg_iovlen = 1
      unsafe header.msg_control = controls.baseAddress.map { unsafe $0 + index * Self.controlCount }
      unsafe header.msg_controllen = Self.controlCount
      unsafe (messages.baseAddress.unsafelyUnwrapped + index).initialize(
        to: linux_mmsghdr(header: header, count: 0))
    }
  }

  /// Takes one message of the batch.
  private func take(_ index: Int) {
    let start = index * Self.longest
    let count = unsafe Int(messages[index].count)
    guard count >= Self.headerCount, count <= Self.longest else { return }
    let message = unsafe UnsafeRawBufferPointer(rebasing: packets[start..<(start + count)])
    // User logging has no time of its own in old kernels: then it is that of the record before.
    lastTime = time(index) ?? lastTime
    let entry = unsafe HoldWindow.Entry(
      time: lastTime, dropped: drops.take(records: buffer / 512),
      opcode: UInt16(littleEndian: message.loadUnaligned(as: UInt16.self)),
      index: UInt16(littleEndian: message.loadUnaligned(fromByteOffset: 2, as: UInt16.self)))
    unsafe held.append(entry, UnsafeRawBufferPointer(rebasing: message[Self.headerCount...]))
  }

  /// The kernel's time stamp: a cmsghdr (length in 8 bytes, level and type in 4) and a timeval.
  private func time(_ index: Int) -> Timestamp? {
    let header = MemoryLayout<cmsghdr>.size
    let count = unsafe Int(messages[index].header.msg_controllen)
    guard count >= header + MemoryLayout<timeval>.size, count <= Self.controlCount else {
      return nil
    }
    let start = index * Self.controlCount
    let control = unsafe controls.loadUnaligned(fromByteOffset: start, as: cmsghdr.self)
    guard control.cmsg_level == SOL_SOCKET, control.cmsg_type == SO_TIMESTAMP else {
      return nil
    }
    let stamp = unsafe controls.loadUnaligned(fromByteOffset: start + header, as: timeval.self)
    return Timestamp(
      seconds: Int64(stamp.tv_sec), nanoseconds: Int64(stamp.tv_usec) * 1_000)
  }

  /// How many packets this socket has lost, by the only counter there is. It wraps.
  private var dropCount: UInt32 {
    var words = [UInt32](repeating: 0, count: SK_MEMINFO_VARS)
    var length = socklen_t(words.count * MemoryLayout<UInt32>.size)
    guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, &words, &length) == 0 else {
      return 0
    }
    return words[SK_MEMINFO_DROPS]
  }
}
