// How --help looks: names at the left, what they mean at the right, in lines that fit a terminal, in the
// user's language.
#pragma once

#include "base/message.h"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace lockstep::cli {

std::shared_ptr<CLI::Formatter> helpFormatter(Language language);

// That of the formatter, which a command has from its program.
Language helpLanguage(const CLI::App& command);

// A description of one of the command's options.
template <class... Values>
std::string helpText(const CLI::App& command, const Words& words, const Values&... values) {
    return say(helpLanguage(command), words, values...);
}

// The text at the right of names that are `column` wide, or below them. Lines break at blanks, and beside
// ideographs, of which each is two columns wide.
std::string wrapped(std::string_view text, std::size_t column);

// How many columns of a terminal a text takes.
std::size_t columnsOf(std::string_view text);

}  // namespace lockstep::cli
