import HarkCapture
import HarkPlatform

/// The files of an .ipa, which is a ZIP archive.
struct AppArchive: BundleArchive {
  let paths: [String]
  private let name: String
  private let archive: ZipArchive

  init(path: String) throws(AppLogError) {
    guard unsafe access(path, R_OK) == 0 else {
      throw AppLogError("\(path): cannot open: \(systemMessage(errno))")
    }
    guard let archive = ZipArchive(path: path) else {
      throw AppLogError("\(path): not a ZIP archive, or truncated")
    }
    (name, self.archive) = (path, archive)
    paths = archive.members.map(\.name).sorted()
  }

  func executable(_ path: String) -> [UInt8]? {
    archive.members.first { $0.name == path }
      .flatMap { archive.contents(of: $0, atMost: CodeSignature.largest) }
  }

  func contents(of path: String) throws(AppLogError) -> [UInt8] {
    guard let member = archive.members.first(where: { $0.name == path }),
      let bytes = archive.contents(of: member, atMost: AppInfo.largest)
    else { throw AppLogError("\(name): \(path) cannot be extracted") }
    return bytes
  }
}
