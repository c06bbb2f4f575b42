// A source text without what the compiler does not read.
#pragma once

#include <string>
#include <string_view>

namespace lockstep::explain {

// The text with blanks for comments, strings and characters: lines and places stay.
std::string codeOnly(std::string_view source);

}  // namespace lockstep::explain
