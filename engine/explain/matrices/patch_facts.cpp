#include "explain/matrices/patch_facts.h"

#include "base/device_addresses.h"
#include "base/element_value.h"
#include "explain/numbers.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

namespace lockstep::explain {
namespace {

using Moved = MatmulBlock::Moved;
using trace::AccessKind, trace::FocusBlock, trace::Space, trace::StoredAccess, trace::WarpTrace;

u32 bytesOf(const Recorded& run, const Matrix& matrix) {
    return info(run.recording.initial[matrix.buffer].type).bytes;
}

std::optional<u32> bufferAt(Space space, u64 address) {
    return space == Space::Global ? bufferOfAddress(address) : std::nullopt;
}

// What a step puts into shared memory, from a register or from global memory; null: nothing.
const StoredAccess* keptBy(const WarpTrace& warp, u32 step) {
    const StoredAccess* access = accessOf(warp, step);
    const bool puts = access && access->space == Space::Shared &&
                      (access->kind == AccessKind::Store || access->kind == AccessKind::AsyncCopy);
    if (puts && !access->active.empty()) return access;  // of a copy that reads nothing, zeros
    const StoredAccess* copy = access ? copiedTo(warp, step) : nullptr;
    return copy && !copy->active.empty() ? copy : nullptr;
}

// An element that a thread stores to shared memory, and which load of a matrix it came from.
struct Keeping {
    Moved moved;
    u64 place = 0;
    u32 interval = 0;              // between barriers
    std::optional<s64> element{};  // of the matrix; none: made up by the kernel
};

// All of them that go to an array, and come from the matrix or are made up.
std::vector<Keeping> keepingsOf(const Recorded& run, const FocusBlock& block, const BlockFlow& flow,
                                const Matrix& matrix, const SharedArray& array, u64 first, u64 end) {
    std::vector<Keeping> all;
    const u32 bytes = array.elementBytes, elementBytes = bytesOf(run, matrix);
    std::size_t most = 0;
    for (const WarpTrace& warp : block.warps)
        for (const StoredAccess& access : warp.accesses)
            if (access.space == Space::Shared && access.kind != AccessKind::Load)
                most += std::size_t(access.active.count()) * (access.widthBytes / bytes);
    all.reserve(most);
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const WarpTrace& warp = block.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            const StoredAccess* kept = keptBy(warp, s);
            if (!kept || !array.contains(warp.address(*kept, kept->active.lowest()))) continue;
            const StoredAccess& access = *kept;
            for (const Lane lane : access.active)
                for (u32 part = 0; (part + 1) * bytes <= access.widthBytes; ++part) {
                    const u64 place = (warp.address(access, lane) - array.base) / bytes + part;
                    if (place < first || place >= end) continue;
                    const Origin value = flow.originOfStored({Warp{w}, lane, s}, part * bytes, bytes);
                    const auto load = bufferLoadBehind(flow, value);
                    Keeping keeping{.moved = {.storeStep = s, .warp = u16(w), .lane = u8(lane.value)},
                                    .place = place,
                                    .interval = warp.phaseOf(s)};
                    keeping.moved.storePart = u8(part);
                    if (load && load->at.warp.value == w) {
                        const u64 from = flow.loadedFrom(*load)->address;
                        if (bufferOfAddress(from) != matrix.buffer) continue;
                        const StoredAccess& read = warp.accesses[warp.steps[load->at.step].access];
                        keeping.moved.loadStep = load->at.step;
                        keeping.moved.loadLane = u8(load->at.lane.value);
                        keeping.moved.loadPart =
                            u8((from - warp.address(read, load->at.lane)) / elementBytes);
                        keeping.element = s64(from - deviceAddressOf(matrix.buffer)) / s64(elementBytes);
                    } else if (!(value.isMadeUp() || value.kind == Origin::Kind::Nothing ||
                                 (value.kind == Origin::Kind::Computed && flow.loadsBehind(value).empty()))) {
                        continue;  // of several elements
                    }
                    all.push_back(keeping);
                }
        }
    }
    return all;
}

// Which filling of the tile each belongs to: the barriers part them. Where threads fill a place twice between
// two barriers, each thread's own repetitions do.
std::vector<u32> roundsOf(const std::vector<Keeping>& all) {
    std::vector<u32> intervals;  // those in which anything is kept: their numbers are the rounds
    for (const Keeping& kept : all)
        if (intervals.empty() || intervals.back() != kept.interval) intervals.push_back(kept.interval);
    std::ranges::sort(intervals);
    intervals.erase(std::ranges::unique(intervals).begin(), intervals.end());
    std::vector<u32> rounds(all.size());
    std::vector<u32> begins(intervals.size() + 1);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool isSame = i > 0 && all[i].interval == all[i - 1].interval;
        rounds[i] = isSame ? rounds[i - 1]
                           : u32(std::ranges::lower_bound(intervals, all[i].interval) - intervals.begin());
        ++begins[rounds[i] + 1];
    }
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<u64> inOrder(all.size());  // round by round
    for (std::size_t i = 0; i < all.size(); ++i)
        inOrder[begins[rounds[i]]++] = all[i].place;
    std::vector<u32> filled(all.empty() ? 0 : std::ranges::max(inOrder) + 1);  // by place: the last round + 1
    std::size_t repeated = 0, at = 0;
    for (u32 round = 0; round < intervals.size(); ++round)
        for (; at < begins[round]; ++at)  // where the next one began
            repeated += std::exchange(filled[inOrder[at]], round + 1) == round + 1;
    if (4 * repeated < all.size()) return rounds;
    std::map<std::pair<u16, u8>, std::pair<u32, std::set<u64>>> threads;
    for (std::size_t i = 0; i < all.size(); ++i) {
        auto& [round, places] = threads[{all[i].moved.warp, all[i].moved.lane}];
        if (!places.insert(all[i].place).second) ++round, places = {all[i].place};
        rounds[i] = round;
    }
    return rounds;
}

// Where in an array the elements of a matrix are kept: the one that most of what is loaded from it goes to.
struct Region {
    const SharedArray* array = nullptr;
    u64 first = 0, end = 0;  // places
};
std::optional<Region> regionOf(const FocusBlock& block, const BlockFlow& flow, const Matrix& matrix,
                               const std::vector<SharedArray>& arrays) {
    constexpr std::size_t kEnough = 4000;  // elements settle it
    struct Votes {
        std::size_t count = 0;
        u64 first = ~u64{0}, last = 0;
    };
    std::vector<Votes> votes(arrays.size());
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const WarpTrace& warp = block.warps[w];
        std::size_t looked = 0;
        for (u32 s = 0; s < warp.steps.size() && looked < kEnough; ++s) {
            const StoredAccess* kept = keptBy(warp, s);
            if (!kept) continue;
            const StoredAccess& access = *kept;
            for (const Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                const auto array =
                    std::ranges::find_if(arrays, [&](const SharedArray& a) { return a.contains(address); });
                if (array == arrays.end()) continue;
                ++looked;
                const auto load =
                    bufferLoadBehind(flow, flow.originOfStored({Warp{w}, lane, s}, 0, array->elementBytes));
                if (!load || bufferOfAddress(flow.loadedFrom(*load)->address) != matrix.buffer) continue;
                Votes& vote = votes[std::size_t(array - arrays.begin())];
                const u64 place = (address - array->base) / array->elementBytes,
                          last = place + access.widthBytes / array->elementBytes - 1;
                ++vote.count, vote.first = std::min(vote.first, place), vote.last = std::max(vote.last, last);
            }
        }
    }
    const auto most = std::ranges::max_element(votes, {}, &Votes::count);
    if (most == votes.end() || most->count == 0) return std::nullopt;
    return Region{&arrays[std::size_t(most - votes.begin())], most->first, most->last + 1};
}

bool fillTile(const Recorded& run, const FocusBlock& block, const BlockFlow& flow, const Region& region,
              PatchOperand& operand) {
    operand.tile = *region.array;
    operand.firstPlace = region.first, operand.endPlace = region.end;
    const std::vector<Keeping> all =
        keepingsOf(run, block, flow, operand.matrix, *region.array, region.first, region.end);
    const std::vector<u32> rounds = roundsOf(all);
    if (rounds.empty()) return false;
    const u32 count = *std::ranges::max_element(rounds) + 1;
    std::vector<KeptElement> known;
    std::vector<std::vector<u64>> filled(count);
    operand.rounds.resize(count);
    known.reserve(all.size());
    for (u32 round = 0; round < count; ++round) {
        filled[round].reserve(all.size() / count);
        operand.rounds[round].reserve(all.size() / count);
    }
    const s64 columns = s64(operand.matrix.columns);
    const u64 elements = operand.matrix.rows * operand.matrix.columns;
    for (std::size_t i = 0; i < all.size(); ++i) {
        operand.rounds[rounds[i]].push_back(all[i].moved);
        filled[rounds[i]].push_back(all[i].place);
        if (!all[i].element || *all[i].element < 0 || u64(*all[i].element) >= elements) continue;
        const s64 row = *all[i].element / columns, column = *all[i].element % columns;
        known.push_back({rounds[i], all[i].place, operand.isN ? column : row, operand.isN ? row : column});
    }
    auto spots = tileSpots(known, filled, region.array->elements(), !operand.isN);
    if (!spots) return false;
    operand.spots = std::move(*spots);
    return true;
}

// Made of a record's place.
struct Reader {
    const Recorded& run;
    const FocusBlock& block;
    const PatchOperand& operand;

    static std::pair<u64, std::span<const std::byte>> part(const WarpTrace& warp, const StoredAccess& access,
                                                           Lane lane, u32 number, u32 bytes) {
        return {warp.address(access, lane) + u64{number} * bytes,
                warp.value(access, lane).subspan(std::size_t{number} * bytes, bytes)};
    }
    Transfer transfer(const Moved& moved, u32 round) const {
        const WarpTrace& warp = block.warps[moved.warp];
        const Lane lane{moved.lane};
        const auto [place, stored] =
            part(warp, *keptBy(warp, moved.storeStep), lane, moved.storePart, operand.tile->elementBytes);
        Transfer t{.warp = Warp{moved.warp},
                   .lane = lane,
                   .round = round,
                   .loadStep = {},
                   .storeStep = moved.storeStep,
                   .storeOrder = warp.steps[moved.storeStep].order,
                   .place = operand.placeOf(place),
                   .bytes = stored,
                   .value = {},
                   .asked = {},
                   .read = {}};
        if (const auto spot = operand.spots.at(t.place)) t.asked = operand.cellOf(*spot, round);
        const ElementType type = run.recording.initial[operand.matrix.buffer].type;
        if (moved.loadStep == Moved::kMadeUp) {
            const bool isSame = stored.size() == info(type).bytes;
            t.value = valueText(stored, isSame ? ptxType(type) : operand.tile->type);
            return t;
        }
        const u32 bytes = info(type).bytes;
        const auto [address, value] =
            part(warp, *accessOf(warp, moved.loadStep), Lane{moved.loadLane}, moved.loadPart, bytes);
        t.loadStep = moved.loadStep;
        t.loadOrder = warp.steps[moved.loadStep].order;
        t.bytes = value;
        t.value = valueText(value, ptxType(type));
        const s64 element = s64(address - deviceAddressOf(operand.matrix.buffer)) / s64(bytes);
        t.outside = element < 0 || u64(element) >= operand.matrix.rows * operand.matrix.columns;
        if (!t.outside) t.read = operand.matrix.cellOf(u64(element));
        // The tile's layout expects another element here: which one the kernel meant is not known.
        if (t.asked && t.asked->row * s64(operand.matrix.columns) + t.asked->column != element)
            t.asked.reset();
        return t;
    }
};

std::vector<Transfer> nearby(const Recorded& run, const FocusBlock& block, const PatchOperand& operand,
                             u32 round) {
    std::vector<Transfer> transfers;
    if (!operand.tile) return transfers;
    const Reader reader{run, block, operand};
    for (u32 r = round > 0 ? round - 1 : 0; r <= round + 1 && r < operand.rounds.size(); ++r)
        for (const Moved& moved : operand.rounds[r])
            transfers.push_back(reader.transfer(moved, r));
    return transfers;
}

// The elements of P that the block's threads store.
void findStored(const Recorded& run, PatchBlock& block) {
    const ElementType type = run.recording.initial[block.p.buffer].type;
    const u32 bytes = info(type).bytes;
    for (u32 w = 0; w < block.block->warps.size(); ++w) {
        const WarpTrace& warp = block.block->warps[w];
        std::map<std::pair<u32, u64>, PatchBlock::Stored> last;  // by lane and element
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const StoredAccess& access = warp.accesses[warp.steps[s].access];
            if (!trace::writes(access.kind)) continue;
            for (const Lane lane : access.active) {
                const u64 address = warp.address(access, lane);
                if (bufferAt(access.space, address) != block.p.buffer) break;
                for (u32 part = 0; (part + 1) * bytes <= access.widthBytes; ++part) {
                    const u64 element = (address - deviceAddressOf(block.p.buffer)) / bytes + part;
                    last[{lane.value, element}] = {
                        block.p.cellOf(element), s, warp.steps[s].order,
                        numberOf(warp.value(access, lane).subspan(part * bytes, bytes), type)};
                }
            }
        }
        for (const auto& [at, stored] : last)
            block.stored[{w, at.first}].push_back(stored);
    }
}

// The rows and columns that the tiles reach over, and those of what is stored.
void findPart(PatchBlock& block) {
    std::optional<s64> firstRow, lastRow, firstColumn, lastColumn;
    const auto include = [](std::optional<s64>& first, std::optional<s64>& last, s64 from, s64 to) {
        first = std::min(first.value_or(from), from), last = std::max(last.value_or(to), to);
    };
    for (const s64 line : block.m.spots.firstLine)
        include(firstRow, lastRow, line, line + block.m.spots.lines - 1);
    for (const s64 line : block.n.spots.firstLine)
        include(firstColumn, lastColumn, line, line + block.n.spots.lines - 1);
    for (const auto& [thread, stored] : block.stored)
        for (const PatchBlock::Stored& one : stored)
            include(firstRow, lastRow, one.cell.row, one.cell.row),
                include(firstColumn, lastColumn, one.cell.column, one.cell.column);
    block.firstRow = firstRow.value_or(0), block.rows = u32(lastRow.value_or(0) - block.firstRow + 1);
    block.firstColumn = firstColumn.value_or(0),
    block.columns = u32(lastColumn.value_or(0) - block.firstColumn + 1);
}

std::optional<FactorOf> factorIn(const PatchBlock& block, Space space, u64 address) {
    for (const PatchOperand* operand : {&block.m, &block.n}) {
        if (space == Space::Shared && operand->holds(address)) {
            const auto spot = operand->spots.at(operand->placeOf(address));
            if (!spot) return std::nullopt;
            // Of its first tile: which one it is of says what was put there (sumsOf).
            const s64 line = operand->spots.firstLine.front() + spot->line;
            return FactorOf{operand->isN, operand->isN ? CellIndex{0, line} : CellIndex{line, 0}};
        }
        if (!operand->tile && bufferAt(space, address) == operand->matrix.buffer) {
            const u64 element =
                (address - deviceAddressOf(operand->matrix.buffer)) / bytesOf(block.run, operand->matrix);
            return FactorOf{operand->isN, operand->matrix.cellOf(element)};
        }
    }
    return std::nullopt;
}

// What a step does for the product; none: something else.
std::optional<Doing> doingOf(const PatchBlock& block, const WarpTrace& warp, u32 step,
                             const std::set<u32>& productPcs) {
    if (productPcs.contains(warp.steps[step].pc.value)) return Doing{Activity::Multiply, false};
    if (warp.steps[step].access == trace::Step::kNone) return std::nullopt;
    const StoredAccess& access = warp.accesses[warp.steps[step].access];
    if (access.active.empty()) return std::nullopt;
    const u64 address = warp.address(access, access.active.lowest());
    for (const PatchOperand* operand : {&block.m, &block.n}) {
        if (bufferAt(access.space, address) == operand->matrix.buffer && !trace::writes(access.kind))
            return Doing{operand->tile ? Activity::Load : Activity::Multiply, operand->isN};
        if (access.space == Space::Shared && operand->holds(address))
            return Doing{access.kind == AccessKind::Load ? Activity::Multiply : Activity::Keep, operand->isN};
    }
    if (trace::writes(access.kind) && bufferAt(access.space, address) == block.p.buffer)
        return Doing{Activity::Result, false};
    return std::nullopt;
}

// Which filling of the operand's tile the step works on.
std::optional<u32> roundOfStep(const PatchBlock& block, const PatchOperand& operand, u32 w, u32 step,
                               Activity activity) {
    const WarpTrace& warp = block.block->warps[w];
    if (activity == Activity::Load || activity == Activity::Keep) {
        for (u32 r = 0; r < operand.rounds.size(); ++r)
            for (const Moved& moved : operand.rounds[r])
                if (moved.warp == w &&
                    (activity == Activity::Load ? moved.loadStep : moved.storeStep) == step)
                    return r;
        return std::nullopt;
    }
    if (warp.steps[step].access == trace::Step::kNone) return std::nullopt;
    const StoredAccess& access = warp.accesses[warp.steps[step].access];
    const u64 place = operand.placeOf(warp.address(access, access.active.lowest()));
    std::optional<u32> latest;
    for (u32 r = 0; r < operand.rounds.size(); ++r)
        for (const Moved& moved : operand.rounds[r]) {
            const WarpTrace& of = block.block->warps[moved.warp];
            const trace::Step& store = of.steps[moved.storeStep];
            if (store.order < warp.steps[step].order &&
                operand.placeOf(of.address(*keptBy(of, moved.storeStep), Lane{moved.lane})) +
                        moved.storePart ==
                    place)
                latest = r;
        }
    return latest;
}

}  // namespace

const ThreadSums& PatchBlock::sumsOf(Warp warp, Lane lane) const {
    const auto [found, isNew] = sums.try_emplace({warp.value, lane.value});
    const BlockFlow* all = isNew ? flow->get() : nullptr;
    if (all) {
        found->second = threadSums(run, *block, *all, warp, lane, p, [this](Space space, u64 address) {
            return factorIn(*this, space, address);
        });
        // What is stored nowhere stands where its factors came from, where their places do not say it: they
        // are of other lines from tile to tile.
        const auto changes = [](const PatchOperand& operand) {
            return !std::ranges::all_of(operand.spots.firstLine,
                                        [&](s64 line) { return line == operand.spots.firstLine.front(); });
        };
        const bool mChanges = changes(m), nChanges = changes(n);
        std::vector<bool> isNamed(found->second.sums.size());
        for (const ThreadSums::Product& product : found->second.products) {
            ThreadSums::Sum& sum = found->second.sums[product.sum];
            if (sum.storeStep || isNamed[product.sum]) continue;
            isNamed[product.sum] = true;
            if (const auto source = mChanges ? sourceOf(m, warp, product.m) : std::nullopt)
                sum.cell.row = source->row;
            if (const auto source = nChanges ? sourceOf(n, warp, product.n) : std::nullopt)
                sum.cell.column = source->column;
        }
    }
    return found->second;
}

std::optional<CellIndex> PatchBlock::sourceOf(const PatchOperand& operand, Warp warp,
                                              const ThreadSums::Factor& factor) const {
    if (!operand.tile) return factor.cell;
    const BlockFlow* all = flow->get();
    const trace::WarpTrace& trace = block->warps[warp.value];
    const StoredAccess& access = trace.accesses[trace.steps[factor.step].access];
    const auto stored = all->originOfLoaded(ThreadStep{warp, factor.lane, factor.step},
                                            u32(factor.address - trace.address(access, factor.lane)),
                                            operand.tile->elementBytes);
    const auto load = stored ? bufferLoadBehind(*all, *stored) : std::nullopt;
    if (!load) return std::nullopt;
    const u64 address = all->loadedFrom(*load)->address;
    if (bufferOfAddress(address) != operand.matrix.buffer) return std::nullopt;
    const u64 element = (address - deviceAddressOf(operand.matrix.buffer)) / bytesOf(run, operand.matrix);
    return element < operand.matrix.rows * operand.matrix.columns
               ? std::optional(operand.matrix.cellOf(element))
               : std::nullopt;
}

std::shared_ptr<const PatchBlock> patchBlock(const Recorded& run, const Cursor& cursor,
                                             const MatmulRoles& roles,
                                             const std::shared_ptr<const LazyFlow>& lazy) {
    const CursorContext here = lookUp(run, cursor);
    const BlockFlow* flow = here.block ? lazy->get() : nullptr;
    if (!flow) return nullptr;
    auto block = std::make_shared<PatchBlock>(PatchBlock{.m = {.matrix = roles.m},
                                                         .n = {.matrix = roles.n, .isN = true},
                                                         .p = roles.p,
                                                         .run = run,
                                                         .block = here.block,
                                                         .flow = lazy});
    const std::vector<SharedArray> arrays = sharedArrays(run, cursor.launch);
    std::array<std::optional<Region>, 2> regions{regionOf(*here.block, *flow, roles.m, arrays),
                                                 regionOf(*here.block, *flow, roles.n, arrays)};
    if (regions[0] && regions[1] && regions[0]->array == regions[1]->array) {
        // Both tiles in one array: each has its part of it.
        const bool isMFirst = regions[0]->first < regions[1]->first;
        Region &low = *regions[isMFirst ? 0 : 1], &high = *regions[isMFirst ? 1 : 0];
        if (low.end > high.first) return nullptr;
        low.end = high.first, high.end = high.array->elements();
    } else {
        for (std::optional<Region>& region : regions)
            if (region) region->first = 0, region->end = region->array->elements();
    }
    for (const auto& [region, operand] :
         {std::pair(&regions[0], &block->m), std::pair(&regions[1], &block->n)})
        if (*region && !fillTile(run, *here.block, *flow, **region, *operand)) return nullptr;
    findStored(run, *block);
    findPart(*block);
    const Warp warp{block->stored.empty() ? cursor.warp.value : block->stored.begin()->first.first};
    const Lane lane{block->stored.empty() ? cursor.lane.value : block->stored.begin()->first.second};
    constexpr u32 kMostAcross = 4096;
    const std::size_t sums = block->sumsOf(warp, lane).sums.size();
    if (sums == 0 || block->rows > kMostAcross || block->columns > kMostAcross) return nullptr;
    // Much more than the block's threads compute: where the matrices are narrower than a tile, rows beyond
    // their ends are taken for others.
    constexpr u64 kMostEmpty = 4;
    const u64 computed = sums * launchOf(run, cursor.launch).block.count();
    if (u64{block->rows} * block->columns > kMostEmpty * computed) return nullptr;
    return block;
}

std::optional<PatchFacts> patchFacts(const Recorded& run, const Cursor& cursor,
                                     const std::shared_ptr<const PatchBlock>& block) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.step || here.block != block->block) return std::nullopt;
    PatchFacts facts{.block = block, .order = here.step->order};
    facts.sums = &block->sumsOf(cursor.warp, cursor.lane);
    facts.now = facts.sums->after(cursor.step + 1);
    std::set<u32> productPcs;
    for (const ThreadSums::Product& product : facts.sums->products) {
        productPcs.insert(here.warp->steps[product.step].pc.value);
        if (product.step == cursor.step) facts.product = &product;
    }
    facts.actStep = cursor.step;
    for (u32 s = cursor.step + 1; s-- > 0;)
        if (const auto doing = doingOf(*block, *here.warp, s, productPcs)) {
            facts.activity = doing->activity, facts.onN = doing->onN;
            facts.between = s != cursor.step, facts.actStep = facts.accessStep = s;
            break;
        }
    while (facts.accessStep > 0 && !doingOf(*block, *here.warp, facts.accessStep, {}))
        --facts.accessStep;
    for (u32 s = cursor.step + 1; facts.between && !facts.next && s < here.warp->steps.size(); ++s)
        facts.next = doingOf(*block, *here.warp, s, productPcs);
    // The tiles that are worked on: of a product those that its factors were last read from, else the last
    // one that the warp has had to do with.
    const auto roundOf = [&](const PatchOperand& operand) -> u32 {
        for (const bool onlyReads : {facts.activity == Activity::Multiply, false})
            for (u32 s = facts.actStep + 1; operand.tile && s-- > 0;) {
                const auto doing = doingOf(*block, *here.warp, s, {});
                if (!doing || doing->onN != operand.isN || doing->activity == Activity::Result) continue;
                if (onlyReads && doing->activity != Activity::Multiply) continue;
                if (const auto round = roundOfStep(*block, operand, cursor.warp.value, s, doing->activity))
                    return *round;
            }
        return 0;
    };
    facts.roundOfM = roundOf(block->m), facts.roundOfN = roundOf(block->n);
    facts.m = nearby(run, *here.block, block->m, facts.roundOfM);
    facts.n = nearby(run, *here.block, block->n, facts.roundOfN);
    return facts;
}

PatchExtents extentsOf(std::span<const CellIndex> cells) {
    std::set<s64> rows, columns;
    std::set<std::pair<s64, s64>> all;
    for (const CellIndex& cell : cells)
        rows.insert(cell.row), columns.insert(cell.column), all.insert({cell.row, cell.column});
    return {{rows.begin(), rows.end()},
            {columns.begin(), columns.end()},
            all.size() == rows.size() * columns.size()};
}

}  // namespace lockstep::explain
