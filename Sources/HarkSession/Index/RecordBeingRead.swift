import HarkCore
import HarkDissection

/// What is known about the record that is being read, beside its row.
struct RecordBeingRead: ~Copyable {
  /// Appended when all is known.
  var row = PacketRow()
  var tree = Tree()
  /// Whether `tree` is that of the record.
  var isInTree = false
  /// What was known before it was read, beside what `treeContext` adds.
  var known = Context()
  /// What was known when it was read, if it is ACL data.
  var treeContext = Context()
  var completed = CompletedPDUs()
  /// The pieces of the stream whose data is wanted.
  var pieces: [StreamPiece] = []
  var messages: [MessageValues] = []
  /// The record with what it encrypts in the clear, if that is wanted.
  var cleared: [UInt8]?
  /// The names of the External Accessory protocols that it is about.
  var accessoryProtocols: [String] = []
  /// Of packets from the air.
  var linkLayer = LinkLayerContext()
  var airChannel: UInt8?
  /// What the channel of the record carries inside its own protocol.
  var inner: Entry?
  /// Whether the frame begins an SDU, where its bytes do not say so.
  var beginsSDU = false
  /// Whether frames are read again that came before their protocol was known.
  var isRetelling = false
  /// Where the data link is in the list that the packet belongs to.
  var dataLink: Int?
  /// The UUID asked for by the request that the record answers.
  var requestedType: BluetoothUUID?
  /// That request.
  var answeredRequest: (handle: UInt16, type: BluetoothUUID?)?
  /// The attribute that the record is about.
  var attribute: AttributeAddress?
  /// The types of those that it is about, where it has several values.
  var attributeTypes = AttributeTypes()
  var hasAttributeTypes = false

  /// Forgets what was noted of the record before.
  mutating func begin(_ row: PacketRow) {
    self.row = row
    requestedType = nil
    answeredRequest = nil
    isInTree = false
    if !completed.all.isEmpty { completed.removeAll() }
    if inner != nil { inner = nil }
    if !pieces.isEmpty { pieces.removeAll(keepingCapacity: true) }
    if !messages.isEmpty { messages.removeAll(keepingCapacity: true) }
    if cleared != nil { cleared = nil }
    attribute = nil
    dataLink = nil
    if !accessoryProtocols.isEmpty { accessoryProtocols.removeAll(keepingCapacity: true) }
    if hasAttributeTypes { (attributeTypes, hasAttributeTypes) = (AttributeTypes(), false) }
  }
}
