import ArgumentParser
import HarkCore
import HarkLayout
import HarkProfile

extension DissectorsCommand {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show the contents of a layout or profile.",
      discussion: """
        For a layout: where it attaches, its fields, units, codes and documentation. For a profile: its \
        channels and their possible messages. If several have the same id, all of them are shown.

        Examples:
          hark dissectors show pebble
          hark dissectors show acme/acme.ksy
        """)

    @Argument(
      help: "An id from `hark dissectors list`, a .ksy file, or a profile.yaml.",
      completion: .file())
    var name: String

    @OptionGroup var folders: Folders

    func run() throws {
      var out = Output(isImmediate: false)
      if name.hasSuffix(".ksy") {
        LayoutText.write(try DissectorsCommand.layout(at: name), to: &out.text)
      } else if name.hasSuffix(Profile.fileName) {
        try DissectorsCommand.open(name)
        let profile = try DissectorsCommand.sound(Dissectors.profile(at: name))
        ProfileText.write(profile, to: &out.text)
      } else {
        try writeLoaded(to: &out.text)
      }
      try out.flush()
    }

    private func writeLoaded(to text: inout TextBuffer) throws {
      folders.load()
      let profiles = Profile.bundled + Dissectors.profiles.map(\.profile)
      let layouts = Dissectors.all.map(\.layout)
      for profile in profiles where profile.id == name { ProfileText.write(profile, to: &text) }
      for layout in layouts where layout.id == name {
        if !text.isEmpty { text.byte(0x0A) }
        LayoutText.write(layout, to: &text)
      }
      guard text.isEmpty else { return }
      let all = (profiles.map(\.id) + layouts.map(\.id)).joined(separator: ", ")
      Console.complain("no layout or profile is called '\(name)'; there are \(all)")
      throw ExitCode.failure
    }
  }
}
