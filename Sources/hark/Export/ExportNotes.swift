import HarkCore
import HarkExport
import HarkPresentation
import HarkSession

/// What the captures in the tables, of this run and of earlier ones, show besides the findings: the same contents under
/// several paths, files that are gone, and captures that were read with other keys.
struct ExportNotes {
  private let same: [ExportedCapture]
  private let gone: [ExportedCapture]
  /// Of the captures of the command line.
  private let otherKeys: [ExportedCapture]

  /// - Parameter places: The files and folders of the command line.
  init(_ captures: [ExportedCapture], _ places: [String], _ identity: CaptureIdentity) {
    var seen: Set<String> = []
    same = captures.filter { !seen.insert($0.content).inserted }
    let gone = captures.filter { capture in
      capture.path.map { identity.isGone($0, below: places) } ?? false
    }
    self.gone = gone
    otherKeys = captures.filter { capture in
      capture.keys != nil && capture.keys != identity.keys && !gone.contains(capture)
        && capture.path.map { identity.isBelow($0, places) } ?? false
    }
  }

  func write(to out: inout TextBuffer) {
    if let first = same.first {
      out.string(Names.count(same.count, "capture has", "captures have"))
      out.text(" the same contents as others (")
      out.printable(first.path ?? first.name)
      out.text(same.count > 1 ? ", …" : "")
      out.string("), and \(same.count == 1 ? "counts" : "count") separately: ")
      out.text("export each file under one path, or use --root\n")
    }
    if let first = otherKeys.first {
      out.string(
        Names.count(
          otherKeys.count, "unchanged capture was read with other keys",
          "unchanged captures were read with other keys"))
      out.text(" (")
      out.printable(first.path ?? first.name)
      out.text(otherKeys.count > 1 ? ", …" : "")
      out.string(
        "), and \(otherKeys.count == 1 ? "keeps its" : "keep their") rows: --again reads all captures with the keys of "
          + "this command\n")
    }
    if let first = gone.first {
      out.string(
        Names.count(
          gone.count, "exported capture no longer exists", "exported captures no longer exist"))
      out.text(" (")
      out.printable(first.path ?? first.name)
      out.text(gone.count > 1 ? ", …" : "")
      out.text("): the rows stay; to leave them out, export to a new file\n")
    }
  }
}
