#include "app/cli/options/parser.h"

#include "app/cli/options/help_text.h"
#include "base/check.h"
#include "base/text/punctuation.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <utility>

namespace lockstep::cli {
namespace {

// The words of CLI11, and of our value types, used in help texts.
struct Label {
    const char* name;
    Words words;
};
constexpr Label kLabels[] = {
    {"Usage", english("help", "Usage")},         {"Positionals", english("help", "Arguments")},
    {"Options", english("help", "Options")},     {"OPTIONS", english("help", "options")},
    {"SUBCOMMAND", english("help", "command")},  {"REQUIRED", english("help", "(required)")},
    {"Excludes", english("help", "not with")},   {"ARGUMENT", english("help", "ARGUMENT")},
    {"BLOCKS", english("help", "BLOCKS")},       {"EXPRESSION", english("help", "EXPRESSION")},
    {"FILE", english("help", "FILE")},           {"FOLDER", english("help", "FOLDER")},
    {"KERNEL", english("help", "KERNEL")},       {"NAME", english("help", "NAME")},
    {"REFERENCE", english("help", "REFERENCE")}, {"SECONDS", english("help", "SECONDS")},
    {"VIEW", english("help", "VIEW")},
};

class Formatter : public CLI::Formatter {
public:
    explicit Formatter(Language language) : language_(language) {
        column_width(kHelpNames);
        for (const Label& each : kLabels)
            label(each.name, say(language, each.words));
    }
    std::string make_group(std::string group, bool isPositional,
                           std::vector<const CLI::Option*> options) const override {
        return CLI::Formatter::make_group(get_label(group), isPositional, std::move(options));
    }
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        return withColons(CLI::Formatter::make_help(app, std::move(name), mode));
    }
    std::string make_option(const CLI::Option* option, bool isPositional) const override {
        const std::string opts = withColon("Excludes", make_option_opts(option));
        const std::string name = "  " + make_option_name(option, isPositional) + opts;
        return name + wrapped(make_option_desc(option), columnsOf(name));
    }

private:
    std::string withColon(const char* label, std::string text) const {
        const std::string word = get_label(label);
        if (const std::size_t at = text.find(word + ": "); at != std::string::npos)
            text.replace(at + word.size(), 2, colon(language_));
        return text;
    }
    // CLI11 writes its own colons: behind the word for usage, and behind the heads, which end a line.
    std::string withColons(std::string text) const {
        const std::string own = colon(language_);
        if (own == ": ") return text;
        text = withColon("Usage", std::move(text));
        for (std::size_t at = text.find(":\n"); at != std::string::npos; at = text.find(":\n", at))
            text.replace(at, 1, own);
        return text;
    }

    Language language_;
};

std::vector<CLI::App*> subcommandsOf(CLI::App* program) {
    return program->get_subcommands([](const CLI::App*) { return true; });
}

ParseError::Kind kindOf(const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) return ParseError::Kind::WrongCount;
    if (dynamic_cast<const CLI::RequiredError*>(&error)) return ParseError::Kind::Missing;
    return ParseError::Kind::Other;
}

}  // namespace

Option Option::type(const std::string& name) const { return option_->type_name(name), *this; }
Option Option::required() const { return option_->required(), *this; }
Option Option::repeatable() const { return option_->take_all(), *this; }
Option Option::mayHaveNoValue() const {
    option_->expected(0, 1);
    return *this;
}
Option Option::showsDefault() const { return option_->capture_default_str(), *this; }
Option Option::excludes(const Option& other) const { return option_->excludes(other.option_), *this; }
Option Option::described(const std::string& help) const { return option_->description(help), *this; }

Option Option::whenGiven(std::function<void()> call) const {
    option_->each([call = std::move(call)](const std::string&) { call(); });
    return *this;
}

Option Option::checked(const std::string& type, std::function<Message(std::string&)> check) const {
    option_->type_name(type)->check(
        CLI::Validator([check = std::move(check),
                        language = language_](std::string& text) { return check(text).in(language); },
                       ""));
    return *this;
}

std::vector<std::string> Option::names() const {
    std::vector<std::string> names;
    for (const std::string& name : option_->get_lnames())
        names.push_back("--" + name);
    return names;
}

bool Option::isWord() const { return option_->get_positional(); }
std::string Option::word() const { return option_->get_name(true, false); }
std::string Option::description() const { return option_->get_description(); }
bool Option::takesValue() const { return option_->get_items_expected_max() != 0; }
std::size_t Option::count() const { return option_->count(); }

Option Command::bind(const std::string& names, bool& value, const std::string& help) const {
    return {app_->add_flag(names, value, help), language_};
}
Option Command::bind(const std::string& names, std::string& value, const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}
Option Command::bind(const std::string& names, std::vector<std::string>& value,
                     const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}
Option Command::bind(const std::string& names, u32& value, const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}
Option Command::bind(const std::string& names, u64& value, const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}
Option Command::bind(const std::string& names, f32& value, const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}
Option Command::bind(const std::string& names, f64& value, const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}
Option Command::bind(const std::string& names, std::optional<u32>& value, const std::string& help) const {
    return {app_->add_option(names, value, help), language_};
}

Option Command::addJson(std::string& file, const Words& what) const {
    return add("--json", file, english("{0} (-: standard output)"), what).type("FILE");
}

void Command::whenRead(std::function<void()> call) const { app_->parse_complete_callback(std::move(call)); }
void Command::takesAnything() const { app_->allow_extras(); }

std::string Command::name() const { return app_->get_name(); }

std::vector<Option> Command::options() const {
    std::vector<Option> options;
    for (CLI::Option* option : app_->get_options([](const CLI::Option*) { return true; }))
        options.emplace_back(option, language_);
    return options;
}

std::optional<Option> Command::find(const std::string& name) const {
    CLI::Option* option = app_->get_option_no_throw(name);
    return option ? std::optional(Option(option, language_)) : std::nullopt;
}

Option Command::option(const std::string& name) const {
    const std::optional<Option> found = find(name);
    CHECK(found, "it was added before");
    return *found;
}

std::vector<std::string> Command::leftOver() const { return app_->remaining(); }

std::vector<Command> Command::commandsOfProgram() const {
    CLI::App* parent = app_->get_parent();
    std::vector<Command> commands;
    for (CLI::App* command : subcommandsOf(parent ? parent : app_))
        commands.emplace_back(command, language_);
    return commands;
}

Parser::Parser(Language language, const std::string& version)
    : language_(language),
      app_(std::make_unique<CLI::App>(
          say(language, english("Lockstep shows what a CUDA kernel does to the machine.")), "lockstep")) {
    app_->formatter(std::make_shared<Formatter>(language));
    app_->set_help_flag("-h,--help", say(language, english("print this help and exit")));
    app_->set_version_flag("--version", version)
        ->description(say(language, english("print the version and exit")));
    app_->footer(say(language, english("lockstep COMMAND --help has the options of a command.")));
    app_->require_subcommand(0, 1);
}

Parser::~Parser() = default;

Command Parser::add(const std::string& name, const Words& summary, const std::string& example) {
    CLI::App* command = app_->add_subcommand(name, say(language_, summary));
    command->group(say(language_, english("help", "Commands")));
    command->set_help_flag("-h,--help", say(language_, english("print this help and exit")));
    command->footer(say(language_, english("Example:")) + "\n  " + example);
    commands_.push_back(command);
    return {command, language_};
}

Parsed Parser::parse(std::vector<std::string> words) {
    std::ranges::reverse(words);  // in CLI11's form
    try {
        app_->parse(words);
    } catch (const CLI::Success& asked) {  // --help, --version
        return {.command = {}, .status = app_->exit(asked), .error = {}};
    } catch (const CLI::ParseError& error) {
        const std::vector<CLI::App*> chosen = app_->get_subcommands();
        CLI::App* command = chosen.empty() ? app_.get() : chosen.front();
        return {.command = {},
                .status = {},
                .error = ParseError{kindOf(error), error.what(), Command(command, language_)}};
    }
    const auto chosen = std::ranges::find_if(commands_, &CLI::App::parsed);
    if (chosen == commands_.end()) return {};
    return {.command = std::size_t(chosen - commands_.begin()), .status = {}, .error = {}};
}

}  // namespace lockstep::cli
