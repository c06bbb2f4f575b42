#include "catalog/entry_text.h"

#include "base/check.h"

namespace lockstep::catalog {

Expected<std::set<std::string>> placeholdersOf(std::string_view entry) {
    std::set<std::string> names;
    for (std::size_t open = entry.find('{'); open != std::string_view::npos;
         open = entry.find('{', open + 1)) {
        const std::size_t close = entry.find_first_of("{}", open + 1);
        if (close == std::string_view::npos || entry[close] == '{')
            return fail(FaultKind::Syntax, Message(english("'{0}' is missing in '{1}'"), '}', entry));
        names.emplace(entry.substr(open + 1, close - open - 1));
    }
    return names;
}

std::string instanceOf(std::string_view entry, const Family& family, const Values& values) {
    std::string name;
    while (!entry.empty()) {
        const std::size_t open = entry.find('{');
        name += entry.substr(0, open);
        if (open == std::string_view::npos) break;
        const std::size_t close = entry.find('}', open);
        const Parameter* parameter = family.findParameter(entry.substr(open + 1, close - open - 1));
        CHECK(parameter, "the family was read only after its entries' placeholders were found");
        name += parameter->spelling(values.at(parameter->name));
        entry.remove_prefix(close + 1);
    }
    return name;
}

}  // namespace lockstep::catalog
