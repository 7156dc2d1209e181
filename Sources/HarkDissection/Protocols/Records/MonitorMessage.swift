import HarkCore

/// New Index and Index Information: which Controller an index of the monitor is.
package struct MonitorIndex: Message {
  package internal(set) var address: BluetoothAddress?
  /// Where the name of the index is, such as `hci0`.
  package internal(set) var name: Range<Int>?
  package internal(set) var manufacturer: UInt16?

  package init() {}

  package init(_ bytes: RawSpan, isNew: Bool, isCut: Bool) {
    self =
      isNew
      ? MonitorNewIndex.message(bytes, isCut: isCut).message
      : MonitorIndexInfo.message(bytes, isCut: isCut).message
  }
}

/// System Note and User Logging: what the kernel or a program says.
package struct MonitorLog: Message {
  /// Where the name of the program is; nil for the kernel's notes.
  package internal(set) var ident: Range<Int>?
  package internal(set) var text: Range<Int>?

  package init() {}

  package init(_ bytes: RawSpan, isUserLogging: Bool, isCut: Bool) {
    self =
      isUserLogging
      ? MonitorUserLogging.message(bytes, isCut: isCut).message
      : MonitorSystemNote.message(bytes, isCut: isCut).message
  }
}

/// A text record of Apple's PacketLogger, or a device that it names.
package struct PacketLoggerNoteMessage: Message {
  /// Where the text is; nil if the record is not a text.
  package internal(set) var text: Range<Int>?
  package internal(set) var device: Device?

  package init() {}

  package init(_ bytes: RawSpan, isCut: Bool) {
    self = PacketLoggerNote.message(bytes, isCut: isCut).message
  }

  /// A device that was connected, or known, when the recording began.
  package struct Device: Sendable {
    package let isLE: Bool
    /// Nil for devices that are only known.
    package let handle: UInt16?
    /// Nil for devices that are only known.
    package let address: BluetoothAddress?
    package let name: Range<Int>
  }
}
