import ArgumentParser

/// The scripts with which shells complete the command line.
///
/// The argument parser generates one for each command: for the viewer, and for each word of
/// `CommandWord.Name`. It does not support a program that takes both files and commands, so they
/// are joined here: the viewer's script looks for a command among the words before the cursor, and
/// leaves the words after it to that command's script. The generated script also offers a
/// subcommand `help`, which does not exist, and only files as sources; both are corrected.
struct CompletionScript {
  private var text: String

  /// The complete script if `message` is the parser's script for the viewer; `nil` for any other
  /// message.
  static func whole(for message: String) -> String? {
    for shell in CompletionShell.allCases
    where message == ViewCommand.completionScript(for: shell) {
      let commands = CommandWord.Name.allCases.map { name in
        CompletionScript(text: name.completion.completionScript(for: shell))
      }
      var script = CompletionScript(text: message)
      switch shell {
      case .bash: script.joinForBash(commands)
      case .zsh: script.joinForZsh(commands)
      default: script.joinForFish(commands)
      }
      return script.text
    }
    return nil
  }

  /// Refuses to generate a script for a command: shells complete programs, and a script for a name
  /// of two words would not be valid.
  ///
  /// - Throws: `ValidationError` if a script is requested.
  static func check(_ arguments: [String]) throws {
    guard let option = arguments.first(where: { $0.hasPrefix("--generate-completion-script") })
    else { return }
    throw ValidationError("\(option) is the whole program's: tideline --generate-completion-script")
  }

  /// Removes the functions that complete a command `help`, which does not exist.
  private mutating func cutHelp() {
    for name in [""] + CommandWord.Name.allCases.map({ "\($0.rawValue)_" }) {
      cut(from: "_tideline_\(name)help() {\n", through: "\n}\n\n")
    }
  }

  /// The commands' names as a list of patterns.
  private static func names(_ separator: String) -> String {
    CommandWord.Name.allCases.map(\.rawValue).joined(separator: separator)
  }

  /// Prints the names of all themes, in every shell.
  static let themes = "echo auto; echo light; echo dark; \(ownThemes)"
  private static let ownThemes = "tideline --list-themes 2>/dev/null"
  /// The same, by the program as it was called; `word` is the shell's expression for that.
  private mutating func listThemes(by word: String) {
    replace(Self.ownThemes, with: "\(word) --list-themes 2>/dev/null")
  }

  private static func optionsWithValues(_ separator: String) -> String {
    CommandWord.withValues.sorted().joined(separator: separator)
  }

  private mutating func replace(_ part: String, with other: String) {
    text = text.replacing(part, with: other)
  }

  /// Removes each part from `start` through the next `end`.
  private mutating func cut(from start: String, through end: String) {
    while let first = text.firstRange(of: start),
      let last = text[first.upperBound...].firstRange(of: end)
    {
      text.removeSubrange(first.lowerBound..<last.upperBound)
    }
  }

  private mutating func begin(behind start: String, _ end: String) {
    guard let first = text.firstRange(of: start),
      let last = text[first.upperBound...].firstRange(of: end)
    else { return }
    text.removeSubrange(..<last.upperBound)
  }

  private mutating func end(at start: String) {
    if let first = text.firstRange(of: start) { text.removeSubrange(first.lowerBound...) }
  }

  // MARK: bash

  private mutating func joinForBash(_ commands: [CompletionScript]) {
    replace(
      "_tideline() {\n",
      with: """
        _tideline() {
            # What follows a command is that command's.
            local -i word
            for ((word = 1; word < COMP_CWORD; word++)); do
                case "${COMP_WORDS[word]}" in
                -- | -) break ;;
                \(Self.optionsWithValues("|"))) ((word++)) ;;
                -*) ;;
                \(Self.names("|")))
                    local -r command="${COMP_WORDS[word]}"
                    local -ar rest=("${COMP_WORDS[0]}" "${COMP_WORDS[@]:word+1}")
                    local -a COMP_WORDS=("${rest[@]}")
                    local -i COMP_CWORD="$((COMP_CWORD - word))"
                    "_tideline_${command}" "${@}"
                    return
                    ;;
                *) break ;;
                esac
            done

        """)
    replace(
      """
          case "${positional_number}" in
          *)
              __tideline_add_completions -f
      """,
      with: """
            case "${positional_number}" in
            *)
                [[ "${positional_number}" -eq 1 ]] && \
        __tideline_add_completions -W '\(Self.names("'$'\\n''"))'
                __tideline_add_completions -W "$("${COMP_WORDS[0]}" --list-sources 2>/dev/null)"
                __tideline_add_completions -f
        """)
    for command in commands {
      var command = command
      command.replace("#!/bin/bash\n", with: "")
      command.end(at: "complete -o filenames")
      replace("complete -o filenames", with: command.text + "complete -o filenames")
    }
    cut(from: "    # Offer subcommand / subcommand", through: "\n    esac\n")
    cutHelp()
    listThemes(by: "\"${COMP_WORDS[0]}\"")
  }

  // MARK: zsh

  private mutating func joinForZsh(_ commands: [CompletionScript]) {
    replace(
      "_tideline() {\n    emulate -RL zsh -G\n",
      with: """
        _tideline() {
            emulate -RL zsh -G

            # What follows a command is that command's.
            local -i word
            for ((word = 2; word < CURRENT; word++)); do
                case "${words[word]}" in
                --|-) break ;;
                \(Self.optionsWithValues("|"))) ((word++)) ;;
                -*) ;;
                \(Self.names("|")))
                    local -r command="${words[word]}"
                    words=("${words[1]}" "${(@)words[word+1,-1]}")
                    ((CURRENT -= word - 1))
                    "_tideline_${command}" "${@}"
                    return
                    ;;
                *) break ;;
                esac
            done
            local -ir is_first=$((word >= CURRENT))

        """)
    replace(
      "'*:source:_files'",
      with: """
        '*:source:{((is_first)) && compadd -- \(Self.names(" ")); \
        compadd -- ${(f)"$("${command_name}" --list-sources 2>/dev/null)"}; _files}'
        """)
    let start = "if [[ \"${funcstack[1]}\" ="
    for command in commands {
      var command = command
      command.begin(behind: "#compdef ", "\n\n")
      command.end(at: start)
      replace(start, with: command.text + start)
    }
    // The parser's rules for subcommands, which zsh rejects.
    replace("        '(-): :->command'\n        '(-)*:: :->arg'\n", with: "")
    cut(from: "    case \"${state}\" in\n", through: "\n    esac\n")
    cutHelp()
    listThemes(by: "${command_name}")
  }

  // MARK: fish

  private mutating func joinForFish(_ commands: [CompletionScript]) {
    let parsing = "function __tideline_parse_tokens -S\n"
    replace(
      parsing,
      with: """
        # The place of the command among the words before the cursor.
        function __tideline_command_place
            set -l tokens (__tideline_tokens -pc)
            set -l place 2
            while test $place -le (count $tokens)
                switch $tokens[$place]
                    case -- -
                        return 1
                    case \(Self.optionsWithValues(" "))
                        set place (math $place + 1)
                    case '-*'
                    case \(Self.names(" "))
                        echo $place
                        return 0
                    case '*'
                        return 1
                end
                set place (math $place + 1)
            end
            return 1
        end

        # The words from the command on.
        function __tideline_command_tokens
            set -l place (__tideline_command_place)
            if test -z "$place"
                echo none
                return
            end
            set -l tokens (__tideline_tokens $argv)
            printf '%s\\n' tideline_$tokens[$place] $tokens[(math $place + 1)..]
        end

        \(parsing)    # What follows a command is that command's.
            __tideline_command_place >/dev/null; and return

        """)
    let positional = #"__tideline_should_offer_completions_for_positional "tideline""#
    let sources = "complete -c 'tideline' -n '\(positional) -ge 1' "
    replace(
      sources + "-F\n",
      with: sources + "-F\n" + sources + "-a '(tideline --list-sources 2>/dev/null)'\n"
        + "complete -c 'tideline' -n '\(positional) -eq 1' -a '\(Self.names(" "))'\n")
    for (command, word) in zip(commands, CommandWord.Name.allCases) {
      var command = command
      let name = word.rawValue
      command.cut(from: "function __tideline_\(name)_tokens\n", through: "\nend\n\n")
      command.replace("(__tideline_\(name)_tokens ", with: "(__tideline_command_tokens ")
      command.replace("complete -c 'tideline_\(name)' -f\n", with: "")
      command.replace("complete -c 'tideline_\(name)' ", with: "complete -c 'tideline' ")
      text += "\n" + command.text
    }
    text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains("-fa 'help'") && !$0.contains(" help\" version'") }
      .joined(separator: "\n")
  }
}
