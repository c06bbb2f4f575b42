#include "app/cli/help_text.h"

#include <string>

namespace lockstep::cli {
namespace {

constexpr std::size_t kNames = 30, kLine = 100;

// The text at the right of names that end at `column`, or below them.
std::string wrapped(const std::string& text, std::size_t column) {
    const bool fits = column + 2 <= kNames;
    std::string lines = fits ? std::string(kNames - column, ' ') : "\n" + std::string(kNames, ' ');
    std::size_t at = kNames;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (at > kNames && at + 1 + end - begin > kLine) {
            lines += "\n" + std::string(kNames, ' ');
            at = kNames;
        } else if (at > kNames) {
            lines += ' ';
            ++at;
        }
        lines += text.substr(begin, end - begin);
        at += end - begin;
        begin = end + 1;
    }
    return lines + "\n";
}

class Formatter : public CLI::Formatter {
public:
    Formatter() {
        column_width(kNames);
        label("Positionals", "Arguments");
        label("OPTIONS", "options");
        label("SUBCOMMAND", "command");
        label("REQUIRED", "(required)");
        label("Excludes", "not with");
    }
    std::string make_option(const CLI::Option* option, bool isPositional) const override {
        const std::string name = "  " + make_option_name(option, isPositional) + make_option_opts(option);
        return name + wrapped(make_option_desc(option), name.size());
    }
};

}  // namespace

std::shared_ptr<CLI::Formatter> helpFormatter() { return std::make_shared<Formatter>(); }

}  // namespace lockstep::cli
