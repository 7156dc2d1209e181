/// The packets needed to decode others.
enum StateRecords {
  /// Kinds of packets that change state. Advertising is not among them, nor are the events of controllers'
  /// buffers (0x13) and of vendors (0xFF): the devices that they name are found otherwise, and reports about
  /// packets that are kept are kept with these (`OutstandingPackets`).
  static let filter = """
    kind == command \
    or (kind == event and not hci.evt.code in {0x02, 0x13, 0x22, 0x2f, 0xff} \
    and not hci.evt.subevent in {0x02, 0x0b, 0x0d, 0x0f}) \
    or kind in {new_index, delete_index, open_index, close_index, index_info, control_open, \
    control_close, control_command, control_event, config, new_controller} \
    or l2cap.signal or smp or sdp or avdtp \
    or (rfcomm and (rfcomm.dlci == 0 or not rfcomm.frame == 0xef)) \
    or att.opcode in {0x02..0x11} and not att.opcode in {0x0a..0x0f} \
    or att.attribute == 0x2902
    """

  /// Requests that say what the response is about which follows, where that cannot be waited for.
  static let requests = "att.opcode in {0x0a, 0x0c, 0x0e, 0x20}"
}
