/// The scripts with which shells complete the command line. The argument parser makes them; beside
/// files it knows of nothing that a source may be called, and for zsh it asks for a subcommand
/// behind the sources, which zsh takes for a mistake.
enum CompletionScript {
  /// What is to be put in the place of what, in the scripts of zsh, bash and fish: what offers
  /// files is to offer the names of the configuration as well.
  private static let places: [(made: String, wanted: String)] = [
    (
      """
              '(-): :->command'
              '(-)*:: :->arg'

      """, ""
    ),
    (
      "'*:source:_files'",
      """
      '*:source:{compadd -- ${(f)"$("${command_name}" --list-sources 2>/dev/null)"}; _files}'
      """
    ),
    (
      """
          # Offer positional completions
          case "${positional_number}" in
          *)
              __tideline_add_completions -f
      """,
      """
          # Offer positional completions
          case "${positional_number}" in
          *)
              __tideline_add_completions -W "$("${COMP_WORDS[0]}" --list-sources 2>/dev/null)"
              __tideline_add_completions -f
      """
    ),
    (
      """
      complete -c 'tideline' -n '__tideline_should_offer_completions_for_positional "tideline" -ge 1' -F

      """,
      """
      complete -c 'tideline' -n '__tideline_should_offer_completions_for_positional "tideline" -ge 1' -F
      complete -c 'tideline' -n '__tideline_should_offer_completions_for_positional "tideline" -ge 1' \
      -a '(tideline --list-sources 2>/dev/null)'

      """
    ),
  ]

  /// A script that offers names of sources, too; any other text as it is.
  static func namingSources(in text: String) -> String {
    places.reduce(text) { $0.replacing($1.made, with: $1.wanted) }
  }
}
