// lockstep completion bash: a completion script made from the parser's own commands and options.
#include "app/cli/cli.h"
#include "app/cli/help_text.h"
#include "app/cli/option_checks.h"
#include "app/cli/output.h"

#include <memory>

namespace lockstep::cli {
namespace {

// The options of every command, in the words of the parser: nothing is listed twice.
void printBash(const CLI::App& program, Language language) {
    std::string names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names += command->get_name() + " ";
    printLine(language, english("# Completion of lockstep for bash: source this, or put it in a file of your "
                                "completions folder."));
    printOut("_lockstep() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} options=\n");
    printOut(
        "  if (( COMP_CWORD == 1 )); then\n    options=\"{}$(lockstep list 2>/dev/null | awk '/^  "
        "[a-z].*\\//{{print $1}}')\"\n  else\n    case ${{COMP_WORDS[1]}} in\n",
        names);
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        std::string options;
        for (const CLI::Option* option : command->get_options())
            for (const std::string& name : option->get_lnames())
                options += "--" + name + " ";
        printOut("      {}) options=\"{}\" ;;\n", command->get_name(), options);
    }
    printOut(
        "    esac\n    [[ $word == -* ]] || options=\"$options $(lockstep list 2>/dev/null | awk '/^  "
        "[a-z].*\\//{{print $1}}')\"\n  fi\n");
    printOut(
        "  COMPREPLY=($(compgen -W \"$options\" -- \"$word\") $(compgen -f -- \"$word\"))\n}}\ncomplete -F "
        "_lockstep lockstep\n");
}

}  // namespace

Action addCompletion(CLI::App& command, Session& session) {
    const auto shell = std::make_shared<std::string>();
    takesOneOf(command,
               command.add_option("shell", *shell, helpText(command, english("the shell, bash")))->required(),
               {"bash"});
    return [&command, shell, &session]() -> Expected<int> {  // the parser writes into it until then
        printBash(*command.get_parent(), session.language());
        return kDone;
    };
}

}  // namespace lockstep::cli
