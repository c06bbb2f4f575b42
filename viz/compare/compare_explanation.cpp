#include "viz/compare/compare_explanation.h"

#include "base/text/punctuation.h"
#include "base/text/words.h"
#include "explain/access/shared_cost.h"
#include "explain/sums/reduction_facts.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"
#include "viz/cursor/lookup.h"
#include "viz/phrases.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace lockstep::viz {
namespace {

constexpr Words kBothShared = english("Both {0} shared memory with {1} {1:lane|lanes}, one word each.");
constexpr Words kBothGlobal =
    english("Both {0} global memory with {1} {1:lane|lanes}, {2} {2:byte|bytes} each.");
constexpr Words kRead = english("read");
constexpr Words kWrite = english("write");
constexpr Words kWordsApart =
    english("In {0} neighboring lanes are {1} {1:word|words} apart, so {2}: {3} {3:wavefront|wavefronts}.");
constexpr Words kOneWord = english("In {0} all lanes access the same word: {1} {1:wavefront|wavefronts}.");
constexpr Words kAllInOne = english("all words are in bank {0}");
constexpr Words kEachItsOwn = english("each word is in a bank of its own");
constexpr Words kInSoMany = english("the words share {0} {0:bank|banks}");
constexpr Words kBytesApart =
    english("In {0} neighboring lanes are {1} {1:byte|bytes} apart: {2} {2:sector|sectors}.");
constexpr Words kBytesApartOld =
    english("In {0} neighboring lanes are {1} {1:byte|bytes} apart: {2} {2:transaction|transactions}.");
constexpr Words kOneAddress = english("In {0} all lanes access the same address.");

constexpr Words kBothAdd = english("Round {0}: {1} {1:thread adds|threads add} in both.");
constexpr Words kSpreadAll =
    english("In {0} they are in {1} {1:warp|warps}, {2} in each, and all of these diverge.");
constexpr Words kInOneWarp = english("In {0} all of them are in one warp, which diverges.");
constexpr Words kSpreadSome =
    english("In {0} they are in {1} {1:warp|warps}, of which {2} {2:diverges|diverge}.");
constexpr Words kWholeWarps = english("In {0} they are {1} whole {1:warp|warps}: none diverges.");

std::string spaced(Language language, std::initializer_list<std::string> sentences) {
    std::string text;
    for (const std::string& sentence : sentences)
        text += (text.empty() ? std::string() : sentenceGap(language)) + sentence;
    return text;
}

// What neighboring active lanes are apart, in bytes; none where that is not the same for all of them.
std::optional<s64> evenStep(const trace::WarpAccess& access) {
    std::optional<s64> step;
    std::optional<Lane> before;
    for (const Lane lane : access.active) {
        if (before) {
            if (lane.value != before->value + 1) return std::nullopt;
            const s64 apart = s64(access.addresses[lane.value]) - s64(access.addresses[before->value]);
            if (step && *step != apart) return std::nullopt;
            step = apart;
        }
        before = lane;
    }
    return step;
}

struct Side {
    const run::Run& run;
    CursorContext here;
    trace::WarpAccess access;
    const model::Profile& profile;
};

std::string sharedSide(Language language, const Side& side, std::string_view letter, s64 step) {
    const u32 wavefronts = explain::sharedCost(side.access, *side.run.module, side.profile).wavefronts;
    if (step == 0) return say(language, kOneWord, letter, wavefronts);
    std::set<u64> banks;
    const u64 bankBytes = u64{model::wordsOfABank(side.profile)} * model::kBankBytes;
    for (const Lane lane : side.access.active)
        banks.insert(u32(side.access.addresses[lane.value] / bankBytes % side.profile.banks));
    const std::string where = banks.size() == 1 ? say(language, kAllInOne, *banks.begin())
                              : banks.size() == std::size_t(side.access.active.count())
                                  ? say(language, kEachItsOwn)
                                  : say(language, kInSoMany, banks.size());
    return say(language, kWordsApart, letter, std::abs(step) / s64(model::kBankBytes), where, wavefronts);
}

std::string globalSide(Language language, const Side& side, std::string_view letter, s64 step) {
    if (step == 0) return say(language, kOneAddress, letter);
    return say(language,
               model::globalCost(side.access, side.profile).countsSectors ? kBytesApart : kBytesApartOld,
               letter, std::abs(step), model::globalItems(side.access, side.profile));
}

// Of a load or a store whose lanes lie at even steps in both, each at another step.
// A stage shows accesses to every kind of memory.
bool shows(const ViewRow& view, trace::Space space) { return view.accessesOf.value_or(space) == space; }

std::optional<std::string> causeInAddresses(const ViewInput& in, const ViewRow& view) {
    const CursorContext a = lookUp(in.run, in.cursor), b = lookUp(in.compared->run, in.compared->cursor);
    if (!a.access || !b.access || a.access->space != b.access->space || a.access->kind != b.access->kind)
        return std::nullopt;
    const bool loads = a.access->kind == trace::AccessKind::Load;
    if (!loads && a.access->kind != trace::AccessKind::Store) return std::nullopt;
    const Side first{in.run, a, a.warp->unpack(*a.access), in.profile},
        second{in.compared->run, b, b.warp->unpack(*b.access), in.compared->profile};
    if (first.access.active != second.access.active || first.access.widthBytes != second.access.widthBytes)
        return std::nullopt;
    const auto stepA = evenStep(first.access), stepB = evenStep(second.access);
    if (!stepA || !stepB || std::abs(*stepA) == std::abs(*stepB)) return std::nullopt;
    const Language l = in.language;
    const std::string does = say(l, loads ? kRead : kWrite);
    if (a.access->space == trace::Space::Shared && shows(view, trace::Space::Shared)) {
        if (first.access.widthBytes != model::kBankBytes || *stepA % model::kBankBytes ||
            *stepB % model::kBankBytes)
            return std::nullopt;
        return spaced(l, {say(l, kBothShared, does, first.access.active.count()),
                          sharedSide(l, first, "A", *stepA), sharedSide(l, second, "B", *stepB)});
    }
    if (a.access->space != trace::Space::Global || !shows(view, trace::Space::Global) ||
        in.profile.name != in.compared->profile.name)
        return std::nullopt;
    return spaced(l, {say(l, kBothGlobal, does, first.access.active.count(), first.access.widthBytes),
                      globalSide(l, first, "A", *stepA), globalSide(l, second, "B", *stepB)});
}

// Who adds in the round that a cursor stands in.
struct RoundWork {
    u32 round = 0;  // from 0
    u64 adding = 0;
    std::map<u32, u32> byWarp;
    u32 diverging = 0;
};
std::optional<RoundWork> roundAt(const run::Run& run, const Cursor& cursor) {
    const CursorContext here = lookUp(run, cursor);
    const std::optional<explain::ReductionFacts> facts =
        here.step ? explain::reductionFacts(run, cursor) : std::nullopt;
    if (!facts || std::ranges::any_of(facts->start, [&](const explain::Loaded& loaded) {
            return loaded.order >= here.step->order;
        }))
        return std::nullopt;
    for (u32 r = 0; r < facts->rounds.size(); ++r) {
        if (std::ranges::none_of(facts->rounds[r],
                                 [&](const explain::Addition& a) { return a.order >= here.step->order; }))
            continue;
        RoundWork work{.round = r, .adding = facts->rounds[r].size(), .byWarp = {}};
        for (const explain::Addition& a : facts->rounds[r])
            ++work.byWarp[a.warp.value];
        for (const auto& [warp, adding] : work.byWarp)
            work.diverging += adding < explain::lanesOf(*here.block, Warp{warp});
        return work;
    }
    return std::nullopt;
}

std::string roundSide(Language language, const RoundWork& work, std::string_view letter) {
    const std::size_t warps = work.byWarp.size();
    const bool even = std::ranges::all_of(
        work.byWarp, [&](const auto& one) { return one.second == work.byWarp.begin()->second; });
    if (work.diverging == 0) return say(language, kWholeWarps, letter, warps);
    if (work.diverging == 1 && warps == 1) return say(language, kInOneWarp, letter);
    if (work.diverging == warps && even)
        return say(language, kSpreadAll, letter, warps, work.byWarp.begin()->second);
    return say(language, kSpreadSome, letter, warps, work.diverging);
}

std::optional<std::string> causeInRound(const ViewInput& in) {
    const auto isReduction = [](const run::Run& run) {
        return run.catalog && run.catalog->family && run.catalog->family->stage == "reduction";
    };
    if (!isReduction(in.run) || !isReduction(in.compared->run)) return std::nullopt;
    const auto a = roundAt(in.run, in.cursor), b = roundAt(in.compared->run, in.compared->cursor);
    if (!a || !b || a->round != b->round || a->adding != b->adding ||
        (a->byWarp.size() == b->byWarp.size() && a->diverging == b->diverging))
        return std::nullopt;
    return spaced(in.language, {say(in.language, kBothAdd, a->round + 1, a->adding),
                                roundSide(in.language, *a, "A"), roundSide(in.language, *b, "B")});
}

}  // namespace

std::optional<std::string> compareExplanation(const ViewInput& in, const ViewRow& view) {
    const bool isOfData = view.inCompare && view.inCompare->buildBoth && view.modeled == Modeled::None;
    if (!in.compared || (!isOfData && !view.accessesOf)) return std::nullopt;
    if (isOfData)
        if (std::optional<std::string> cause = causeInRound(in)) return cause;
    return causeInAddresses(in, view);
}

}  // namespace lockstep::viz
