import HarkCore
import HarkDissection

/// What is known about the record that is being read, in addition to its row.
struct RecordBeingRead: ~Copyable {
  /// Appended when everything is known.
  var row = PacketRow()
  var tree = Tree()
  /// Whether `tree` belongs to the record.
  var isInTree = false
  /// What was known before it was read, in addition to what `treeContext` adds.
  var known = Context()
  /// What was known when it was read, if it is ACL data.
  var treeContext = Context()
  var completed = CompletedPDUs()
  /// The pieces of the requested stream.
  var pieces: [StreamPiece] = []
  var messages: [MessageValues] = []
  /// The record with its encrypted part in the clear, if that was requested.
  var cleared: [UInt8]?
  /// The names of the External Accessory protocols that it concerns.
  var accessoryProtocols: [String] = []
  /// For over-the-air packets.
  var linkLayer = LinkLayerContext()
  var airChannel: UInt8?
  /// What the channel of the record carries inside its own protocol.
  var inner: Entry.Reference?
  /// Which reports continue the data of earlier ones: see `Context`.
  var continuedData: UInt16 = 0
  /// Whether the frame begins an SDU, if its bytes do not show it.
  var beginsSDU = false
  /// Whether this is a second reading of frames that arrived before their protocol was known.
  var isRereading = false
  /// The index of the packet's data link in the list.
  var dataLink: Int?
  /// The UUID in the request that the record answers.
  var requestedType: BluetoothUUID?
  /// That request.
  var answeredRequest: (handle: UInt16, type: BluetoothUUID?)?
  /// On the control channel of HIDP: the request that waited for its answer when the record arrived.
  var hidRequest: HIDPMessage.Transaction?
  /// The attribute that the record concerns.
  var attribute: AttributeAddress?
  /// The types of its attributes, if it has several values.
  var attributeTypes = AttributeTypes()
  var hasAttributeTypes = false

  /// Forgets what was noted for the previous record.
  mutating func begin(_ row: PacketRow) {
    self.row = row
    requestedType = nil
    answeredRequest = nil
    hidRequest = nil
    isInTree = false
    if !completed.all.isEmpty { completed.removeAll() }
    if inner != nil { inner = nil }
    continuedData = 0
    if !pieces.isEmpty { pieces.removeAll(keepingCapacity: true) }
    if !messages.isEmpty { messages.removeAll(keepingCapacity: true) }
    if cleared != nil { cleared = nil }
    attribute = nil
    dataLink = nil
    if !accessoryProtocols.isEmpty { accessoryProtocols.removeAll(keepingCapacity: true) }
    if hasAttributeTypes { (attributeTypes, hasAttributeTypes) = (AttributeTypes(), false) }
  }
}
