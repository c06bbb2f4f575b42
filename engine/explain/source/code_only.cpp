#include "explain/source/code_only.h"

#include "base/integers.h"

#include <algorithm>
#include <cctype>

namespace lockstep::explain {
namespace {

bool isWord(char c) { return std::isalnum(u8(c)) || c == '_'; }

}  // namespace

std::string codeOnly(std::string_view source) {
    std::string code(source);
    for (std::size_t at = 0; at < code.size();) {
        std::size_t end = at;
        if (source.substr(at, 2) == "//")
            end = std::min(source.find('\n', at), source.size());
        else if (source.substr(at, 2) == "/*")
            end = std::min(source.find("*/", at + 2), source.size() - 2) + 2;
        else if (source[at] == '"' || (source[at] == '\'' && (at == 0 || !isWord(source[at - 1])))) {
            for (end = at + 1; end < source.size() && source[end] != source[at] && source[end] != '\n'; ++end)
                if (source[end] == '\\') ++end;
            end = std::min(end + 1, source.size());
        }
        for (std::size_t i = at; i < end; ++i)
            if (code[i] != '\n') code[i] = ' ';
        at = std::max(end, at + 1);
    }
    return code;
}

}  // namespace lockstep::explain
