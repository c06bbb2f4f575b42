// Texts between double quotes as LLVM's assembly writers have them, PTX among them: \" and \\, the short
// names of C for five characters, and three octal digits for every other byte that is not printable ASCII.
#pragma once

#include <string>
#include <string_view>

namespace lockstep {

// `é"` -> `\303\251\"`.
std::string withEscapes(std::string_view text);
// The bytes that such a text stands for. A backslash that starts none of these stays.
std::string withoutEscapes(std::string_view text);

}  // namespace lockstep
