// The commands of the program and their options: what a command line may say, what the help says of it, and
// where the values go. Only parser.cpp sees CLI11, which does the work: its templates cost seconds in each
// file that includes them.
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

// An option of a command, or a word without a name, such as the kernel. A handle: valid while the command
// line is.
class Option {
public:
    Option(CLI::Option* option, Language language) : option_(option), language_(language) {}

    // The word for its value in the help.
    Option type(const std::string& name) const;
    Option required() const;
    Option repeatable() const;    // all values count
    Option showsDefault() const;  // the present value stands in the help
    Option excludes(const Option& other) const;
    Option whenGiven(std::function<void()> call) const;
    template <class... Values> Option describe(const Words& help, const Values&... values) const {
        return described(say(language_, help, values...));
    }

    // What it takes: the word in the help, the check of a value, and the sentence where it does not fit.
    // A whole number, decimal or 0x..; leading zeros do not make it octal.
    Option takesWhole(u64 least = 0, u64 most = std::numeric_limits<u32>::max()) const;
    // A real number in digits: no "nan", no "inf".
    Option takesNumber(f64 least, f64 most) const;
    // The same of steps a second.
    Option takesSpeed(f64 least, f64 most) const;
    // More than 0 and at most 1e9 seconds.
    Option takesSeconds() const;
    // One of these words.
    Option takesOneOf(std::vector<std::string> words) const;

    std::vector<std::string> names() const;  // "--block", "--block-size"
    bool isWord() const;                     // without a name
    std::string word() const;                // what the help calls it then
    std::string description() const;
    bool takesValue() const;
    std::size_t count() const;  // of its values on the command line

private:
    // An empty Message: the value fits. The check may write it in another way.
    Option checked(const std::string& type, std::function<Message(std::string&)> check) const;
    Option described(const std::string& help) const;

    CLI::Option* option_;
    Language language_;
};

// A handle, too.
class Command {
public:
    Command(CLI::App* app, Language language) : app_(app), language_(language) {}

    // Puts the value of an option where it is wanted. `names`: "--json", "--block,--block-size", or a word
    // that takes no name. A bool is a flag without a value.
    template <class Value, class... Values>
    Option add(const std::string& names, Value& value, const Words& help, const Values&... values) const {
        return bind(names, value, say(language_, help, values...));
    }
    // --json of a command: `what` is written.
    Option addJson(std::string& file, const Words& what) const;
    // When all options have their values.
    void whenRead(std::function<void()> call) const;
    void takesAnything() const;

    std::string name() const;
    std::vector<Option> options() const;
    std::optional<Option> find(const std::string& name) const;
    Option option(const std::string& name) const;  // which it has
    std::vector<std::string> leftOver() const;     // words that were no option and no value
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

// Why a command line is refused, as the parser says it.
struct ParseError {
    enum class Kind { WrongCount, Missing, Other };
    Kind kind = Kind::Other;
    std::string text;
    Command command;  // the program itself where none was named
};

// What a command line asks for.
struct Parsed {
    std::optional<std::size_t> command;  // by its number, in the order of adding; none: nothing to do
    std::optional<int> status;           // of --help or --version, which is printed by now
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
