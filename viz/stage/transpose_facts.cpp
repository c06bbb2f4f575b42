// Follows values: what a thread stores is the oldest element with that value that it holds and has not yet
// handed on.
#include "viz/stage/transpose_facts.h"

#include "base/device_addresses.h"
#include "viz/numbers.h"

#include <algorithm>
#include <cstring>
#include <map>

namespace lockstep::viz {
namespace {

struct Event {
    u32 order = 0, warp = 0;
    const trace::StoredAccess* access = nullptr;
};

std::vector<Event> eventsOf(const trace::FocusBlock& block) {
    std::vector<Event> events;
    for (u32 w = 0; w < block.warps.size(); ++w)
        for (const trace::Step& step : block.warps[w].steps)
            if (step.access != trace::Step::kNone)
                events.push_back({step.order, w, &block.warps[w].accesses[step.access]});
    std::ranges::sort(events, {}, &Event::order);
    return events;
}

std::optional<Matrix> matrixAt(const run::Run& run, u64 address) {
    const std::optional<u32> number = bufferOfAddress(address);
    if (!number || *number >= run.recording.initial.size()) return std::nullopt;
    const Buffer& buffer = run.recording.initial[*number];
    if (buffer.shape.size() != 2 || buffer.shape[0] == 0 || buffer.shape[1] == 0) return std::nullopt;
    return Matrix{*number, buffer.name, buffer.shape[0], buffer.shape[1]};
}

class Follower {
public:
    Follower(const run::Run& run, const trace::FocusBlock& block)
        : run_(run), block_(block), held_(block.warps.size() * kWarpSize) {}

    std::optional<TransposeFacts> follow(const Cursor& cursor) {
        const std::vector<Event> events = eventsOf(block_);
        std::optional<Matrix> in, out;
        for (const Event& e : events) {
            if (e.access->space != trace::Space::Global || e.access->active.empty()) continue;
            const std::optional<Matrix> matrix = matrixAt(run_, addressOf(e, e.access->active.lowest()));
            if (!matrix) continue;
            if (e.access->kind == trace::AccessKind::Load && !in) in = matrix;
            if (e.access->kind == trace::AccessKind::Store && !out) out = matrix;
        }
        if (!in || !out || in->buffer == out->buffer) return std::nullopt;
        facts_.in = *in, facts_.out = *out;
        const std::vector<SharedArray> arrays = sharedArrays(run_, cursor.launch);
        if (!arrays.empty()) facts_.tile = arrays.front();
        for (const Event& e : events)
            for (const Lane lane : e.access->active)
                step(e, lane);
        return facts_.moved.empty() ? std::nullopt : std::optional(std::move(facts_));
    }

private:
    // An element in a thread's registers.
    struct Held {
        u64 bits = 0;
        std::size_t moved = 0;
    };

    u64 addressOf(const Event& e, Lane lane) const { return block_.warps[e.warp].address(*e.access, lane); }

    // Calls with each element that the lane touches: its number in the array that begins at `base`, and its
    // bits.
    template <class Use>
    void eachElement(const Event& e, Lane lane, u64 base, u32 bytes, u64 count, Use&& use) const {
        const std::span<const std::byte> value = block_.warps[e.warp].value(*e.access, lane);
        for (u32 at = 0; at + bytes <= value.size(); at += bytes) {
            const u64 address = addressOf(e, lane) + at;
            if (address < base || (address - base) / bytes >= count) continue;
            u64 bits = 0;
            std::memcpy(&bits, value.data() + at, std::min<std::size_t>(bytes, sizeof bits));
            use((address - base) / bytes, bits);
        }
    }

    std::vector<Held>& heldBy(const Event& e, Lane lane) { return held_[e.warp * kWarpSize + lane.value]; }

    // The oldest element of this value that has not come to `stage` yet.
    Moved* waiting(const Event& e, Lane lane, u64 bits, u32 Moved::*stage) {
        for (const Held& held : heldBy(e, lane))
            if (held.bits == bits && facts_.moved[held.moved].*stage == kNever)
                return &facts_.moved[held.moved];
        return nullptr;
    }

    void step(const Event& e, Lane lane) {
        const bool load = e.access->kind == trace::AccessKind::Load;
        if (e.access->space == trace::Space::Global) {
            const Matrix& matrix = load ? facts_.in : facts_.out;
            const Buffer& buffer = run_.recording.initial[matrix.buffer];
            eachElement(
                e, lane, deviceAddressOf(matrix.buffer), info(buffer.type).bytes,
                matrix.rows * matrix.columns, [&](u64 element, u64 bits) {
                    if (load) {
                        Moved moved{
                            .loader = {Warp{e.warp}, lane}, .taker = {}, .from = element, .loaded = e.order};
                        moved.value = element < buffer.count() ? buffer.valueAt(element) : 0;
                        heldBy(e, lane).push_back({bits, facts_.moved.size()});
                        facts_.moved.push_back(moved);
                    } else if (Moved* moved = waiting(e, lane, bits, &Moved::stored)) {
                        moved->to = element, moved->stored = e.order;
                    }
                });
        } else if (e.access->space == trace::Space::Shared && facts_.tile) {
            const SharedArray& tile = *facts_.tile;
            eachElement(e, lane, tile.base, tile.elementBytes, tile.elements(), [&](u64 place, u64 bits) {
                if (!load) {
                    if (Moved* moved = waiting(e, lane, bits, &Moved::kept)) {
                        moved->place = place, moved->kept = e.order;
                        inTile_[place] = std::size_t(moved - facts_.moved.data());
                    }
                } else if (const auto found = inTile_.find(place); found != inTile_.end()) {
                    Moved& moved = facts_.moved[found->second];
                    moved.taker = {Warp{e.warp}, lane}, moved.taken = e.order;
                    heldBy(e, lane).push_back({bits, found->second});
                }
            });
        }
    }

    const run::Run& run_;
    const trace::FocusBlock& block_;
    TransposeFacts facts_;
    std::vector<std::vector<Held>> held_;  // by thread
    std::map<u64, std::size_t> inTile_;    // what each place holds
};

}  // namespace

Move TransposeFacts::moveAt(const Moved& moved, u32 order) const {
    return moved.loaded == order   ? Move::Load
           : moved.kept == order   ? Move::Keep
           : moved.taken == order  ? Move::Take
           : moved.stored == order ? Move::Store
                                   : Move::None;
}

std::optional<TransposeFacts> transposeFacts(const run::Run& run, const Cursor& cursor) {
    const Here here = lookUp(run, cursor);
    return here.block ? Follower(run, *here.block).follow(cursor) : std::nullopt;
}

}  // namespace lockstep::viz
