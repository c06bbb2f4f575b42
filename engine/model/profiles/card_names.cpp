#include "model/profiles/card_names.h"

#include "base/check.h"
#include "base/files/toml.h"
#include "model/profiles/built_in_profiles.h"

#include <map>
#include <utility>
#include <vector>

namespace lockstep::model {
namespace {

using Capability = std::pair<u32, u32>;

// From the files that are built in, whose form parseProfile() has checked.
std::map<Capability, std::vector<std::string>> readCards() {
    std::map<Capability, std::vector<std::string>> all;
    for (const ProfileText& file : builtInProfiles()) {
        const toml::parse_result parsed = toml::parse(file.text);
        CHECK(parsed, "the profiles that are built in were tested");
        const toml::table& table = parsed.table();
        std::vector<std::string>& cards = all[{table.at_path("compute_capability[0]").value_or(0u),
                                               table.at_path("compute_capability[1]").value_or(0u)}];
        if (const toml::array* list = table["cards"].as_array())
            for (const toml::node& name : *list)
                cards.push_back(name.value_or(std::string()));
    }
    return all;
}

}  // namespace

std::span<const std::string> cardsOf(const Profile& profile) {
    static const std::map<Capability, std::vector<std::string>> all = readCards();
    const auto found = all.find({profile.major, profile.minor});
    return found == all.end() || !findProfile(profile.name) ? std::span<const std::string>() : found->second;
}

std::string knownAs(const Profile& profile) {
    const std::span<const std::string> cards = cardsOf(profile);
    return capabilityOf(profile) + (cards.empty() ? "" : " · " + cards.front());
}

}  // namespace lockstep::model
