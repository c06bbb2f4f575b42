// How --help looks: names at the left, what they mean at the right, in lines that fit a terminal.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::cli {

// How many columns the names have.
inline constexpr std::size_t kHelpNames = 30;

// The text at the right of names that are `column` wide, or below them. Lines break at blanks, and beside
// ideographs, of which each is two columns wide.
std::string wrapped(std::string_view text, std::size_t column);

// How many columns of a terminal a text takes.
std::size_t columnsOf(std::string_view text);

}  // namespace lockstep::cli
