// Plain text within HTML or XML.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// Of an element or an attribute. Control characters other than line ends and tabs are left out.
std::string escapedHtml(std::string_view text);

}  // namespace lockstep
