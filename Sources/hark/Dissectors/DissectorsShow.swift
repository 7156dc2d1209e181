import ArgumentParser
import HarkCore
import HarkLayout
import HarkProfile

extension DissectorsCommand {
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show what a layout or a profile says.",
      discussion: """
        Of a layout: its places, fields, units, codes and documentation. Of a profile: its channels \
        and what their messages may be. What several have for an id is shown of each.

        Examples:
          hark dissectors show pebble
          hark dissectors show acme/acme.ksy
        """)

    @Argument(
      help: "An id that `hark dissectors list` gives, a .ksy file, or a profile.yaml.",
      completion: .file())
    var name: String

    @OptionGroup var folders: Folders

    func run() throws {
      var out = Output(isImmediate: false)
      if name.hasSuffix(".ksy") {
        LayoutText.write(try DissectorsCommand.layout(at: name), to: &out.text)
      } else if name.hasSuffix(Profile.fileName) {
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
      Console.complain("there is no layout and no profile \(name); there are \(all)")
      throw ExitCode.failure
    }
  }
}
