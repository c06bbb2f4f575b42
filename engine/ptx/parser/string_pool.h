// Interned strings that outlive the parser and are not in the text.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>

namespace lockstep::ptx {

class StringPool {
public:
    std::string_view intern(std::string text) { return *strings_.insert(std::move(text)).first; }

private:
    std::unordered_set<std::string> strings_;  // nodes: their strings do not move
};

}  // namespace lockstep::ptx
