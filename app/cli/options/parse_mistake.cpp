#include "app/cli/options/parse_mistake.h"

#include "base/nearest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace lockstep::cli {
namespace {

std::vector<std::string> optionsOf(const Command& command) {
    std::vector<std::string> names;
    for (const Option& option : command.options())
        std::ranges::copy(option.names(), std::back_inserter(names));
    return names;
}

std::vector<std::string> commandsWith(const Command& any, const std::string& option) {
    std::vector<std::string> names;
    for (const Command& command : any.commandsOfProgram())
        if (command.find(option)) names.push_back(command.name());
    return names;
}

bool isOption(const std::string& word) {
    return word.size() > 1 && word[0] == '-' &&
           (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
}

// "--sett=4" -> "--sett"
std::string nameIn(const std::string& word) { return word.substr(0, word.find('=')); }

Message unknownOption(const Command& command, const std::string& name) {
    const std::string near = nearest(name, optionsOf(command));
    const std::vector<std::string> others = commandsWith(command, name);
    const std::string own = command.name();
    if (others.size() == 1)
        return Message(english("lockstep {0} has no option {1}; lockstep {2} has it"), own, name, others[0]);
    if (!others.empty())
        return Message(english("lockstep {0} has no option {1}; lockstep {2} have it"), own, name,
                       fmt::format("{}", fmt::join(others, ", ")));
    if (!near.empty())
        return Message(english("lockstep {0} has no option {1}; did you mean {2}?"), own, name, near);
    return Message(english("lockstep {0} has no option {1}"), own, name);
}

Message leftOver(const Command& command, const std::string& word) {
    for (const Option& option : command.options())
        if (option.isWord() && option.count() > 0)
            return Message(english("'{0}' is one word too many: lockstep {1} takes one {2}: {3}"), word,
                           command.name(), option.word(), option.description());
    return Message(english("'{0}' is one word too many: lockstep {1} takes options only"), word,
                   command.name());
}

// A missing value, or one too many; the parser's text begins with the option's name.
Message miscounted(const Command& command, const std::string& text) {
    const std::string name = text.substr(0, text.find(':'));
    const std::optional<Option> option = command.find(name);
    if (!option) return Message::plain(text);
    if (option->count() > 1)
        return Message(english("{0} is given {1} times; give it once"), name, option->count());
    if (!option->takesValue()) return Message(english("{0} takes no value"), name);
    return Message(english("{0} needs a value: {1}"), name, option->description());
}

}  // namespace

Message mistakeIn(const ParseError& error) {
    const Command& command = error.command;
    const std::vector<std::string> rest = command.leftOver();
    // A misspelled option explains the missing ones.
    const auto unknown = std::ranges::find_if(rest, isOption);
    if (unknown != rest.end()) return unknownOption(command, nameIn(*unknown));
    if (!rest.empty()) return leftOver(command, rest.front());
    const std::string& text = error.text;
    constexpr std::string_view kExcludes = " excludes ";
    if (const std::size_t at = text.find(kExcludes); at != std::string::npos)
        return Message(english("{0} and {1} do not go together"), text.substr(0, at),
                       text.substr(at + kExcludes.size()));
    constexpr std::string_view kConversion = "Could not convert: ";
    if (text.starts_with(kConversion))
        return Message(english("Could not convert: {0}"), text.substr(kConversion.size()));
    if (error.kind == ParseError::Kind::WrongCount) return miscounted(command, text);
    if (error.kind == ParseError::Kind::Missing) {
        const std::optional<Option> option = command.find(text.substr(0, text.find(' ')));
        if (option)
            return Message(english("{0} is required: {1}"), text.substr(0, text.find(' ')),
                           option->description());
    }
    return Message::plain(text);
}

}  // namespace lockstep::cli
