import FoundationEssentials
import HarkCore
import HarkLayout
import HarkSession
import HarkTestSupport
import Testing

@testable import HarkProfile

/// What travels inside the program.
struct BundledTests {
  @Test func generatedFileEqualsTheFolder() throws {
    let folder = Project.root.appending(path: "dissectors")
    var found: [String] = []
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path())
    for name in names.sorted() where name.hasSuffix(".ksy") || name.hasSuffix(".yaml") {
      found.append(name)
      let text = ProjectFiles().text(at: "dissectors/" + name)
      #expect(BundledFiles().text(at: name) == text, "run Tools/generate-bundled.py: \(name)")
    }
    #expect(found == BundledFiles.paths)
    for name in names where name.hasSuffix(".desc") {
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      #expect(BundledFiles().bytes(at: name) == bytes, "run Tools/generate-bundled.py: \(name)")
    }
  }

  @Test func allLoadWithoutAWord() throws {
    for path in BundledFiles.paths where path.hasSuffix(Profile.fileName) {
      do throws(LayoutErrors) {
        #expect(try Profile.load(path, from: BundledFiles()).warnings.isEmpty)
      } catch {
        Issue.record("\(error.diagnostics)")
      }
    }
    #expect(Profile.bundled.map(\.id).contains("pebble"))
    let service = try #require(BluetoothUUID("50000000-328E-0FBB-C642-1AA6699BDADA"))
    #expect(VendorFramings.known.named(by: service)?.name == "Pebble")
  }

  /// What is known about a profile before it is loaded is what it says.
  @Test func attachedLayoutsAreThoseWithAPlace() throws {
    let layouts = BundledFiles.paths.filter { $0.hasSuffix(".ksy") }
    let attached = try layouts.filter {
      try !Layout.load($0, from: BundledFiles()).attachments.isEmpty
    }
    #expect(attached == BundledFiles.attached)
  }

  @Test func headsAreThoseOfTheProfiles() {
    #expect(BundledFiles.heads.count == BundledFiles.paths.count { $0.hasSuffix("profile.yaml") })
    #expect(Profile.bundled.count == BundledFiles.heads.count)
    for (head, profile) in zip(BundledFiles.heads, Profile.bundled) {
      let framing = BundledFraming(head)
      #expect(framing.name == profile.framing.name)
      #expect(framing.service == profile.framing.service)
      #expect(framing.channels == profile.framing.channels)
      #expect(framing.sentinels == profile.framing.sentinels)
      for channel in framing.channels {
        #expect(framing.carriesKeys(channel) == profile.framing.carriesKeys(channel))
      }
    }
  }
}
