#include "lessons/wavefront_partition.h"

#include "lessons/kinds.h"
#include "model/access/shared_wavefronts.h"

#include <algorithm>

namespace lockstep::lessons {
namespace {

struct Request {
    u64 word = 0;
    u32 bank = 0;
};

// The words that a lane requests.
std::vector<Request> requestsOf(const trace::WarpAccess& access, Lane lane) {
    std::vector<Request> all;
    const u64 first = access.addresses[lane.value];
    for (u64 word = first / model::kBankBytes; word <= (first + access.widthBytes - 1) / model::kBankBytes;
         ++word)
        all.push_back({word, u32(word % model::kBanks)});
    return all;
}

struct Clash {
    u32 bank = 0;
    u64 word = 0, otherWord = 0;
};
// Of two lanes in one wavefront.
std::optional<Clash> clashOf(const trace::WarpAccess& access, Lane a, Lane b) {
    for (const Request& one : requestsOf(access, a))
        for (const Request& other : requestsOf(access, b))
            if (one.bank == other.bank && one.word != other.word)
                return Clash{one.bank, one.word, other.word};
    return {};
}

bool hasRoomFor(const trace::WarpAccess& access, LaneMask wavefront, Lane lane) {
    for (const Lane other : wavefront)
        if (clashOf(access, lane, other)) return false;
    return true;
}

Message clashIn(const trace::WarpAccess& access, LaneMask wavefront) {
    for (const Lane a : wavefront)
        for (const Lane b : wavefront)
            if (const std::optional<Clash> clash = a < b ? clashOf(access, a, b) : std::nullopt)
                return Message(english("Lanes {0} and {1} cannot share a wavefront: both request bank {2}, "
                                       "words {3} and {4}."),
                               a.value, b.value, clash->bank, std::to_string(clash->word),
                               std::to_string(clash->otherWord));
    return {};
}

Message faultOfCover(const trace::WarpAccess& access, const std::vector<LaneMask>& wavefronts) {
    LaneMask seen;
    for (const LaneMask wavefront : wavefronts) {
        if (wavefront.empty()) return english("One of the wavefronts serves no lane.");
        if (const LaneMask twice = wavefront & seen; !twice.empty())
            return Message(english("Lane {0} is in two wavefronts; one serves it."), twice.lowest().value);
        if (const LaneMask off = wavefront & ~access.active; !off.empty())
            return Message(english("Lane {0} is inactive here: no wavefront serves it."), off.lowest().value);
        seen = seen | wavefront;
    }
    if (const LaneMask missing = access.active & ~seen; !missing.empty())
        return Message(english("{0} active {0:lane is|lanes are} in no wavefront."), missing.count());
    return {};
}

}  // namespace

Message partitionFault(const trace::WarpAccess& access, const model::Profile& profile,
                       const std::vector<LaneMask>& wavefronts) {
    if (Message fault = faultOfCover(access, wavefronts); !fault.empty()) return fault;
    const std::vector<LaneMask> groups = model::sharedGroups(access, profile);
    for (const LaneMask wavefront : wavefronts) {
        for (const LaneMask group : groups)
            if (const LaneMask inside = wavefront & group; !inside.empty() && inside != wavefront)
                return Message(english("With {0} {0:byte|bytes} per lane, lanes {1} are served before or "
                                       "after the others: lane {2} "
                                       "cannot share a wavefront with lane {3}."),
                               u32(access.widthBytes), lanesMessage(group),
                               (wavefront & ~group).lowest().value, inside.lowest().value);
        if (Message fault = clashIn(access, wavefront); !fault.empty()) return fault;
    }
    const u32 least = model::sharedWavefronts(access, profile);
    if (wavefronts.size() <= least) return {};
    for (std::size_t a = 0; a < wavefronts.size(); ++a)
        for (std::size_t b = a + 1; b < wavefronts.size(); ++b) {
            const LaneMask both = wavefronts[a] | wavefronts[b];
            const bool isOfOneGroup =
                std::ranges::any_of(groups, [&](LaneMask group) { return (both & ~group).empty(); });
            if (isOfOneGroup && clashIn(access, both).empty())
                return Message(english("Every wavefront obeys the rule, but there are too many: that of lane "
                                       "{0} and that of lane "
                                       "{1} request no bank for different words and can be one."),
                               wavefronts[a].lowest().value, wavefronts[b].lowest().value);
        }
    return english(
        "Every wavefront obeys the rule, but there are too many: put the lanes together in another way.");
}

Expected<std::vector<LaneMask>> leastPartition(const trace::WarpAccess& access,
                                               const model::Profile& profile) {
    if (profile.major < 5)
        return fail(FaultKind::Unsupported,
                    english("wavefronts are put together for cc 5.0 and later devices only"));
    if (trace::isAtomic(access.kind))
        return fail(FaultKind::Unsupported,
                    english("the wavefronts of an atomic follow other rules: ask for their number"));
    std::vector<LaneMask> all;
    for (const LaneMask group : model::sharedGroups(access, profile)) {
        std::vector<LaneMask> own;
        for (const Lane lane : group) {
            const auto room = std::ranges::find_if(
                own, [&](LaneMask wavefront) { return hasRoomFor(access, wavefront, lane); });
            if (room == own.end())
                own.push_back(LaneMask::of(lane));
            else
                *room = *room | LaneMask::of(lane);
        }
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

}  // namespace lockstep::lessons
