import ArgumentParser
import HarkCore
import HarkProfile

extension DissectorsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List layouts and profiles, and where they attach.",
      discussion: """
        Built-in ones come first. Columns: id, layout or profile, where it attaches, file.

        Examples:
          hark dissectors list
          hark dissectors list --dissectors acme/
        """)

    @OptionGroup var folders: Folders

    func run() throws {
      folders.load()
      var out = Output(isImmediate: false)
      for profile in Profile.bundled { write(profile, "built in", to: &out.text) }
      for loaded in Dissectors.profiles { write(loaded.profile, loaded.path, to: &out.text) }
      for loaded in Dissectors.all {
        let places = loaded.layout.attachments.map { LayoutText.place($0) }.joined(separator: ", ")
        write([loaded.layout.id, "layout", places, loaded.path], to: &out.text)
      }
      try out.flush()
    }

    private func write(_ profile: Profile, _ path: String, to text: inout TextBuffer) {
      let places = profile.framing.channels.map { $0.described }.joined(separator: ", ")
      write([profile.id, "profile", places, path], to: &text)
    }

    private func write(_ columns: [String], to text: inout TextBuffer) {
      for (index, column) in columns.enumerated() {
        if index > 0 { text.byte(0x09) }
        text.printable(column)
      }
      text.byte(0x0A)
    }
  }
}
