// The program's commands and their options: syntax, help texts, and targets of the values. Only parser.cpp
// includes CLI11, which does the work: its templates cost seconds in each file that includes them.
#pragma once

#include "base/integers.h"
#include "base/text/message.h"

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lockstep::cli {

// An option of a command, or a positional argument such as the kernel. A handle: valid as long as the command
// line.
class Option {
public:
    Option(CLI::Option* option, Language language) : option_(option), language_(language) {}

    // The placeholder for its value in the help.
    Option type(const std::string& name) const;
    Option required() const;
    Option repeatable() const;      // all values count
    Option mayHaveNoValue() const;  // then a text is empty
    Option showsDefault() const;    // the help shows the current value
    Option excludes(const Option& other) const;
    Option whenGiven(std::function<void()> call) const;
    template <class... Values> Option describe(const Words& help, const Values&... values) const {
        return described(say(language_, help, values...));
    }

    // Its value: the placeholder in the help, the check, and the sentence if the check fails. An integer,
    // decimal or 0x..; leading zeros do not make it octal.
    Option takesWhole(u64 least = 0, u64 most = std::numeric_limits<u32>::max()) const;
    // A real number in digits: no "nan", no "inf".
    Option takesNumber(f64 least, f64 most) const;
    // The same for steps per second.
    Option takesSpeed(f64 least, f64 most) const;
    // More than 0 and at most 1e9 seconds.
    Option takesSeconds() const;
    // One of these words.
    Option takesOneOf(std::vector<std::string> words) const;

    std::vector<std::string> names() const;  // "--block", "--block-size"
    bool isWord() const;                     // positional
    std::string word() const;                // its name in the help then
    std::string description() const;
    bool takesValue() const;
    std::size_t count() const;  // of its values on the command line

private:
    // An empty Message: the value is valid. The check may normalize it.
    Option checked(const std::string& type, std::function<Message(std::string&)> check) const;
    Option described(const std::string& help) const;

    CLI::Option* option_;
    Language language_;
};

// A handle, too.
class Command {
public:
    Command(CLI::App* app, Language language) : app_(app), language_(language) {}

    // Stores the value of an option in the target. `names`: "--json", "--block,--block-size", or a positional
    // argument. A bool is a flag without a value.
    template <class Value, class... Values>
    Option add(const std::string& names, Value& value, const Words& help, const Values&... values) const {
        return bind(names, value, say(language_, help, values...));
    }
    // --json of a command, which writes `what`.
    Option addJson(std::string& file, const Words& what) const;
    // Called when all options have their values.
    void whenRead(std::function<void()> call) const;
    void takesAnything() const;

    std::string name() const;
    std::vector<Option> options() const;
    std::optional<Option> find(const std::string& name) const;
    Option option(const std::string& name) const;  // that it has
    std::vector<std::string> leftOver() const;     // words that were neither option nor value
    std::vector<Command> commandsOfProgram() const;

private:
    Option bind(const std::string& names, bool& value, const std::string& help) const;
    Option bind(const std::string& names, std::string& value, const std::string& help) const;
    Option bind(const std::string& names, std::vector<std::string>& value, const std::string& help) const;
    Option bind(const std::string& names, u32& value, const std::string& help) const;
    Option bind(const std::string& names, u64& value, const std::string& help) const;
    Option bind(const std::string& names, f32& value, const std::string& help) const;
    Option bind(const std::string& names, f64& value, const std::string& help) const;
    Option bind(const std::string& names, std::optional<u32>& value, const std::string& help) const;

    CLI::App* app_;
    Language language_;
};

// Why a command line is rejected, from the parser.
struct ParseError {
    enum class Kind { WrongCount, Missing, Other };
    Kind kind = Kind::Other;
    std::string text;
    Command command;  // the program itself if none was named
};

// The request of a command line.
struct Parsed {
    std::optional<std::size_t> command;  // its index, in order of addition; none: nothing to do
    std::optional<int> status;           // of --help or --version, already printed
    std::optional<ParseError> error;
};

class Parser {
public:
    Parser(Language language, const std::string& version);
    ~Parser();
    Parser(const Parser&) = delete;
    Parser& operator=(const Parser&) = delete;

    Command add(const std::string& name, const Words& summary, const std::string& example);
    Parsed parse(std::vector<std::string> words);

private:
    Language language_;
    std::unique_ptr<CLI::App> app_;
    std::vector<CLI::App*> commands_;
};

}  // namespace lockstep::cli
