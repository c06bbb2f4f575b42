// lockstep completion bash: a completion script made from the parser's own commands and options.
#include "app/cli/commands/commands.h"
#include "app/cli/terminal/output.h"

#include <memory>

namespace lockstep::cli {
namespace {

// The options of every command, taken from the parser: nothing is listed twice.
void printBash(const std::vector<Command>& commands, Language language) {
    std::string names;
    for (const Command& command : commands)
        names += command.name() + " ";
    printLine(language, english("# Completion of lockstep for bash: source this, or put it in a file of your "
                                "completions folder."));
    printOut("_lockstep() {{\n  local word=${{COMP_WORDS[COMP_CWORD]}} options=\n");
    printOut(
        "  if (( COMP_CWORD == 1 )); then\n    options=\"{}$(lockstep list 2>/dev/null | awk '/^  "
        "[a-z].*\\//{{print $1}}')\"\n  else\n    case ${{COMP_WORDS[1]}} in\n",
        names);
    for (const Command& command : commands) {
        std::string options;
        for (const Option& option : command.options())
            for (const std::string& name : option.names())
                options += name + " ";
        printOut("      {}) options=\"{}\" ;;\n", command.name(), options);
    }
    printOut(
        "    esac\n    [[ $word == -* ]] || options=\"$options $(lockstep list 2>/dev/null | awk '/^  "
        "[a-z].*\\//{{print $1}}')\"\n  fi\n");
    printOut(
        "  COMPREPLY=($(compgen -W \"$options\" -- \"$word\") $(compgen -f -- \"$word\"))\n}}\ncomplete -F "
        "_lockstep lockstep\n");
}

}  // namespace

Action addCompletion(const Command& command, Session& session) {
    const auto shell = std::make_shared<std::string>();
    command.add("shell", *shell, english("the shell, bash")).required().takesOneOf({"bash"});
    return [command, shell, &session]() -> Expected<int> {  // the parser writes into it until then
        printBash(command.commandsOfProgram(), session.language());
        return kDone;
    };
}

}  // namespace lockstep::cli
