#include "app/cli/parse_mistake.h"

#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace lockstep::cli {
namespace {

std::vector<std::string> optionsOf(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

std::vector<std::string> commandsWith(const CLI::App& program, const std::string& option) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        if (command->get_option_no_throw(option)) names.push_back(command->get_name());
    return names;
}

bool isOption(const std::string& word) {
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
}

// "--sett=4" -> "--sett"
std::string nameIn(const std::string& word) { return word.substr(0, word.find('=')); }

std::string unknownOption(const CLI::App& program, const CLI::App& command, const std::string& name) {
    const std::string near = nearest(name, optionsOf(command));
    const std::vector<std::string> others = commandsWith(program, name);
    std::string text = fmt::format("lockstep {} has no option {}", command.get_name(), name);
    if (!others.empty())
        return text + fmt::format("; lockstep {} {} it", fmt::join(others, ", "),
                                  others.size() == 1 ? "has" : "have");
    return text + (near.empty() ? "" : "; did you mean " + near + "?");
}

std::string leftOver(const CLI::App& command, const std::string& word) {
    for (const CLI::Option* option : command.get_options())
        if (option->get_positional() && option->count() > 0)
            return fmt::format("'{}' is one word too many: lockstep {} takes one {}: {}", word,
                               command.get_name(), option->get_name(true, false), option->get_description());
    return fmt::format("'{}' is one word too many: lockstep {} takes options only", word, command.get_name());
}

// A value that lacks, or one too many; the parser's text begins with the option's name.
std::string miscounted(const CLI::App& command, const std::string& text) {
    const std::string name = text.substr(0, text.find(':'));
    const CLI::Option* option = command.get_option_no_throw(name);
    if (!option) return text;
    if (option->count() > 1) return fmt::format("{} is given {} times; give it once", name, option->count());
    if (option->get_items_expected_max() == 0) return name + " takes no value";
    return fmt::format("{} needs a value: {}", name, option->get_description());
}

}  // namespace

std::string mistakeIn(const CLI::App& program, const CLI::App& command, const CLI::ParseError& error) {
    const std::vector<std::string> rest = command.remaining();
    // An option with a slip of the pen is why others lack.
    const auto unknown = std::ranges::find_if(rest, isOption);
    if (unknown != rest.end()) return unknownOption(program, command, nameIn(*unknown));
    if (!rest.empty()) return leftOver(command, rest.front());
    const std::string text = error.what();
    constexpr std::string_view kExcludes = " excludes ";
    if (const std::size_t at = text.find(kExcludes); at != std::string::npos)
        return text.substr(0, at) + " and " + text.substr(at + kExcludes.size()) + " do not go together";
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return miscounted(command, text);
    if (dynamic_cast<const CLI::RequiredError*>(&error)) {
        const CLI::Option* option = command.get_option_no_throw(text.substr(0, text.find(' ')));
        if (option) return text + ": " + option->get_description();
    }
    return text;
}

}  // namespace lockstep::cli
