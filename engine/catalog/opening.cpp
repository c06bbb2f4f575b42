#include "catalog/opening.h"

#include "base/nearest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace lockstep::catalog {
namespace {

using Does = Opening::Does;

struct DoesRow {
    std::string_view name;
    Does does;
};
constexpr std::array kDoes{DoesRow{"access", Does::Access}, DoesRow{"load", Does::Load},
                           DoesRow{"store", Does::Store},   DoesRow{"atomic", Does::Atomic},
                           DoesRow{"branch", Does::Branch}, DoesRow{"shuffle", Does::Shuffle}};

Does readDoes(TomlReader& reader) {
    const std::string name = reader.optionalString("does", "");
    const auto row = std::ranges::find(kDoes, name, &DoesRow::name);
    if (row != kDoes.end()) return row->does;
    if (!name.empty()) {
        std::vector<std::string> names;
        for (const DoesRow& one : kDoes)
            names.emplace_back(one.name);
        reader.complain("does",
                        Message(english("'does' is one of {0}, not '{1}'{2}"),
                                fmt::format("{}", fmt::join(names, ", ")), name, didYouMean(name, names)));
    }
    return Does::Anything;
}

}  // namespace

Opening readOpening(const toml::table& table, Complaints& complaints) {
    TomlReader reader(table, complaints);
    const auto within = [&](std::string_view key, s64 least, s64 most) -> std::optional<u32> {
        const std::optional<s64> number = reader.optionalInteger(key);
        if (number && (*number < least || *number > most))
            reader.complain(key, Message(english("'{0}' must be {1} to {2}"), key, least, most));
        return number ? std::optional(u32(std::clamp(*number, least, most))) : std::nullopt;
    };
    Opening opening;
    opening.at = reader.string("at");
    if (opening.at.empty()) reader.complain("at", english("'at' must be a piece of a line of the .cu"));
    opening.does = readDoes(reader);
    opening.time = within("time", 1, 1'000'000).value_or(1);
    opening.warp = within("warp", 0, 31).value_or(0);
    opening.lane = within("lane", 0, 31);
    reader.finish();
    return opening;
}

}  // namespace lockstep::catalog
