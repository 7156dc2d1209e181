import HarkPlatform

/// The memory of this process, as others can see it.
public enum ProcessMemory {
  /// Keeps the memory from other programs of the same user and out of core dumps, before keys come into it.
  /// What is started later is not concerned, but for the limit on core dumps.
  public static func holdsKeys() { Platform.hideMemory() }
}
