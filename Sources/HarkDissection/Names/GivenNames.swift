import HarkCore
import Synchronization

extension AssignedNumbers {
  private static let pending = Mutex<[BluetoothUUID: String]>([:])

  /// The names that the user gave; later ones do not count any more once this has been read.
  static let given: [BluetoothUUID: String] = pending.withLock { $0 }

  /// The longest name in UTF-8 bytes, and the largest number of names.
  public static let longestGivenName = 100
  public static let mostGivenNames = 4_096

  /// Gives names to UUIDs, in place of those that this table has. Call it before any name is looked up.
  public static func give(_ names: [BluetoothUUID: String]) {
    pending.withLock { pending in
      for (uuid, name) in names
      where pending[uuid] != nil || pending.count < mostGivenNames {
        pending[uuid] = name
      }
    }
  }

  /// The name that the Bluetooth SIG assigned to a UUID, or nil.
  public static func assignedName(of uuid: BluetoothUUID) -> String? {
    uuid.short.flatMap { uuids[$0] }
  }
}
