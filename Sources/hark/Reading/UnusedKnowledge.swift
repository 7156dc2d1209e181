import HarkSession

/// Reports what the command line says about attributes and channels that the capture does not have.
enum UnusedKnowledge {
  /// - Parameter session: After the end of the capture.
  static func complain(_ session: borrowing Session, _ name: String) {
    // Of many captures, each has only some of the devices.
    guard !CaptureJobs.isChild else { return }
    // A redacted copy is read without the library.
    for source in session.hasLibrary ? GATTFiles.sources : []
    where !source.entries.isEmpty && !session.uses(libraryEntries: source.entries) {
      Console.complain(
        "\(source.path): no entry matches a device of \(name) (by \(GATTLibrary.matches))")
    }
    for one in DecodeAs.all {
      let lack: String
      switch one.place {
      case .handle(let handle) where !session.hasValue(of: handle):
        lack = "carries a value of this attribute"
      case .psm(let psm) where !session.channels.contains(where: { $0.knownPSM == psm }):
        lack = "opens or uses a channel with this PSM"
      case .cid(let cid)
      where !session.channels.contains(where: { $0.localCID == cid || $0.remoteCID == cid }):
        lack = "belongs to a channel with this CID"
      case .handle, .psm, .cid, .uuid: continue
      }
      Console.complain("\(DecodeAs.option) '\(one.text)': no packet of \(name) \(lack)")
    }
  }
}
