#include "lessons/quantities.h"

#include "explain/access/step_cost.h"
#include "explain/access/warp_steps.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/inactive_lanes/paths.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"
#include "lessons/divergence_quantities.h"
#include "lessons/place_clues.h"
#include "lessons/quantity_rows.h"
#include "lessons/reduction_quantities.h"
#include "lessons/site_clues.h"
#include "model/access/global_sectors.h"
#include "model/access/shared_wavefronts.h"
#include "trace/finding.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace lockstep::lessons {
namespace {

using Number = std::optional<s64>;
using P = const PlaceOnShow&;

bool isIn(P place, trace::Space space) { return place.access && place.access->space == space; }

explain::StepCost costOf(P place) {
    return explain::stepCost(*place.access, *place.run->module, place.run->profile);
}

// Shared memory: which lanes request which word of which bank.
std::map<u32, std::map<u64, LaneMask>> wordsByBank(P place) {
    std::map<u32, std::map<u64, LaneMask>> banks;
    if (isIn(place, trace::Space::Shared))
        for (const model::Pass& pass : model::passes(*place.access, place.run->profile))
            for (const model::Pass::Use& use : pass.uses) {
                LaneMask& lanes = banks[use.bank][use.word];
                lanes = lanes | LaneMask::of(use.lane);
            }
    return banks;
}

Number distinctWords(P place) {
    if (!isIn(place, trace::Space::Shared)) return {};
    s64 count = 0;
    for (const auto& [bank, words] : wordsByBank(place))
        count += s64(words.size());
    return count;
}

LaneMask lanesOfBank(const std::map<u64, LaneMask>& words) {
    LaneMask lanes;
    for (const auto& [word, some] : words)
        lanes = lanes | some;
    return lanes;
}

// Of the bank from which most different words are requested; of equal ones the lowest.
std::optional<std::pair<u32, std::map<u64, LaneMask>>> worstBank(P place) {
    const auto banks = wordsByBank(place);
    const auto worst =
        std::ranges::max_element(banks, {}, [](const auto& bank) { return bank.second.size(); });
    if (worst == banks.end()) return {};
    return *worst;
}

Message requestOfLane(P place, Lane lane) {
    if (!isIn(place, trace::Space::Shared) || !place.access->active.has(lane))
        return activityOfLane(place, lane);
    const u64 word = sharedWordOf(place, lane);
    return Message(english("The word of lane {0} is {1}, in bank {2}."), lane.value, std::to_string(word),
                   word % place.run->profile.banks);
}

Message sectorOfLane(P place, Lane lane) {
    for (const TouchedSector& sector : touchedSectors(place))
        if (sector.lanes.has(lane))
            return Message(english("Lane {0} touches sector {1} of the array."), lane.value, sector.number);
    return activityOfLane(place, lane);
}

Message myRequestClue(P place) { return requestOfLane(place, place.cursor.lane); }
Message mySectorClue(P place) { return sectorOfLane(place, place.cursor.lane); }

// Lanes that request what the cursor's lane does.
std::optional<LaneMask> lanesOfMyBank(P place) {
    for (const auto& [bank, words] : wordsByBank(place))
        if (const LaneMask lanes = lanesOfBank(words); lanes.has(place.cursor.lane)) return lanes;
    return {};
}
std::optional<LaneMask> lanesOfMyWord(P place) {
    for (const auto& [bank, words] : wordsByBank(place))
        for (const auto& [word, lanes] : words)
            if (lanes.has(place.cursor.lane)) return lanes;
    return {};
}
std::optional<LaneMask> lanesOfMySector(P place) {
    for (const TouchedSector& sector : touchedSectors(place))
        if (sector.lanes.has(place.cursor.lane)) return sector.lanes;
    return {};
}

Number globalBytes(P place) {
    if (!isIn(place, trace::Space::Global)) return {};
    return s64(model::globalItems(*place.access, place.run->profile)) * model::kSectorBytes;
}

template <auto Member> Number sumOfSites(P place) {
    s64 sum = 0;
    for (const model::SiteReport& site : place.run->report.sites)
        sum += s64(site.*Member);
    return sum;
}
template <auto Member> Number ofLine(P place) {
    const explain::SourceLine here = explain::lineOf(*place.run->module, place.here.step->pc);
    for (const model::LineReport& line : place.run->report.lines)
        if (line.line == here.line) return s64(line.*Member);
    return {};
}
template <class Test> std::vector<u32> linesWith(P place, const Test& test) {
    std::set<u32> lines;
    for (const model::LineReport& line : place.run->report.lines)
        if (test(line)) lines.insert(line.line);
    return {lines.begin(), lines.end()};
}

std::vector<u32> linesOfFindings(P place) {
    std::set<u32> lines;
    const auto add = [&](Pc pc) {
        if (pc != kNoPc) lines.insert(explain::lineOf(*place.run->module, pc).line);
    };
    for (const trace::Finding& finding : place.run->recording.findings) {
        if (trace::isRemark(finding.kind)) continue;
        add(finding.who.pc);
        if (finding.other) add(finding.other->pc);
        // A barrier to which some lanes come, wherever that is: all of them wait in vain.
        if (finding.kind == trace::FindingKind::DivergentBarrier)
            for (const trace::FocusBlock& block : place.run->recording.trace.blocks)
                for (u32 w = 0; w < block.warps.size(); ++w)
                    for (const u32 step : block.warps[w].barrierSteps)
                        if (const trace::Step& at = block.warps[w].steps[step];
                            u32(at.active.count()) < explain::lanesOf(block, Warp{w}))
                            add(at.pc);
    }
    return {lines.begin(), lines.end()};
}

template <trace::FindingKind Kind> Number findingsOf(P place) {
    return std::ranges::count(place.run->recording.findings, Kind, &trace::Finding::kind);
}

const Launch& launchOf(P place) { return explain::launchOf(*place.run, place.cursor.launch); }

std::optional<std::string> elementOf(P place) {
    if (!place.access || !place.access->active.has(place.cursor.lane)) return {};
    return explain::nameOfAddress(*place.access, place.cursor.lane, *place.run->module, place.run->recording,
                                  explain::arrayShapes(*place.run, place.cursor.launch));
}

LaneMask lanesThere(P place) {
    return LaneMask::firstLanes(explain::lanesOf(*place.here.block, place.cursor.warp));
}

constexpr const NumberOf kCost = [](P p) -> Number { return p.access ? Number(costOf(p).cost) : Number(); };
constexpr const NumberOf kLeast = [](P p) -> Number { return p.access ? Number(costOf(p).least) : Number(); };
template <trace::Space Space, NumberOf Of> Number onlyIn(P place) {
    return isIn(place, Space) ? Of(place) : Number();
}
constexpr auto kShared = trace::Space::Shared, kGlobal = trace::Space::Global;

Message sameBankClue(P place) {
    const u64 word = isIn(place, kShared) ? sharedWordOf(place, place.cursor.lane) : 0;
    if (word < place.run->profile.banks) return {};
    return Message(english("Words {0} and {1} lie in the same bank."),
                   std::to_string(word - place.run->profile.banks), std::to_string(word));
}

std::vector<Quantity> bankRows() {
    return {
        {"groups", english("groups of lanes that are served one after another"), NumberOf([](P p) -> Number {
             return isIn(p, kShared) ? Number(s64(model::sharedGroups(*p.access, p.run->profile).size()))
                                     : Number();
         }),
         Clues(bankClue, deliveryClue, outerWordsClue)},
        {"group_lanes", english("lanes of such a group"), NumberOf([](P p) -> Number {
             return isIn(p, kShared) ? Number(model::sharedLanesPerGroup(*p.access, p.run->profile))
                                     : Number();
         }),
         Clues(deliveryClue, widthClue)},
        {"words", english("different words that are requested"), NumberOf(distinctWords),
         Clues(wordClue, outerWordsClue, lastWordClue)},
        {"banks_used", english("banks from which something is requested"), NumberOf([](P p) -> Number {
             return isIn(p, kShared) ? Number(s64(wordsByBank(p).size())) : Number();
         }),
         Clues(bankClue, outerWordsClue)},
        {"worst_bank", english("bank from which most different words are requested"),
         NumberOf([](P p) -> Number {
             const auto worst = worstBank(p);
             return worst ? Number(worst->first) : Number();
         }),
         Clues(bankClue, outerWordsClue)},
        {"worst_bank_words", english("different words that are requested from that bank"),
         NumberOf([](P p) -> Number {
             const auto worst = worstBank(p);
             return worst ? Number(s64(worst->second.size())) : Number();
         }),
         Clues(bankClue, outerWordsClue)},
        {"worst_bank_lanes", english("lanes that request from that bank"),
         LanesOf([](P p) -> std::optional<LaneMask> {
             const auto worst = worstBank(p);
             return worst ? std::optional(lanesOfBank(worst->second)) : std::nullopt;
         }),
         bankClue, requestOfLane},
        {"my_bank_lanes", english("lanes that request from the same bank as the cursor's lane"),
         LanesOf(lanesOfMyBank), myRequestClue, requestOfLane},
        {"my_word_lanes", english("lanes that request the same word as the cursor's lane"),
         LanesOf(lanesOfMyWord), myRequestClue, requestOfLane},
        {"my_word", english("number of the shared word that the cursor's lane requests"),
         NumberOf([](P p) -> Number {
             return isIn(p, kShared)
                        ? Number(s64(p.access->addresses[p.cursor.lane.value] / model::kBankBytes))
                        : Number();
         }),
         Clues(myByteClue, lastWordClue)},
        {"my_bank", english("bank of that word"), NumberOf([](P p) -> Number {
             return isIn(p, kShared) ? Number(s64(p.access->addresses[p.cursor.lane.value] /
                                                  model::kBankBytes % p.run->profile.banks))
                                     : Number();
         }),
         Clues(sameBankClue, myByteClue, lastWordClue)},
    };
}

std::vector<Quantity> accessRows() {
    return {
        {.name = "wavefronts",
         .meaning = english("wavefronts of this access"),
         .of = NumberOf(onlyIn<kShared, kCost>),
         .clue = Clues(bankClue, deliveryClue, outerWordsClue),
         .notMore = Clues(servedTogetherClue, servedTogetherLastClue)},
        {"least_wavefronts", english("wavefronts that this access needs at least"),
         NumberOf(onlyIn<kShared, kLeast>), Clues(bankClue, deliveryClue, outerWordsClue)},
        {"sectors", english("sectors of this access, or transactions where the device counts those"),
         NumberOf(onlyIn<kGlobal, kCost>), Clues(sectorClue, widthClue)},
        {"least_sectors", english("sectors that the requested bytes need at least"),
         NumberOf(onlyIn<kGlobal, kLeast>), Clues(sectorClue, widthClue)},
        {"bytes_requested", english("bytes that the active lanes request"), NumberOf([](P p) -> Number {
             return p.access ? Number(p.access->active.count() * p.access->widthBytes) : Number();
         }),
         Clues(laneClue, widthClue)},
        {"bytes_transferred", english("bytes of the sectors of this access"), NumberOf(globalBytes),
         Clues(sectorClue, widthClue)},
        {"lane_bytes", english("bytes per lane of this access"),
         NumberOf([](P p) -> Number { return p.access ? Number(p.access->widthBytes) : Number(); }),
         instructionClue},
        {"my_sector_lanes", english("lanes that touch a sector of the cursor's lane"),
         LanesOf(lanesOfMySector), mySectorClue, sectorOfLane},
        {"element", english("element that the cursor's lane accesses"), NameOf(elementOf)},
    };
}

std::vector<Quantity> laneRows() {
    return {
        {"active_lanes", english("active lanes of this step"),
         LanesOf([](P p) -> std::optional<LaneMask> { return p.active(); }), decisionClue, activityOfLane,
         true},
        {"lanes", english("number of active lanes of this step"),
         NumberOf([](P p) -> Number { return p.active().count(); }), Clues(laneClue, noBranchClue), nullptr,
         true},
        {"inactive_lanes", english("inactive lanes of this step"),
         LanesOf([](P p) -> std::optional<LaneMask> { return lanesThere(p) & ~p.active(); }), decisionClue,
         activityOfLane, true},
        {"all_lanes", english("lanes of the warp"),
         LanesOf([](P p) -> std::optional<LaneMask> { return lanesThere(p); }), blockClue},
        {"path_lanes", english("lanes that come to this branch"), LanesOf([](P p) -> std::optional<LaneMask> {
             const auto found = explain::divergenceAt(*p.run->module, p.warp(), p.cursor.step);
             return found ? std::optional(found->path) : std::nullopt;
         }),
         pathClue, activityOfLane, true},
        {"taken_lanes", english("lanes for which the condition of this branch holds"),
         LanesOf(lanesThatMeetCondition), pathClue, conditionOfLane, true},
        {"lane", english("the cursor's lane"), NumberOf([](P p) -> Number { return p.cursor.lane.value; }),
         Clues(threadClue, blockClue)},
        {"warp", english("the cursor's warp"), NumberOf([](P p) -> Number { return p.cursor.warp.value; }),
         Clues(threadClue, blockClue)},
        {"block_x", english("x of the cursor's block"),
         NumberOf([](P p) -> Number { return p.cursor.block.x; }), Clues(threadClue, gridClue)},
        {"block_y", english("y of the cursor's block"),
         NumberOf([](P p) -> Number { return p.cursor.block.y; }), Clues(threadClue, gridClue)},
        {"step", english("the cursor's step, from 1"),
         NumberOf([](P p) -> Number { return p.cursor.step + 1; }), stepsClue},
        {"line", english("source line of this step"),
         NumberOf([](P p) -> Number { return explain::lineOf(*p.run->module, p.here.step->pc).line; }),
         instructionClue},
        {"code", english("text of that line"), NameOf([](P p) -> std::optional<std::string> {
             return std::string(
                 explain::textOfLine(*p.run->module, explain::lineOf(*p.run->module, p.here.step->pc)));
         })},
    };
}

// A race, or what keeps the warps of a block apart where there is none.
Message raceClue(P place) {
    if (Message finding = findingClue(place); !finding.empty()) return finding;
    if (place.here.block->warps.size() == 1) return english("A block has one warp.");
    return barrierClue(place);
}

Message resultClue(P place) {
    if (!place.run->comparison || !place.run->comparison->first) {
        if (Message finding = findingClue(place); !finding.empty()) return finding;
        return english(
            "Only the recorded order of warps and lanes is compared with the CPU reference, and nothing is "
            "out of bounds in it.");
    }
    const catalog::Comparison::First& first = *place.run->comparison->first;
    const auto textOf = [](f64 value) { return explain::numberText(value, value != std::floor(value)); };
    return Message(english("{0} is {1} instead of {2}."),
                   explain::nameOfElement(place.run->recording.final, first.buffer, first.index),
                   textOf(first.got), textOf(first.want));
}

Message anyConflictClue(P place) {
    Message conflict = conflictClue(place);
    return conflict.empty() ? Message(english("No two lanes request different words of one bank."))
                            : conflict;
}

std::vector<Quantity> findingRows() {
    return {
        {.name = "finding_lines",
         .meaning = english("source lines of the findings"),
         .of = LinesOf(linesOfFindings),
         .clue = Clues(findingClue, findingLineClue),
         .has = Quantity::Has::Anything},
        {"races", english("data races that were found"), NumberOf(findingsOf<trace::FindingKind::Race>),
         Clues(raceClue, findingLineClue)},
        {"out_of_bounds", english("threads with out-of-bounds accesses"),
         NumberOf(findingsOf<trace::FindingKind::OutOfBounds>), Clues(findingClue, findingLineClue)},
        {"misaligned", english("threads with misaligned accesses"),
         NumberOf(findingsOf<trace::FindingKind::Misaligned>), Clues(findingClue, findingLineClue)},
        {"uninitialized_reads", english("threads with uninitialized reads"),
         NumberOf(findingsOf<trace::FindingKind::UninitializedRead>), Clues(findingClue, findingLineClue)},
        {"divergent_barriers", english("divergent barriers that were found"),
         NumberOf(findingsOf<trace::FindingKind::DivergentBarrier>), Clues(findingClue, findingLineClue)},
        {"wrong_elements", english("elements that differ from the CPU reference"),
         NumberOf([](P p) -> Number {
             return p.run->comparison ? Number(s64(p.run->comparison->wrongCount)) : Number();
         }),
         Clues(resultClue, findingClue, findingLineClue)},
    };
}

std::vector<Quantity> launchRows() {
    return {
        {"barriers", english("barriers that this warp passes"),
         NumberOf([](P p) -> Number { return s64(p.warp().barrierSteps.size()); }),
         Clues(barrierClue, mostBarriersClue)},
        {"blocks", english("blocks of the grid"),
         NumberOf([](P p) -> Number { return s64(launchOf(p).grid.count()); }),
         Clues(workOfBlockClue, blockClue, workOfThreadClue)},
        {"threads", english("threads of a block"),
         NumberOf([](P p) -> Number { return s64(launchOf(p).block.count()); }),
         Clues(workOfBlockClue, gridClue, workOfThreadClue)},
        {"warps", english("warps of a block"),
         NumberOf([](P p) -> Number { return s64(p.here.block->warps.size()); }), blockClue},
        {"blocks_per_sm", english("resident blocks per SM"),
         NumberOf([](P p) -> Number { return p.run->report.occupancy.blocksPerSm; }),
         Clues(limitClue, threadsLimitClue, blocksLimitClue)},
        {"warps_per_sm", english("resident warps per SM"),
         NumberOf([](P p) -> Number { return p.run->report.occupancy.warpsPerSm; }),
         Clues(limitClue, threadsLimitClue, blocksLimitClue)},
        {"most_warps_per_sm", english("resident warps per SM at most"),
         NumberOf([](P p) -> Number { return p.run->profile.warpsPerSm; }), ofDeviceClue},
        {"banks", english("banks of shared memory"),
         NumberOf([](P p) -> Number { return p.run->profile.banks; }), ofDeviceClue},
        {"bank_bytes", english("bytes of a bank's word"),
         NumberOf([](P) -> Number { return model::kBankBytes; }), ofEveryDeviceClue},
        {"sector_bytes", english("bytes of a sector"),
         NumberOf([](P) -> Number { return model::kSectorBytes; }), ofEveryDeviceClue},
        {"line_bytes", english("bytes of a cache line"),
         NumberOf([](P) -> Number { return model::kLineBytes; }), ofEveryDeviceClue},
        {"warp_size", english("lanes of a full warp"), NumberOf([](P) -> Number { return kWarpSize; }),
         ofEveryDeviceClue},
    };
}

std::vector<Quantity> runRows() {
    using Site = model::SiteReport;
    using Line = model::LineReport;
    return {
        {"total_sectors", english("sectors of the whole grid"), NumberOf(sumOfSites<&Site::sectors>),
         Clues(globalSitesClue, allGlobalSitesClue, gridClue)},
        {"total_requests", english("requests to global memory of the whole grid"),
         NumberOf(sumOfSites<&Site::requests>), Clues(requestSitesClue, warpsClue, gridClue)},
        {"total_wavefronts", english("wavefronts of the whole grid"), NumberOf(sumOfSites<&Site::wavefronts>),
         Clues(sharedSitesClue, allSharedSitesClue, gridClue)},
        {"total_least_wavefronts", english("wavefronts that the whole grid needs at least"),
         NumberOf(sumOfSites<&Site::idealWavefronts>), Clues(sharedSitesClue, gridClue)},
        {"total_conflicts", english("wavefronts of the whole grid beyond the least"),
         NumberOf([](P p) -> Number {
             return *sumOfSites<&Site::wavefronts>(p) - *sumOfSites<&Site::idealWavefronts>(p);
         }),
         anyConflictClue},
        {"line_sectors", english("sectors of this line in the whole grid"), NumberOf(ofLine<&Line::sectors>),
         Clues(sectorClue, gridClue)},
        {"line_wavefronts", english("wavefronts of this line in the whole grid"),
         NumberOf(ofLine<&Line::wavefronts>), Clues(bankClue, gridClue)},
        {"line_executions", english("warp instructions of this line in the whole grid"),
         NumberOf(ofLine<&Line::executions>), gridClue},
        {"line_divergent", english("divergent branches of this line in the whole grid"),
         NumberOf(ofLine<&Line::divergent>), Clues(pathClue, gridClue)},
        {"divergent", english("divergent branches of the whole grid"), NumberOf([](P p) -> Number {
             const auto found = p.run->report.counters.find("ptx__branches_divergent");
             return found == p.run->report.counters.end() ? 0 : s64(found->second);
         }),
         Clues(mostDivergingWarpClue, divergingWarpsClue, pathClue)},
        {.name = "divergent_lines",
         .meaning = english("source lines with a branch that diverges"),
         .of = LinesOf([](P p) { return linesWith(p, [](const Line& l) { return l.divergent > 0; }); }),
         .has = Quantity::Has::Branch},
        {"conflict_lines", english("source lines with bank conflicts"), LinesOf([](P p) {
             return linesWith(p, [](const Line& l) { return l.wavefronts > l.idealWavefronts; });
         })},
    };
}

std::vector<Quantity> allRows() {
    std::vector<Quantity> rows;
    for (auto part : {accessRows(), bankRows(), laneRows(), divergenceRows(), runRows(), findingRows(),
                      launchRows(), reductionRows(), memoryRows(), atomicRows(), exchangeRows(),
                      occupancyRows(), recordedRows(), timeRows(), codeRows()})
        std::ranges::move(part, std::back_inserter(rows));
    return rows;
}

}  // namespace

std::span<const Quantity> quantities() {
    static const std::vector<Quantity> rows = allRows();
    return rows;
}

const Quantity* findQuantity(std::string_view name) {
    const auto found = std::ranges::find(quantities(), name, &Quantity::name);
    return found == quantities().end() ? nullptr : &*found;
}

std::optional<s64> numberOf(const Quantity& quantity, const PlaceOnShow& place) {
    if (const NumberOf* of = std::get_if<NumberOf>(&quantity.of)) return (*of)(place);
    if (const LanesOf* of = std::get_if<LanesOf>(&quantity.of)) {
        const std::optional<LaneMask> lanes = (*of)(place);
        return lanes ? std::optional<s64>(lanes->count()) : std::nullopt;
    }
    if (const LinesOf* of = std::get_if<LinesOf>(&quantity.of)) return s64((*of)(place).size());
    return {};
}

}  // namespace lockstep::lessons
