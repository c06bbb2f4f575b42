// Puts transfers, products and results into rows and words.
#include "viz/stages/matmul/matmul_table.h"

#include "base/device_addresses.h"
#include "base/text/counted.h"
#include "explain/branches.h"
#include "explain/matrices/tile_traffic.h"
#include "explain/numbers.h"
#include "explain/sentences/sentence.h"
#include "model/access/global_sectors.h"
#include "viz/messages.h"
#include "viz/parts/lane_table.h"
#include "viz/phrases.h"
#include "viz/stages/matmul/product_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep::viz {
namespace {

using namespace message;

// Once it has been loaded.
constexpr Words kSentenceAliasKept = english(
    "Without a bounds check, thread {0} asked for {1} and got {2}, which it stores in {3}. The address is "
    "inside the array, so no error is raised.");
constexpr Words kStoreTestFails = english(
    " The bounds check for the store fails for {1:thread|threads} {0}: {2} {1:is|are} out of bounds, so "
    "{1:it stores|they store} nothing.");
constexpr Words kStoreTestFailsForAll = english(
    " The bounds check for the store fails for all {0} {0:thread|threads} of the warp: the elements of {1} "
    "that they would store are out of bounds.");
constexpr Words kStoreTestHolds =
    english(" The bounds check for the store passes for all {0} {0:thread|threads} of the warp.");
constexpr Words kLoadsForOthers = english(
    " {1:Thread|Threads} {0} {1:loads|load} {2} for the others: {1:it computes|they compute} no element of "
    "{3} {1:itself|themselves}.");
constexpr Words kKeepsForOthers = english(
    " {1:Thread|Threads} {0} {1:stores|store} {2} to {4} for the others: {1:it computes|they compute} no "
    "element of {3} {1:itself|themselves}.");
constexpr Words kTileSaves = english(
    " Loading the block's tile of {0} takes {1} {1:request|requests} and {2} {2:sector|sectors}. Reading {0} "
    "itself each time {3} is read would take {4} and {5}: {6} and {7} times as many.");
constexpr Words kTileSavesTransactions = english(
    " Loading the block's tile of {0} takes {1} {1:request|requests} and {2} {2:transaction|transactions}. "
    "Reading {0} itself each time {3} is read would take {4} and {5}: {6} and {7} times as many.");
constexpr Words kColumnWillAsk = english("matmul", "next");

const Operand& current(const MatmulFacts& facts) { return facts.onN ? facts.n : facts.m; }

std::string placeName(const explain::SharedArray& tile, u64 place) {
    const u64 columns = std::max<u64>(1, tile.columns());
    return fmt::format("{}[{}][{}]", tile.name, place / columns, place % columns);
}

// The cursor's round's transfer of a lane of its warp.
const Transfer* transferOf(const MatmulFacts& facts, const Operand& operand, Warp warp, Lane lane) {
    const auto found = std::ranges::find_if(operand.transfers, [&](const Transfer& t) {
        return t.round == facts.round && t.warp == warp && t.lane == lane;
    });
    return found == operand.transfers.end() ? nullptr : &*found;
}

// "(x 0, y 1) and (x 1, y 1)", "(x 1, y 0), (x 0, y 1), ..." of a few transfers, by the name that `name`
// gives.
template <class Name>
std::string enumerated(Language language, const std::vector<const Transfer*>& transfers, Name&& name) {
    constexpr std::size_t kMost = 3;
    std::string text;
    for (std::size_t i = 0; i < std::min(transfers.size(), kMost); ++i) {
        if (i)
            text +=
                i + 1 == transfers.size() ? std::string(kAnd.in(language)) : std::string(kComma.in(language));
        text += name(*transfers[i]);
    }
    return transfers.size() > kMost ? text + std::string(kAndOthers.in(language)) : text;
}

// The sentence has a blank where a number ends; 等 is no number.
std::string withoutBlankBehindOthers(std::string sentence) {
    const std::string others = std::string(kAndOthers.in(Language::Chinese)) + " ";
    if (const std::size_t at = sentence.find(others); at != std::string::npos)
        sentence.erase(at + others.size() - 1, 1);
    return sentence;
}

// "16", "2.5"
std::string timesAsMany(u64 many, u64 few) {
    return many % few == 0 ? grouped(many / few) : fmt::format("{:.1f}", f64(many) / f64(few));
}

// What the tile that is loaded saves, where its loads need no other explanation.
std::string tileSaves(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here) {
    const Operand& operand = current(facts);
    const auto traffic = explain::tileTraffic(facts, operand, *here.block, in.profile);
    if (!traffic) return {};
    return say(
        in.language,
        model::countsSectors(trace::AccessKind::Load, in.profile) ? kTileSaves : kTileSavesTransactions,
        operand.matrix.name, traffic->requests, traffic->sectors, operand.tile->name,
        grouped(traffic->requestsWithout), grouped(traffic->sectorsWithout),
        timesAsMany(traffic->requestsWithout, traffic->requests),
        timesAsMany(traffic->sectorsWithout, traffic->sectors));
}

std::string loadSentence(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here) {
    const trace::WarpTrace& warp = *here.warp;
    const Language l = in.language;
    const Operand& operand = current(facts);
    std::vector<const Transfer*> mine, ghosts, aliases, outside;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts.round || t.warp != in.cursor.warp) continue;
        mine.push_back(&t);
        if (!t.loadStep && t.asked && !operand.matrix.contains(*t.asked)) ghosts.push_back(&t);
        if (t.isAlias()) aliases.push_back(&t);
        if (t.outside) outside.push_back(&t);
    }
    const auto thread = [&](const Transfer& t) { return threadName(in, t.warp, t.lane); };
    const auto asked = [&](const Transfer& t) { return cellName(operand.matrix, *t.asked); };
    const auto prefer = [&](std::vector<const Transfer*>& list) -> const Transfer& {
        const auto ours =
            std::ranges::find_if(list, [&](const Transfer* t) { return t->lane == in.cursor.lane; });
        return ours == list.end() ? *list.front() : **ours;
    };
    if (!outside.empty() && (aliases.empty() || prefer(outside).lane == in.cursor.lane)) {
        const Transfer& t = prefer(outside);
        return say(l, kSentenceOutside, thread(t),
                   t.asked  ? asked(t)
                   : t.read ? cellName(operand.matrix, *t.read)
                            : operand.matrix.name,
                   operand.matrix.name, t.value);
    }
    if (!aliases.empty()) {
        const Transfer& t = prefer(aliases);
        return say(l, facts.activity == Activity::Keep ? kSentenceAliasKept : kSentenceAlias, thread(t),
                   asked(t), cellName(operand.matrix, *t.read), operand.tile->name);
    }
    if (ghosts.size() == 1)
        return say(l, kSentenceGhost, thread(*ghosts[0]), asked(*ghosts[0]), ghosts[0]->value,
                   operand.tile->name);
    if (!ghosts.empty())
        return withoutBlankBehindOthers(say(l, kSentenceGhosts, enumerated(l, ghosts, thread),
                                            enumerated(l, ghosts, asked), ghosts[0]->value,
                                            operand.tile->name));
    if (std::ranges::any_of(mine, &Transfer::isCopy)) return {};
    if (facts.activity == Activity::Keep)
        return keepSentence(in, warp, facts.accessStep, u32(mine.size()), operand.matrix.name,
                            operand.tile->name);
    return say(l, kSentenceLoad, in.cursor.warp.value, mine.size(), operand.matrix.name) +
           tileSaves(in, facts, here);
}

// What lanes of the warp load that compute no element of P: others need it.
std::string forOthers(const ViewInput& in, const MatmulFacts& facts) {
    const Operand& operand = current(facts);
    if (!facts.textbook) return {};
    std::vector<const Transfer*> found;
    for (const Transfer& t : operand.transfers) {
        if (t.round != facts.round || t.warp != in.cursor.warp || !t.loadStep || !t.read || t.outside ||
            t.isAlias())
            continue;
        if (facts.p.contains(facts.elementOf(
                in.cursor.block, explain::threadOf(launchOf(in.run, in.cursor.launch), t.warp, t.lane))))
            continue;
        found.push_back(&t);
    }
    if (found.empty()) return {};
    const auto thread = [&](const Transfer& t) { return threadName(in, t.warp, t.lane); };
    const auto element = [&](const Transfer& t) { return cellName(operand.matrix, *t.read); };
    const std::string threads = enumerated(in.language, found, thread),
                      elements = enumerated(in.language, found, element);
    return withoutBlankBehindOthers(
        facts.activity == Activity::Keep
            ? say(in.language, kKeepsForOthers, threads, found.size(), elements, facts.p.name,
                  operand.tile->name)
            : say(in.language, kLoadsForOthers, threads, found.size(), elements, facts.p.name));
}

// The lanes that store their sum to P, and the step at which they do; none where the warp stores nothing.
struct StoreOfSums {
    LaneMask lanes;
    std::optional<u32> step;
};
StoreOfSums storeOfSums(const MatmulFacts& facts, const trace::WarpTrace& warp) {
    StoreOfSums store;
    for (u32 s = 0; s < warp.steps.size(); ++s) {
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        if (access.space != trace::Space::Global || !trace::writes(access.kind) || access.active.empty() ||
            bufferOfAddress(warp.address(access, access.active.lowest())) != facts.p.buffer)
            continue;
        store.lanes = store.lanes | access.active;
        if (!store.step) store.step = s;
    }
    return store;
}

// The branch of a loop, which leads to what stands before it.
bool leadsBack(const ptx::Module& module, Pc pc) {
    const auto operands = module.operandsOf(module.at(pc));
    const auto* label = operands.empty() ? nullptr : std::get_if<ptx::LabelOperand>(&operands.front());
    return label && label->target <= pc;
}

std::string storeTest(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here) {
    const std::optional<LaneMask> passing = lanesThatPassStoreTest(in, facts, here);
    if (!passing) return {};
    const u32 exist = explain::lanesOf(*here.block, in.cursor.warp);
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    const LaneMask failing = LaneMask::firstLanes(exist) & ~*passing;
    const Language l = in.language;
    if (failing.empty()) return say(l, kStoreTestHolds, exist);
    if (passing->empty()) return say(l, kStoreTestFailsForAll, exist, facts.p.name);
    constexpr u32 kMost = 3;
    const u32 count = u32(failing.count());
    std::string threads, elements;
    u32 named = 0;
    for (const Lane lane : failing) {
        if (named == kMost) break;
        const std::string between = named == 0         ? ""
                                    : ++named == count ? std::string(kAnd.in(l))
                                                       : std::string(kComma.in(l));
        named += named == 0;
        threads += between + threadName(in, in.cursor.warp, lane);
        elements +=
            between + cellName(facts.p, facts.elementOf(in.cursor.block,
                                                        explain::threadOf(launch, in.cursor.warp, lane)));
    }
    if (count > kMost) threads += std::string(kAndOthers.in(l)), elements += std::string(kAndOthers.in(l));
    return say(l, kStoreTestFails, threads, count, elements);
}

// Whether the cursor's instruction works on the sum itself, of which the picture is.
bool worksOnTheSum(const ViewInput& in, const CursorContext& here) {
    const Pc pc = here.step->pc;
    if (pc.value >= in.run.module->instructions.size()) return false;
    const std::string_view form = in.run.module->at(pc).form;
    return ptx::isFloat(in.run.module->at(pc).types[0]) &&
           (form.starts_with("fma") || form.starts_with("mad") || form.starts_with("mul") ||
            form.starts_with("add"));
}

std::string multiplySentence(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here) {
    const Accumulator a = accumulatorOf(in.run, facts, *here.block, in.cursor.warp, in.cursor.lane);
    if (!a.m || !a.n) return {};
    const auto name = [&](const Operand& operand, u64 place) {
        return facts.tiled() ? placeName(*operand.tile, place)
                             : cellName(operand.matrix, {s64(place / operand.matrix.columns),
                                                         s64(place % operand.matrix.columns)});
    };
    return say(in.language, kSentenceMultiply, threadName(in, in.cursor.warp, in.cursor.lane),
               name(facts.m, a.m->place), explain::numberText(a.m->value, true), name(facts.n, a.n->place),
               explain::numberText(a.n->value, true), explain::numberText(a.sum, true), a.products);
}

// Whether what the stage shows is over, and the cursor's instruction does something else.
bool showsTheLast(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here) {
    if (!facts.between || facts.activity == Activity::SetUp) return false;
    return facts.activity != Activity::Multiply || !worksOnTheSum(in, here);
}

ProductMoment momentOf(const MatmulFacts& facts, bool isOver) {
    return {.m = facts.m.matrix.name,
            .n = facts.n.matrix.name,
            .p = facts.p.name,
            .doing = {facts.activity, facts.onN},
            .next = facts.next,
            .tile = facts.round,
            .tiles = facts.tiled() ? facts.rounds : 0,
            .lastAccess = isOver ? std::optional(facts.accessStep) : std::nullopt};
}

using Row = LaneTable::Row;

// A fraction with as many digits as the column has room for.
std::string briefly(const std::string& value) {
    constexpr u32 kRoom = 7;
    if (value.size() <= kRoom || value.find('.') == std::string::npos) return value;
    return explain::numberText(std::strtod(value.c_str(), nullptr), true, kRoom);
}

Row rowOf(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here, Lane lane) {
    Row row{.first = {}, .last = {}, .mark = {}};
    if (facts.activity == Activity::Load || facts.activity == Activity::Keep ||
        facts.activity == Activity::SetUp) {
        const Operand& operand = current(facts);
        const Transfer* t = transferOf(facts, operand, in.cursor.warp, lane);
        if (!t) return row;
        if (t->asked)
            row.first = cellName(operand.matrix, *t->asked);
        else if (t->read)
            row.first = cellName(operand.matrix, *t->read);
        if (facts.activity == Activity::SetUp) return row;  // nothing has been read yet
        row.mark = t->loadStep.has_value();
        row.astray = t->loadStep && (t->outside || t->isAlias());
        row.last = briefly(t->value);
        return row;
    }
    const Accumulator a = accumulatorOf(in.run, facts, *here.block, in.cursor.warp, lane);
    if (facts.activity == Activity::Result) {
        row.first =
            a.storedAt
                ? cellName(facts.p, *a.storedAt)
                : cellName(facts.p, facts.elementOf(in.cursor.block,
                                                    explain::threadOf(launchOf(in.run, in.cursor.launch),
                                                                      in.cursor.warp, lane)));
        row.mark = a.stored.has_value();
        row.last = explain::numberText(a.stored.value_or(a.sum), true, 7);
        return row;
    }
    if (a.m && a.n)
        row.first =
            explain::numberText(a.m->value, true, 5) + " × " + explain::numberText(a.n->value, true, 5);
    row.last = explain::numberText(a.sum, true, 7);
    return row;
}

}  // namespace

std::string matmulCaption(const ViewInput& in, const MatmulFacts& facts) {
    const CursorContext here = lookUp(in.run, in.cursor);
    return productCaption(in, momentOf(facts, here.step && showsTheLast(in, facts, here)));
}

// The steps of the conditional branch's line behind the last product and before the store. Which threads it
// lets pass is what the record shows; what their elements are, their coordinates.
std::optional<LaneMask> lanesThatPassStoreTest(const ViewInput& in, const MatmulFacts& facts,
                                               const CursorContext& here) {
    if (facts.activity != Activity::Multiply || !facts.between ||
        (facts.next && facts.next->activity != Activity::Result))
        return std::nullopt;
    const ptx::Module& module = *in.run.module;
    const StoreOfSums store = storeOfSums(facts, *here.warp);
    const u32 end = store.step.value_or(u32(here.warp->steps.size()));
    const explain::SourceLine line = explain::lineOf(module, here.step->pc);
    bool isTested = false;
    for (u32 s = facts.accessStep + 1; s < end && !isTested; ++s) {
        const Pc pc = here.warp->steps[s].pc;
        isTested = explain::isConditionalBranch(module, pc) &&
                   !std::ranges::binary_search(here.warp->barrierSteps, s) &&
                   explain::lineOf(module, pc) == line && line.line != 0 && !leadsBack(module, pc);
    }
    if (!isTested || !facts.textbook) return std::nullopt;
    const LaneMask exist = LaneMask::firstLanes(explain::lanesOf(*here.block, in.cursor.warp));
    const Launch& launch = launchOf(in.run, in.cursor.launch);
    for (const Lane lane : exist & ~store.lanes)  // another test than the one for bounds
        if (facts.p.contains(
                facts.elementOf(in.cursor.block, explain::threadOf(launch, in.cursor.warp, lane))))
            return std::nullopt;
    return store.lanes & exist;
}

std::string transferSentence(const ViewInput& in, const Operand& operand, const Transfer& t) {
    const Language l = in.language;
    const std::string thread = threadName(in, t.warp, t.lane);
    if (!t.loadStep)
        return say(l, kTransferGhost, thread,
                   t.asked ? cellName(operand.matrix, *t.asked) : operand.matrix.name, t.value);
    if (t.outside)
        return say(l, kSentenceOutside, thread,
                   t.asked ? cellName(operand.matrix, *t.asked) : cellName(operand.matrix, *t.read),
                   operand.matrix.name, t.value);
    if (t.isAlias())
        return say(l, kSentenceAlias, thread, cellName(operand.matrix, *t.asked),
                   cellName(operand.matrix, *t.read));
    return say(l, kTransferRead, thread, cellName(operand.matrix, *t.read), t.value,
               placeName(*operand.tile, t.place));
}

std::string matmulSentence(const ViewInput& in, const MatmulFacts& facts, const CursorContext& here) {
    const auto own = [&] {
        return explain::sentenceAt(*in.run.module, in.run.recording, *here.block, in.cursor.warp,
                                   in.cursor.step, in.profile, explain::arrayShapes(in.run, in.cursor.launch))
            .in(in.language);
    };
    const bool isLoad = facts.activity == Activity::Load || facts.activity == Activity::Keep;
    if (showsTheLast(in, facts, here)) {
        const std::string test = storeTest(in, facts, here);
        if (!test.empty()) return withoutBlankBehindOthers(own() + test);  // the heading has the rest
        return own() + pictureOf(momentOf(facts, true), in.language);
    }
    std::string text = isLoad ? loadSentence(in, facts, here) + forOthers(in, facts)
                       : facts.activity == Activity::Multiply ? multiplySentence(in, facts, here)
                                                              : std::string();
    return text.empty() ? own() : text;
}

f32 matmulTableHeight(const ViewInput& in, const MatmulFacts&, const CursorContext& here, const Rect& side) {
    return laneTableHeight(in, here, side);
}

void drawMatmulTable(Canvas& canvas, const ViewInput& in, const MatmulFacts& facts, const CursorContext& here,
                     const Rect& area) {
    const bool loads = facts.activity == Activity::Load || facts.activity == Activity::Keep ||
                       facts.activity == Activity::SetUp,
               isResult = facts.activity == Activity::Result;
    const LaneTable table{.first = facts.activity == Activity::SetUp ? kColumnWillAsk
                                   : loads                           ? kColumnAsks
                                   : isResult                        ? kColumnElement
                                                                     : kColumnFactors,
                          .last = loads      ? kColumnGets
                                  : isResult ? kColumnValue
                                             : kSum,
                          .marks = facts.activity == Activity::Multiply ? nullptr
                                   : isResult                           ? &kColumnWrites
                                                                        : &kColumnReads,
                          .rowOf = [&](Lane lane) { return rowOf(in, facts, here, lane); }};
    drawLaneTable(canvas, in, here, area, table);
}

}  // namespace lockstep::viz
