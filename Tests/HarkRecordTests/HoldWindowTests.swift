import HarkCore
import HarkPlatform
import Testing

@testable import HarkRecord

@Suite struct HoldWindowTests {
  private func add(
    _ window: inout HoldWindow, _ time: Int64, _ name: UInt8, dropped: Int = 0
  ) {
    let entry = HoldWindow.Entry(
      time: Timestamp(microseconds: time), dropped: dropped, opcode: UInt16(name), index: 0)
    unsafe [name, name].withUnsafeBytes { unsafe window.append(entry, $0) }
  }

  /// What comes out: the name of each record, which its bytes must have too.
  private func release(_ window: inout HoldWindow, _ step: UInt64, all: Bool = false) -> [UInt16] {
    var names: [UInt16] = []
    unsafe window.release(now: 1_000_000 + step * HoldWindow.step, all: all) { entry, packet in
      #expect(packet.count == 2 && packet.allSatisfy { $0 == UInt8(entry.opcode) })
      names.append(entry.opcode)
    }
    return names
  }

  @Test func recordsAreHeldForAStepAndSorted() {
    var window = HoldWindow()
    #expect(window.wait(now: 5) == nil)
    add(&window, 20, 1)
    #expect(window.wait(now: 5) == 0)
    #expect(release(&window, 0) == [])
    #expect(window.wait(now: 1_000_000) == HoldWindow.step)
    // Late, but sent before.
    add(&window, 10, 2)
    // Not before its own step, because something earlier may still come.
    add(&window, 30, 3)
    #expect(release(&window, 1) == [2, 1])
    add(&window, 25, 4)
    #expect(release(&window, 2) == [4, 3])
    #expect(window.isEmpty)
  }

  @Test func equalTimesStayInTheOrderOfArrival() {
    var window = HoldWindow()
    for name in UInt8(21)...29 { add(&window, 10, name) }
    #expect(release(&window, 0) == [])
    for name in UInt8(30)...39 { add(&window, 10, name) }
    #expect(release(&window, 1) == Array(21...39))
  }

  /// User logging is stamped when it is read: that is no reason to take anything for late.
  @Test func userLoggingHurriesNothing() {
    var window = HoldWindow()
    add(&window, 10, 1)
    add(&window, 90, 13)
    #expect(release(&window, 0) == [])
    add(&window, 100, 2)
    add(&window, 80, 3)
    #expect(release(&window, 1) == [1])
    add(&window, 70, 4)
    #expect(release(&window, 2) == [4, 3, 13, 2])
    // It does not wait forever.
    add(&window, 110, 13)
    #expect(release(&window, 3) == [])
    #expect(release(&window, 4) == [13])
  }

  /// Nor does it come after a packet that was sent later, but read together with it.
  @Test func userLoggingStaysBeforeThePacketThatFollows() {
    var window = HoldWindow()
    add(&window, 90, 13)
    add(&window, 91, 13)
    add(&window, 10, 1)
    add(&window, 92, 13)
    #expect(release(&window, 0) == [])
    add(&window, 20, 2)
    #expect(release(&window, 1) == [13, 13, 1])
    #expect(release(&window, 2) == [13, 2])
  }

  @Test func nothingIsReleasedBetweenSteps() {
    var window = HoldWindow()
    add(&window, 10, 1)
    #expect(release(&window, 0) == [])
    #expect(release(&window, 0) == [])
    #expect(release(&window, 0, all: true) == [1])
  }

  /// Against sorting everything: records that are at most a step late come out in order, all of them.
  @Test(arguments: 0..<20)
  func lateByLessThanAStep(seed: Int) {
    var random = Mixer(state: UInt64(seed) + 1)
    var window = HoldWindow()
    var times: [Int64] = []
    var released: [Int64] = []
    func take(_ step: UInt64, all: Bool = false) {
      unsafe window.release(now: 1_000_000 + step * HoldWindow.step, all: all) { entry, _ in
        released.append(entry.time.nanoseconds)
      }
    }
    for step in UInt64(0)..<50 {
      for _ in 0..<(random.next() % 20) {
        let time = Int64(step * 10_000 + random.next() % 10_000)
        times.append(time * 1_000)
        add(&window, time, 7)
      }
      take(step)
    }
    take(50, all: true)
    #expect(released == times.sorted())
  }
}

/// A generator whose numbers are the same in each run.
struct Mixer: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state >> 33
  }
}

@Suite struct DropCounterTests {
  @Test func lossesAreBehindWhatTheBufferHeld() {
    var drops = DropCounter()
    #expect(drops.take(records: 100) == 0)
    drops.see(0)
    drops.see(5)
    // What is read now was in the buffer when it was full.
    #expect(drops.take(records: 100) == 0)
    drops.see(7)
    drops.isDrained()
    #expect(drops.take(records: 100) == 7)
    #expect(drops.take(records: 100) == 0)
    #expect(drops.takeAll() == 0)
  }

  @Test func aSocketThatIsNeverEmpty() {
    var drops = DropCounter()
    drops.see(3)
    var before = 0
    while before < 1_000 {
      let count = drops.take(records: 10)
      if count > 0 {
        #expect(count == 3)
        break
      }
      before += 1
    }
    #expect(before == 10)
  }

  @Test func theCounterWrapsAndTheEndReportsTheRest() {
    var drops = DropCounter()
    drops.see(.max - 1)
    #expect(drops.takeAll() == Int(UInt32.max - 1))
    drops.see(3)
    #expect(drops.takeAll() == 5)
  }
}

@Suite struct ControllerStateTests {
  private func entry(
    _ opcode: UInt32, _ index: UInt32, _ packet: [UInt8] = []
  ) -> ControllerState.Entry {
    ControllerState.Entry(flags: index << 16 | opcode, packet: packet)
  }

  /// Opcodes of hci_mon.h: 0 new, 1 delete, 8 open, 9 close, 10 information.
  @Test func whatIsThereIsKnown() {
    var state = ControllerState()
    for event in [
      entry(0, 0, [1]), entry(10, 0, [2]), entry(8, 0), entry(0, 1), entry(8, 1), entry(9, 0),
      entry(10, 0, [3]), entry(1, 1), entry(0, 2),
    ] { state.note(event) }
    #expect(state.entries == [entry(0, 0, [1]), entry(10, 0, [3]), entry(0, 2)])
    state.note(entry(0, 0, [4]))
    #expect(state.entries == [entry(0, 2), entry(0, 0, [4])])
  }

  @Test func memoryIsBounded() {
    var state = ControllerState()
    for index in UInt32(0)..<10_000 { state.note(entry(0, index)) }
    #expect(state.entries.count < 1_000)
    state.note(entry(10, 9_999, [UInt8](repeating: 0, count: 100_000)))
    #expect(state.entries.allSatisfy { $0.packet.count < 1_000 })
  }

  @Test func onlyTheseConcernIt() {
    let concerned = (UInt32(0)...20).filter { ControllerState.concerns(7 << 16 | $0) }
    #expect(concerned == [0, 1, 8, 9, 10])
  }
}

@Suite struct MonitorRefusalTests {
  /// Each says what to do.
  @Test(arguments: [
    (EAFNOSUPPORT, "the kernel offers no Bluetooth here", "sudo modprobe bluetooth"),
    (EPERM, "not permitted", "sudo setcap cap_net_raw,cap_net_admin+ep /"),
    (EINVAL, "no monitor channel", "needs Linux 3.4"),
  ])
  func advice(code: Int32, problem: String, advice: String) throws {
    let error = MonitorSocket.refusal("monitor", code)
    #expect(error.description.hasPrefix("monitor: \(problem)") || error.problem.contains(problem))
    #expect(try #require(error.advice).contains(advice))
  }
}
