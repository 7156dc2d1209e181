import ArgumentParser
import HarkPresentation

/// The shell's completions, with the words of `hark help`, which the argument parser leaves out.
enum CompletionScript {
  static let option = "--generate-completion-script"

  /// The script; nil if the arguments request none, or one for a shell that the argument parser does not know.
  static func text(for arguments: [String]) -> String? {
    let words = arguments.dropFirst()
    guard words.count == 2, words.first == option, let name = words.last,
      let shell = CompletionShell(rawValue: name)
    else { return nil }
    return completed(Hark.completionScript(for: shell), shell, topics.joined(separator: " "))
  }

  /// Commands, topics and protocols.
  static var topics: [String] {
    let commands = Hark.configuration.subcommands.map { $0._commandName }
    return Set(commands + [FilterHelp.topic] + ProtocolList.words).sorted()
  }

  static func completed(_ script: String, _ shell: CompletionShell, _ words: String) -> String {
    if shell == .fish {
      return script + """

        complete -c 'hark' -n '__hark_should_offer_completions_for_positional "hark help" -eq 1' -fka '\(words)'
        """
    }
    let (end, completion) =
      shell == .zsh
      ? ("'*:subcommands:'", "'*:subcommands:(\(words))'")
      : (
        "\n}",
        """

            if [[ "${cur}" != -* ]]; then
                COMPREPLY+=($(compgen -W '\(words)' -- "${cur}"))
            fi
        }
        """
      )
    // The function of hark help.
    guard let function = script.firstRange(of: "\n_hark_help() {"),
      let place = script[function.upperBound...].firstRange(of: end)
    else { return script }
    return String(script[..<place.lowerBound]) + completion + script[place.upperBound...]
  }
}
