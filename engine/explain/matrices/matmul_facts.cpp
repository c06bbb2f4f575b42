// Reads the facts of a matrix multiply from a recording.
#include "explain/matrices/matmul_facts.h"

#include "base/device_addresses.h"
#include "base/element_value.h"
#include "explain/numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::explain {
namespace {

using trace::AccessKind, trace::FocusBlock, trace::Space, trace::StoredAccess, trace::WarpTrace;

std::optional<Matrix> findMatrix(const Recorded& run, std::string_view name) {
    const auto& buffers = run.recording.initial;
    const auto found = std::ranges::find(buffers, name, &Buffer::name);
    if (found == buffers.end() || found->shape.empty()) return std::nullopt;
    Matrix matrix{u32(found - buffers.begin()), std::string(name), 1, found->shape.back()};
    for (std::size_t i = 0; i + 1 < found->shape.size(); ++i)
        matrix.rows *= found->shape[i];
    return matrix.rows && matrix.columns ? std::optional(matrix) : std::nullopt;
}

u32 elementBytes(const Recorded& run, const Matrix& matrix) {
    return info(run.recording.initial[matrix.buffer].type).bytes;
}

bool isLoadOf(const StoredAccess& access, const Matrix& matrix, const WarpTrace& warp) {
    if (access.space != Space::Global || access.kind != AccessKind::Load || access.active.empty())
        return false;
    return bufferOfAddress(warp.address(access, access.active.lowest())) == matrix.buffer;
}

const SharedArray* arrayAt(const std::vector<SharedArray>& arrays, u64 address) {
    const auto found =
        std::ranges::find_if(arrays, [&](const SharedArray& a) { return a.contains(address); });
    return found == arrays.end() ? nullptr : &*found;
}

// Whether every thread writes one element of P at most: what a thread has read then belongs to one sum.
bool hasOneSumPerThread(const FocusBlock& block, const Matrix& p, u32 bytes) {
    for (const WarpTrace& warp : block.warps) {
        LaneMask wrote;
        for (const StoredAccess& access : warp.accesses) {
            if (access.space != Space::Global || !trace::writes(access.kind) || access.active.empty())
                continue;
            if (bufferOfAddress(warp.address(access, access.active.lowest())) != p.buffer) continue;
            if (access.widthBytes > bytes || !(wrote & access.active).empty()) return false;
            wrote = wrote | access.active;
        }
    }
    return true;
}

// The kernel's own value, which no memory is behind.
bool isMadeUp(const BlockFlow& flow, const Origin& value) {
    return value.isMadeUp() || value.kind == Origin::Kind::Nothing ||
           (value.kind == Origin::Kind::Computed && flow.loadsBehind(value).empty());
}

// Which array the elements of each matrix are kept in: that into which threads most often store what they
// have loaded from it.
std::array<const SharedArray*, 2> findTiles(const FocusBlock& block, const BlockFlow& flow,
                                            const std::array<Matrix, 2>& matrices,
                                            const std::vector<SharedArray>& arrays, u32 bytes) {
    constexpr u32 kEnoughAccesses = 600;  // a few rounds settle it
    std::vector<std::array<u32, 2>> votes(arrays.size());
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const WarpTrace& warp = block.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            const u32 number = warp.steps[s].access;
            if (number == trace::Step::kNone) continue;
            if (number >= kEnoughAccesses) break;
            const StoredAccess& access = warp.accesses[number];
            if (access.space != Space::Shared || access.kind != AccessKind::Store) continue;
            for (const Lane lane : access.active) {
                const SharedArray* array = arrayAt(arrays, warp.address(access, lane));
                if (!array) continue;
                const auto load = bufferLoadBehind(flow, flow.originOfStored({Warp{w}, lane, s}, 0, bytes));
                if (!load) continue;
                const auto buffer = bufferOfAddress(flow.loadedFrom(*load)->address);
                for (u32 which = 0; which < 2; ++which)
                    votes[std::size_t(array - arrays.data())][which] += buffer == matrices[which].buffer;
            }
        }
    }
    std::array<const SharedArray*, 2> tiles{};
    for (u32 which = 0; which < 2; ++which) {
        u32 most = 0;
        for (std::size_t a = 0; a < arrays.size(); ++a)
            if (votes[a][which] > most && votes[a][which] >= votes[a][1 - which])
                most = votes[a][which], tiles[which] = &arrays[a];
    }
    return tiles[0] != tiles[1] ? tiles : std::array<const SharedArray*, 2>{};
}

using Moved = MatmulBlock::Moved;

// One operand of one block, to make Transfers of what was moved.
struct Reader {
    Reader(const Recorded& run, const FocusBlock& block, const Operand& operand, bool isN, bool swapped)
        : block(block),
          launch(launchOf(run, block.launch)),
          operand(operand),
          isN(isN),
          swapped(swapped),
          bytes(elementBytes(run, operand.matrix)),
          base(deviceAddressOf(operand.matrix.buffer)),
          count(operand.matrix.rows * operand.matrix.columns) {}

    CellIndex askedBy(Dim3 thread, u32 round, bool swap) const {
        const u64 y = swap ? thread.x : thread.y, x = swap ? thread.y : thread.x;
        const u64 by = swap ? block.block.x : block.block.y, bx = swap ? block.block.y : block.block.x;
        const u64 rows = swap ? launch.block.x : launch.block.y,
                  columns = swap ? launch.block.y : launch.block.x;
        return isN ? CellIndex{s64(round * rows + y), s64(bx * columns + x)}
                   : CellIndex{s64(by * rows + y), s64(round * columns + x)};
    }
    s64 elementAt(u64 address) const { return s64(address - base) / s64(bytes); }
    Transfer transfer(const Moved& moved, u32 round) const {
        const WarpTrace& warp = block.warps[moved.warp];
        const Lane lane{moved.lane};
        const trace::Step& store = warp.steps[moved.storeStep];
        const auto part = [&](const trace::Step& step, Lane lane, u32 number) {
            const StoredAccess& access = warp.accesses[step.access];
            return std::pair(warp.address(access, lane) + u64{number} * bytes,
                             warp.value(access, lane).subspan(std::size_t{number} * bytes, bytes));
        };
        const auto [place, stored] = part(store, lane, moved.storePart);
        Transfer t{.warp = Warp{moved.warp},
                   .lane = lane,
                   .round = round,
                   .loadStep = {},
                   .storeStep = moved.storeStep,
                   .storeOrder = store.order,
                   .place = (place - operand.tile->base) / bytes,
                   .bytes = stored,
                   .value = {},
                   .asked = {},
                   .read = {}};
        t.asked = askedBy(threadOf(launch, t.warp, lane), round, swapped);
        if (moved.loadStep == Moved::kMadeUp) return t;
        const trace::Step& load = warp.steps[moved.loadStep];
        const auto [address, value] = part(load, Lane{moved.loadLane}, moved.loadPart);
        t.loadStep = moved.loadStep;
        t.loadOrder = load.order;
        t.bytes = value;
        const s64 element = elementAt(address), columns = s64(operand.matrix.columns);
        const s64 row = element >= 0 ? element / columns : -((-element + columns - 1) / columns);
        t.read = CellIndex{row, element - row * columns};
        t.outside = element < 0 || u64(element) >= count;
        return t;
    }

    const FocusBlock& block;
    const Launch& launch;
    const Operand& operand;
    bool isN, swapped;
    u32 bytes;
    u64 base, count;
};

// All transfers of one operand, by round.
std::vector<std::vector<Moved>> gatherTransfers(const Recorded& run, const FocusBlock& block,
                                                const BlockFlow& flow, MatmulFacts& facts, Operand& operand,
                                                bool isN) {
    std::vector<std::vector<Moved>> rounds;
    const Reader reader(run, block, operand, isN, facts.swapped);
    const s64 columns = s64(operand.matrix.columns);
    bool explained = true, explainedSwapped = true;
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const WarpTrace& warp = block.warps[w];
        std::array<Dim3, kWarpSize> threads;
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            threads[lane] = threadOf(reader.launch, Warp{w}, Lane{lane});
        std::array<u32, kWarpSize> stored{};
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            const trace::Step& step = warp.steps[s];
            if (step.access == trace::Step::kNone) continue;
            const StoredAccess& access = warp.accesses[step.access];
            const u32 parts = access.widthBytes / reader.bytes;
            if (access.space != Space::Shared || access.kind != AccessKind::Store || access.active.empty() ||
                !operand.tile->contains(warp.address(access, access.active.lowest())))
                continue;
            for (const Lane lane : access.active) {
                const Dim3 thread = threads[lane.value];
                for (u32 part = 0; part < parts; ++part) {
                    const u32 round = stored[lane.value]++;
                    Moved moved{.storeStep = s, .warp = u16(w), .lane = u8(lane.value)};
                    moved.storePart = u8(part);
                    const Origin value =
                        flow.originOfStored({Warp{w}, lane, s}, part * reader.bytes, reader.bytes);
                    const auto load = bufferLoadBehind(flow, value);
                    const u64 from = load ? flow.loadedFrom(*load)->address : 0;
                    if (load && bufferOfAddress(from) == operand.matrix.buffer) {
                        const StoredAccess& read = warp.accesses[warp.steps[load->at.step].access];
                        moved.loadStep = load->at.step;
                        moved.loadLane = u8(load->at.lane.value);
                        moved.loadPart = u8((from - warp.address(read, load->at.lane)) / reader.bytes);
                        const s64 element = reader.elementAt(from);
                        const CellIndex a = reader.askedBy(thread, round, false),
                                        b = reader.askedBy(thread, round, true);
                        const CellIndex& asked = facts.swapped ? b : a;
                        explained = explained && a.row * columns + a.column == element;
                        explainedSwapped = explainedSwapped && b.row * columns + b.column == element;
                        // Not the cell that was asked for, or no cell at all.
                        operand.anyAlias = operand.anyAlias || element < 0 || u64(element) >= reader.count ||
                                           asked.column >= columns ||
                                           asked.row * columns + asked.column != element;
                    } else if (!isMadeUp(flow, value)) {
                        continue;  // of several elements, or of another matrix
                    }
                    if (round >= rounds.size()) {
                        rounds.resize(round + 1);
                        rounds.back().reserve(reader.launch.block.count());
                    }
                    rounds[round].push_back(moved);
                }
            }
        }
    }
    facts.rounds = std::max(facts.rounds, u32(rounds.size()));
    facts.textbook = facts.textbook && (facts.swapped ? explainedSwapped : explained);
    return rounds;
}

// Those of the cursor's round and its neighbors, warp by warp in the order of their steps, with their values
// as text.
std::vector<Transfer> nearby(const Recorded& run, const Reader& reader,
                             const std::vector<std::vector<Moved>>& rounds, u32 round, bool knowsAsked) {
    const ptx::Type type = ptxType(run.recording.initial[reader.operand.matrix.buffer].type);
    std::vector<Transfer> transfers;
    for (u32 r = round > 0 ? round - 1 : 0; r <= round + 1 && r < rounds.size(); ++r)
        for (const Moved& moved : rounds[r]) {
            Transfer& t = transfers.emplace_back(reader.transfer(moved, r));
            t.value = valueText(t.bytes, type);
            if (!knowsAsked) t.asked.reset();
        }
    std::ranges::stable_sort(transfers, [](const Transfer& a, const Transfer& b) {
        return std::pair(a.warp.value, a.storeStep) < std::pair(b.warp.value, b.storeStep);
    });
    return transfers;
}

// The cursor's round: that of the last element that its warp has begun to fetch.
u32 roundAt(const FocusBlock& block, const Cursor& cursor, const std::array<const Operand*, 2>& operands) {
    const WarpTrace& warp = block.warps[cursor.warp.value];
    u32 round = 0;
    for (const Operand* operand : operands) {
        std::array<u32, kWarpSize> loaded{}, stored{};
        for (u32 s = 0; s <= cursor.step && s < warp.steps.size(); ++s) {
            if (warp.steps[s].access == trace::Step::kNone) continue;
            const StoredAccess& access = warp.accesses[warp.steps[s].access];
            const bool load = isLoadOf(access, operand->matrix, warp);
            const bool store = access.space == Space::Shared && access.kind == AccessKind::Store &&
                               !access.active.empty() &&
                               operand->tile->contains(warp.address(access, access.active.lowest()));
            if (load)  // of the round that the lane's next store ends
                for (const Lane lane : access.active)
                    loaded[lane.value] = std::max(loaded[lane.value], stored[lane.value] + 1);
            if (store)
                for (const Lane lane : access.active)
                    ++stored[lane.value];
        }
        for (u32 lane = 0; lane < kWarpSize; ++lane)
            round =
                std::max({round, stored[lane] ? stored[lane] - 1 : 0, loaded[lane] ? loaded[lane] - 1 : 0});
    }
    return round;
}

// What an access does for the multiplication, and whether of N; none: something else.
std::optional<Doing> doingOf(const WarpTrace& warp, u32 step, const MatmulFacts& facts) {
    if (warp.steps[step].access == trace::Step::kNone) return std::nullopt;
    const StoredAccess& access = warp.accesses[warp.steps[step].access];
    if (access.active.empty()) return std::nullopt;
    const u64 address = warp.address(access, access.active.lowest());
    const bool isM = isLoadOf(access, facts.m.matrix, warp), isN = isLoadOf(access, facts.n.matrix, warp);
    if (isM || isN) return Doing{facts.tiled() ? Activity::Load : Activity::Multiply, isN};
    if (access.space == Space::Shared && facts.tiled())
        return Doing{access.kind == AccessKind::Store ? Activity::Keep : Activity::Multiply,
                     facts.n.tile->contains(address)};
    if (access.space == Space::Global && trace::writes(access.kind) &&
        bufferOfAddress(address) == facts.p.buffer)
        return Doing{Activity::Result, false};
    return std::nullopt;
}

// The step's own access, or the last one before it; and between two, the one to come.
void classify(const FocusBlock& block, const Cursor& cursor, MatmulFacts& facts) {
    const WarpTrace& warp = block.warps[cursor.warp.value];
    facts.accessStep = cursor.step;
    for (u32 s = cursor.step + 1; s-- > 0;)
        if (const std::optional<Doing> doing = doingOf(warp, s, facts)) {
            facts.activity = doing->activity, facts.onN = doing->onN;
            facts.between = s != cursor.step;
            facts.accessStep = s;
            break;
        }
    for (u32 s = cursor.step + 1; facts.between && !facts.next && s < warp.steps.size(); ++s)
        facts.next = doingOf(warp, s, facts);
}

}  // namespace

CellIndex MatmulFacts::elementOf(Dim3 block, Dim3 thread) const {
    if (swapped) return {s64(u64{block.x} * threads.x + thread.x), s64(u64{block.y} * threads.y + thread.y)};
    return {s64(u64{block.y} * threads.y + thread.y), s64(u64{block.x} * threads.x + thread.x)};
}

std::optional<MatmulRoles> matmulRoles(const Recorded& run) {
    const auto m = findMatrix(run, "M"), n = findMatrix(run, "N"), p = findMatrix(run, "P");
    return m && n && p ? std::optional(MatmulRoles{*m, *n, *p}) : std::nullopt;
}
MatmulRoles matmulRoles(const Recorded& run, const ProvedShape& proved) {
    return {matrixOf(run, proved.buffers[0]), matrixOf(run, proved.buffers[1]),
            matrixOf(run, proved.buffers[2])};
}

std::optional<MatmulBlock> matmulBlock(const Recorded& run, const Cursor& cursor) {
    const std::optional<MatmulRoles> roles = matmulRoles(run);
    return roles ? matmulBlock(run, cursor, *roles, std::make_shared<const LazyFlow>(run, cursor))
                 : std::nullopt;
}
std::optional<MatmulBlock> matmulBlock(const Recorded& run, const Cursor& cursor, const MatmulRoles& roles,
                                       const std::shared_ptr<const LazyFlow>& lazy) {
    const CursorContext here = lookUp(run, cursor);
    const Matrix *m = &roles.m, *n = &roles.n, *p = &roles.p;
    if (!here.block || !hasOneSumPerThread(*here.block, *p, elementBytes(run, *p))) return std::nullopt;
    const BlockFlow* flow = lazy->get();
    if (!flow) return std::nullopt;
    MatmulBlock block;
    MatmulFacts& facts = block.facts;
    facts.m.matrix = *m;
    facts.n.matrix = *n;
    facts.p = *p;
    facts.threads = launchOf(run, cursor.launch).block;
    facts.textbook = true;
    const std::vector<SharedArray> arrays = sharedArrays(run, cursor.launch);
    const auto tiles = findTiles(*here.block, *flow, {*m, *n}, arrays, elementBytes(run, *m));
    if (tiles[0] && tiles[1]) {
        facts.m.tile = *tiles[0];
        facts.n.tile = *tiles[1];
        for (const bool swapped : {false, true}) {
            facts.swapped = swapped;
            facts.textbook = true;
            facts.m.anyAlias = facts.n.anyAlias = false;
            block.m = gatherTransfers(run, *here.block, *flow, facts, facts.m, false);
            block.n = gatherTransfers(run, *here.block, *flow, facts, facts.n, true);
            if (facts.textbook) break;
        }
        if (!facts.textbook) {  // nobody knows what was asked for: addresses alone speak
            facts.swapped = false;
            for (const auto& [operand, rounds, isN] :
                 {std::tuple(&facts.m, &block.m, false), std::tuple(&facts.n, &block.n, true)}) {
                const Reader reader(run, *here.block, *operand, isN, false);
                operand->anyAlias = std::ranges::any_of(*rounds, [&](const std::vector<Moved>& round) {
                    return std::ranges::any_of(
                        round, [&](const Moved& moved) { return reader.transfer(moved, 0).outside; });
                });
            }
        }
    } else {
        // What is kept where it cannot be told from which matrix: its products are not those of what is
        // loaded.
        const auto readsShared = [](const WarpTrace& warp) {
            return std::ranges::any_of(warp.accesses, [](const StoredAccess& access) {
                return access.space == Space::Shared && access.kind == AccessKind::Load;
            });
        };
        if (std::ranges::any_of(here.block->warps, readsShared)) return std::nullopt;
        // Without tiles, where P is stored says which way round the coordinates are: all of it, as threads on
        // the diagonal fit both ways.
        bool straight = true, swapped = true;
        u64 stored = 0,
            inside[2] = {0, 0};  // by `exchanged`: elements of P that it gives, and not beyond a row
        for (u32 w = 0; w < here.block->warps.size(); ++w) {
            const WarpTrace& warp = here.block->warps[w];
            for (const StoredAccess& access : warp.accesses)
                if (access.space == Space::Global && trace::writes(access.kind) && !access.active.empty() &&
                    bufferOfAddress(warp.address(access, access.active.lowest())) == p->buffer)
                    for (const Lane lane : access.active) {
                        const u64 element =
                            (warp.address(access, lane) - deviceAddressOf(p->buffer)) / elementBytes(run, *p);
                        const Dim3 thread = threadOf(launchOf(run, cursor.launch), Warp{w}, lane);
                        const auto fits = [&](bool exchanged) {
                            facts.swapped = exchanged;
                            const CellIndex c = facts.elementOf(cursor.block, thread);
                            inside[exchanged] += p->contains(c);
                            return u64(c.row) * p->columns + u64(c.column) == element;
                        };
                        straight = fits(false) && straight;
                        swapped = fits(true) && swapped;
                        ++stored;
                    }
            // Threads in a row that count elements on from row to row are no coordinates.
            straight = straight && 2 * inside[0] >= stored;
            swapped = swapped && 2 * inside[1] >= stored;
            facts.swapped = swapped && !straight;
            facts.textbook = swapped || straight;
        }
    }
    facts.products = std::make_shared<const MatmulProducts>(
        run, *here.block, lazy, [m = facts.m, n = facts.n, tiled = facts.tiled()](Space space, u64 address) {
            const auto isOf = [&](const Operand& operand) {
                return tiled ? space == Space::Shared && operand.tile->contains(address)
                             : space == Space::Global && bufferOfAddress(address) == operand.matrix.buffer;
            };
            return isOf(m)   ? MatmulProducts::Side::M
                   : isOf(n) ? MatmulProducts::Side::N
                             : MatmulProducts::Side::Neither;
        });
    return block;
}

std::optional<MatmulFacts> matmulFacts(const Recorded& run, const Cursor& cursor, const MatmulBlock& block) {
    const CursorContext here = lookUp(run, cursor);
    if (!here.step) return std::nullopt;
    MatmulFacts facts = block.facts;
    facts.order = here.step->order;
    if (facts.tiled()) {
        facts.round = roundAt(*here.block, cursor, {&facts.m, &facts.n});
        facts.m.transfers = nearby(run, {run, *here.block, facts.m, false, facts.swapped}, block.m,
                                   facts.round, facts.textbook);
        facts.n.transfers = nearby(run, {run, *here.block, facts.n, true, facts.swapped}, block.n,
                                   facts.round, facts.textbook);
    }
    classify(*here.block, cursor, facts);
    return facts;
}

std::optional<MatmulFacts> matmulFacts(const Recorded& run, const Cursor& cursor) {
    const std::optional<MatmulBlock> block = matmulBlock(run, cursor);
    return block ? matmulFacts(run, cursor, *block) : std::nullopt;
}

namespace {

using Product = MatmulProducts::Product;

// One thread's part up to the cursor's step.
struct Summing {
    Recorded run;
    const MatmulFacts& facts;
    const WarpTrace& warp;
    Lane lane;
    u32 steps = 0;  // that it has done

    Accumulator::Factor factorOf(const Operand& operand, const MatmulProducts::Factor& factor) const {
        const StoredAccess& access = warp.accesses[warp.steps[factor.step].access];
        const u32 bytes = elementBytes(run, operand.matrix), at = factor.part * bytes;
        const u64 base = facts.tiled() ? operand.tile->base : deviceAddressOf(operand.matrix.buffer);
        return {(warp.address(access, lane) + at - base) / bytes,
                numberOf(warp.value(access, lane).subspan(at, bytes),
                         run.recording.initial[facts.m.matrix.buffer].type)};
    }

    void add(const Product& product, Accumulator& result) const {
        result.m = factorOf(facts.m, product.m);
        result.n = factorOf(facts.n, product.n);
        // Rounded as the GPU does: one fused multiply and add.
        result.sum = run.recording.initial[facts.m.matrix.buffer].type == ElementType::F32
                         ? f64(std::fma(f32(result.m->value), f32(result.n->value), f32(result.sum)))
                         : result.sum + result.m->value * result.n->value;
        ++result.products;
    }

    // What has been read last, where it is the first of a pair: it has no partner yet. since: the step after
    // the last product's.
    void findSingle(std::span<const Product> pending, u32 since, Accumulator& result) const {
        std::optional<MatmulProducts::Factor> m, n;
        const auto latest = [&](std::optional<MatmulProducts::Factor>& found,
                                const MatmulProducts::Factor& f) {
            if (f.step < steps && f.step >= since &&
                (!found || std::pair(f.step, f.part) > std::pair(found->step, found->part)))
                found = f;
        };
        for (const Product& product : pending)
            latest(m, product.m), latest(n, product.n);
        if (!m && !n) return;
        const bool isM = m && (!n || m->step > n->step);
        result.m = isM ? std::optional(factorOf(facts.m, *m)) : std::nullopt;
        result.n = isM ? std::nullopt : std::optional(factorOf(facts.n, *n));
    }

    void findStored(Accumulator& result) const {
        for (u32 s = steps; s-- > 0;) {
            const trace::Step& step = warp.steps[s];
            if (step.access == trace::Step::kNone || !step.active.has(lane)) continue;
            const StoredAccess& access = warp.accesses[step.access];
            const u64 address = warp.address(access, lane);
            if (access.space != Space::Global || !trace::writes(access.kind) ||
                bufferOfAddress(address) != facts.p.buffer)
                continue;
            const u32 width = elementBytes(run, facts.p);
            const u64 element = (address - deviceAddressOf(facts.p.buffer)) / width;
            result.stored =
                numberOf(warp.value(access, lane).subspan(0, std::min<std::size_t>(width, access.widthBytes)),
                         run.recording.initial[facts.p.buffer].type);
            result.storedAt = CellIndex{s64(element / facts.p.columns), s64(element % facts.p.columns)};
            return;
        }
    }
};

Accumulator sumOf(const Recorded& run, const MatmulFacts& facts, const FocusBlock& block, Warp warpId,
                  Lane lane) {
    const WarpTrace& warp = block.warps[warpId.value];
    const auto after = std::ranges::upper_bound(warp.steps, facts.order, {}, &trace::Step::order);
    const Summing summing{run, facts, warp, lane, u32(after - warp.steps.begin())};
    const std::vector<Product>& products = facts.products->of(warpId, lane);
    Accumulator result;
    std::size_t done = 0;
    for (; done < products.size() && products[done].ready() < summing.steps; ++done)
        summing.add(products[done], result);
    summing.findSingle(std::span(products).subspan(done), done > 0 ? products[done - 1].ready() + 1 : 0,
                       result);
    summing.findStored(result);
    return result;
}

}  // namespace

const Accumulator& accumulatorOf(const Recorded& run, const MatmulFacts& facts, const FocusBlock& block,
                                 Warp warp, Lane lane) {
    const auto [found, isNew] = facts.sums.try_emplace({warp.value, lane.value});
    if (isNew) found->second = sumOf(run, facts, block, warp, lane);
    return found->second;
}

}  // namespace lockstep::explain
