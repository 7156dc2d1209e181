import CSodium
import Synchronization

/// Guarded memory for many small secrets, or for a single large one. A page of its own for each key would exhaust
/// the mappings that a process may have long before its memory.
///
/// The memory is readable while at least one of its secrets is in use: uses are counted.
@safe final class SecretSlab: @unchecked Sendable {
  /// A secret of up to this many bytes shares a slab.
  static let slotSize = 32
  /// What fits beside libsodium's canary into four pages.
  private static let slotCount = 511
  private static let batchSize = 64

  let isGuarded: Bool
  let isLocked: Bool
  private let base: UnsafeMutableRawPointer
  private let size: Int
  private let state: Mutex<State>

  private struct State {
    var readers = 0
    var writers = 0
    /// Slots that were never used begin here.
    var fresh = 0
    /// Zeroed, for the next secrets.
    var released: [Int] = []
    /// Not zeroed yet.
    var waiting: [Int] = []
  }

  private init(size: Int) {
    self.size = size
    if Sodium.isReady, let memory = unsafe sodium_malloc(size) {
      unsafe base = memory
      isGuarded = true
    } else {
      unsafe base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      isGuarded = false
    }
    // sodium_malloc has tried to lock already and does not show it; locking again is harmless.
    isLocked = unsafe isGuarded && sodium_mlock(base, size) == 0
    state = Mutex(State())
    if isGuarded { _ = unsafe sodium_mprotect_noaccess(base) }
  }

  deinit {
    if isGuarded {
      unsafe sodium_free(base)
    } else {
      unsafe sodium_memzero(base, size)
      unsafe base.deallocate()
    }
  }

  /// The slab that new small secrets go into, and how many files of keys are being read.
  private struct Current {
    var slab: SecretSlab?
    var fillings = 0
  }

  private static let current = Mutex(Current())

  /// Room for `count` bytes: the slab, and where in it.
  static func room(for count: Int) -> (slab: SecretSlab, offset: Int) {
    guard count <= slotSize else { return (SecretSlab(size: count), 0) }
    return current.withLock { current in
      if let slab = current.slab, let offset = slab.take() { return (slab, offset) }
      let slab = SecretSlab(size: slotSize * slotCount)
      if current.fillings > 0 {
        slab.beginWriting()
        current.slab?.endWriting()
      }
      current.slab = slab
      return (slab, slab.take() ?? 0)
    }
  }

  /// Keeps the memory that new secrets go into writable until `endFilling`: changing the protection for each of
  /// many keys takes longer than reading them.
  static func beginFilling() {
    current.withLock { current in
      current.fillings += 1
      if current.fillings == 1 { current.slab?.beginWriting() }
    }
  }

  static func endFilling() {
    current.withLock { current in
      current.fillings -= 1
      if current.fillings == 0 { current.slab?.endWriting() }
    }
  }

  private func take() -> Int? {
    state.withLock { state in
      if let offset = state.released.popLast() { return offset }
      guard state.fresh < Self.slotCount else { return nil }
      state.fresh += 1
      return (state.fresh - 1) * Self.slotSize
    }
  }

  /// Zeroes the bytes at `offset`, and gives them to the next secret. Like the protection, this takes longer than the
  /// rest for many keys, so up to 63 released secrets of a slab stay in its unreadable memory until others follow, or
  /// until libsodium zeroes all of it.
  func release(_ offset: Int, _ count: Int) {
    guard count <= Self.slotSize else { return }
    let batch: [Int] = state.withLock { state in
      state.waiting.append(offset)
      guard state.waiting.count == Self.batchSize else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    guard !batch.isEmpty else { return }
    beginWriting()
    for offset in batch { unsafe sodium_memzero(base + offset, Self.slotSize) }
    endWriting()
    state.withLock { $0.released += batch }
  }

  func read<R>(
    _ offset: Int, _ count: Int, _ body: (UnsafeRawBufferPointer) throws -> R
  ) rethrows -> R {
    beginReading()
    defer { endReading() }
    return try unsafe body(UnsafeRawBufferPointer(start: base + offset, count: count))
  }

  func write(_ offset: Int, _ count: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
    beginWriting()
    defer { endWriting() }
    unsafe body(UnsafeMutableRawBufferPointer(start: base + offset, count: count))
  }

  func beginReading() {
    state.withLock { state in
      state.readers += 1
      if state.readers == 1, state.writers == 0 { protect(state) }
    }
  }

  func endReading() {
    state.withLock { state in
      state.readers -= 1
      if state.readers == 0, state.writers == 0 { protect(state) }
    }
  }

  private func beginWriting() {
    state.withLock { state in
      state.writers += 1
      if state.writers == 1 { protect(state) }
    }
  }

  private func endWriting() {
    state.withLock { state in
      state.writers -= 1
      if state.writers == 0 { protect(state) }
    }
  }

  /// Gives the memory the protection that its users need.
  private func protect(_ state: State) {
    guard isGuarded else { return }
    if state.writers > 0 {
      _ = unsafe sodium_mprotect_readwrite(base)
    } else if state.readers > 0 {
      _ = unsafe sodium_mprotect_readonly(base)
    } else {
      _ = unsafe sodium_mprotect_noaccess(base)
    }
  }

  /// Where the bytes are, for the test that shows they cannot be read.
  func addressForTests(_ offset: Int) -> UnsafeRawPointer {
    unsafe UnsafeRawPointer(base + offset)
  }
}
