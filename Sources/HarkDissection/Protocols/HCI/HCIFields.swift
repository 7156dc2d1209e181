/// Fields of HCI that writers treat apart. To find one by its path, all fields of its protocol are walked by reflection,
/// which takes a millisecond.
package enum HCIFields {
  /// `hci.evt.code`
  package static var eventCode: Field { HCIEvent.fields.code }
  /// `hci.cmd.opcode`
  package static var commandOpcode: Field { HCICommand.fields.opcode }
  /// `hci.evt.status`
  package static var status: Field { HCIParameters.shared.status }
  /// The Connection_Handle of commands and events, and of ACL, synchronous and isochronous data.
  package static var handles: [Field] {
    [
      HCIParameters.shared.handle, HCIACL.fields.handle, HCISynchronousData.fields.handle,
      HCIISOData.fields.handle,
    ]
  }
}
