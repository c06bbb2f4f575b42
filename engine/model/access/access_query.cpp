#include "model/access/access_query.h"

#include "base/text/counted.h"
#include "base/text/trimmed.h"
#include "model/access/access_expression.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace lockstep::model {
namespace {

using trace::Space;

constexpr s64 kFarthestOffset = s64{1} << 40;  // a tebibyte: more than any device has

bool isWidth(u32 bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

Unexpected wrong(Message message) { return fail(FaultKind::Usage, std::move(message)); }

std::vector<u32> lanesOf(LaneMask mask) {
    std::vector<u32> lanes;
    for (Lane lane : mask)
        lanes.push_back(lane.value);
    return lanes;
}

void answerShared(const trace::WarpAccess& access, const Profile& profile, AccessAnswer& answer) {
    answer.wavefronts = sharedWavefronts(access, profile);
    answer.idealWavefronts = idealWavefronts(access, profile);
    for (const Pass& pass : passes(access, profile)) {
        std::set<u32> banks;
        for (const Pass::Use& use : pass.uses)
            banks.insert(use.bank);
        answer.passes.push_back({.lanes = lanesOf(pass.lanes()), .banks = {banks.begin(), banks.end()}});
    }
}

void answerGlobal(const trace::WarpAccess& access, const Profile& profile, AccessAnswer& answer) {
    const GlobalCost cost = globalCost(access, profile);
    answer.requests = cost.requests;
    (cost.countsSectors ? answer.sectors : answer.transactions) =
        cost.countsSectors ? cost.sectors : cost.transactions;
    for (const MemoryItem& item : cost.items)
        answer.items.push_back(
            {.start = s64(item.startByte - kOffsetZero), .bytes = item.bytes, .lanes = lanesOf(item.lanes)});
}

}  // namespace

Expected<void> checkQuery(const AccessQuery& query) {
    if (!isWidth(query.widthBytes))
        return wrong(
            Message(english("the width {0} does not exist; an access is 1, 2, 4, 8 or 16 bytes wide"),
                    query.widthBytes));
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const s64 offset = query.offsets[lane].value_or(0);
        if (offset > kFarthestOffset || offset < -kFarthestOffset)
            return wrong(Message(english("lane {0} is {1} {1:byte|bytes} away; stay within {2}"), lane,
                                 offset, kFarthestOffset));
        if (offset % s64(query.widthBytes) != 0)
            return wrong(
                Message(english("lane {0}'s byte offset {1} is not a multiple of the width {2}: a GPU stops "
                                "there (misaligned address); use multiples of {2} or a smaller width"),
                        lane, offset, query.widthBytes));
    }
    return {};
}

Expected<LaneOffsets> parseOffsets(std::string_view text) {
    LaneOffsets offsets;
    u32 lane = 0;
    for (bool more = true; more; ++lane) {
        const std::size_t comma = text.find(',');
        more = comma != std::string_view::npos;
        const std::string_view entry = trimmed(text.substr(0, comma), " ");
        text.remove_prefix(more ? comma + 1 : text.size());
        if (lane >= kWarpSize || entry == "-") continue;
        const bool isHex = entry.starts_with("0x");
        const std::string_view digits = isHex ? entry.substr(2) : entry;
        s64 offset = 0;
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), offset, isHex ? 16 : 10);
        if (error != std::errc() || end != digits.data() + digits.size())
            return wrong(Message(
                english(
                    "'{0}' (lane {1}) is not a byte offset; give a whole number, or - for an inactive lane"),
                entry, lane));
        offsets[lane] = offset;
    }
    if (lane != kWarpSize)
        return wrong(
            Message(english("{0} {0:offset is|offsets are} given; a warp has {1} {1:lane|lanes}: give one "
                            "for each, - where a lane is inactive"),
                    grouped(lane), kWarpSize));
    return offsets;
}

Expected<LaneOffsets> offsetsOf(std::string_view expression, u32 widthBytes) {
    const Expected<AccessExpression> parsed = AccessExpression::parse(expression);
    if (!parsed) return Unexpected{parsed.error()};
    LaneOffsets offsets;
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        const Expected<s64> index = parsed->at(lane);
        if (!index) return Unexpected{index.error()};
        if (*index > kFarthestOffset || *index < -kFarthestOffset)
            return wrong(Message(english("the index of lane {0} is {1}; stay within {2}"), lane, *index,
                                 kFarthestOffset));
        offsets[lane] = *index * s64(widthBytes);
    }
    return offsets;
}

trace::WarpAccess accessOf(const AccessQuery& query) {
    trace::WarpAccess access{.pc = kNoPc,
                             .active = {},
                             .space = query.space,
                             .kind = query.operation,
                             .widthBytes = u8(query.widthBytes)};
    for (u32 lane = 0; lane < kWarpSize; ++lane) {
        if (!query.offsets[lane]) continue;
        access.active = access.active | LaneMask::of(Lane{lane});
        access.addresses[lane] = kOffsetZero + u64(*query.offsets[lane]);
    }
    return access;
}

Expected<AccessAnswer> answer(const AccessQuery& query, const Profile& profile) {
    if (const Expected<void> checked = checkQuery(query); !checked) return Unexpected{checked.error()};
    Profile device = profile;
    device.l1CachesGlobalLoads = query.l1.value_or(profile.l1CachesGlobalLoads);
    AccessAnswer answer{.profile = profile.name,
                        .space = query.space,
                        .operation = query.operation,
                        .widthBytes = query.widthBytes};
    if (query.space == Space::Shared)
        answerShared(accessOf(query), device, answer);
    else
        answerGlobal(accessOf(query), device, answer);
    return answer;
}

}  // namespace lockstep::model
