// Layout of --help: names at the left, descriptions at the right, in lines that fit a terminal.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli {

// Width of the name column.
inline constexpr std::size_t kHelpNames = 30;

// The text at the right of names that are `column` wide, or below them. Lines break at blanks, and at
// ideographs, which are two columns wide.
std::string wrapped(std::string_view text, std::size_t column);

// Width of a text in terminal columns.
std::size_t columnsOf(std::string_view text);

}  // namespace lockstep::cli
