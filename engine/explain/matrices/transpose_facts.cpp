#include "explain/matrices/transpose_facts.h"

#include "base/device_addresses.h"
#include "explain/access/block_events.h"
#include "explain/numbers.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep::explain {
namespace {

std::optional<Matrix> matrixAt(const Recorded& run, u64 address) {
    const std::optional<u32> number = bufferOfAddress(address);
    if (!number || *number >= run.recording.initial.size()) return std::nullopt;
    const Buffer& buffer = run.recording.initial[*number];
    if (buffer.shape.size() != 2 || buffer.shape[0] == 0 || buffer.shape[1] == 0) return std::nullopt;
    return Matrix{*number, buffer.name, buffer.shape[0], buffer.shape[1]};
}

class Follower {
public:
    Follower(const Recorded& run, const trace::FocusBlock& block) : run_(run), block_(block) {}

    std::optional<TransposeRoles> matrices() const {
        std::optional<Matrix> in, out;
        const std::vector<BlockEvent> events = blockEvents(block_);
        for (const BlockEvent& e : events) {
            if (e.access->space != trace::Space::Global || e.access->active.empty()) continue;
            const std::optional<Matrix> matrix = matrixAt(run_, addressOf(e, e.access->active.lowest()));
            if (!matrix) continue;
            if (e.isLoad && !in) in = matrix;
            if (e.access->kind == trace::AccessKind::Store && !out) out = matrix;
        }
        if (!in || !out || in->buffer == out->buffer) return std::nullopt;
        return TransposeRoles{*in, *out};
    }

    std::optional<TransposeFacts> follow(const Cursor& cursor, const TransposeRoles& roles,
                                         const LazyFlow& flow) {
        const std::vector<BlockEvent> events = blockEvents(block_);
        flow_ = flow.get();
        if (!flow_) return std::nullopt;
        facts_.in = roles.in, facts_.out = roles.out;
        const std::vector<SharedArray> arrays = sharedArrays(run_, cursor.launch);
        if (!arrays.empty()) facts_.tile = arrays.front();
        for (const BlockEvent& e : events)
            for (const Lane lane : e.access->active)
                step(e, lane);
        return facts_.moved.empty() ? std::nullopt : std::optional(std::move(facts_));
    }

private:
    u64 addressOf(const BlockEvent& e, Lane lane) const {
        return block_.warps[e.warp].address(*e.access, lane);
    }
    static ThreadStep threadOf(const BlockEvent& e, Lane lane) { return {Warp{e.warp}, lane, e.step}; }

    // Calls with each element that the lane touches: its number in the array that begins at `base`, and where
    // in the access it begins, in bytes.
    template <class Use>
    void eachElement(const BlockEvent& e, Lane lane, u64 base, u32 bytes, u64 count, Use&& use) const {
        for (u32 at = 0; at + bytes <= e.access->widthBytes; at += bytes) {
            const u64 address = addressOf(e, lane) + at;
            if (address < base || (address - base) / bytes >= count) continue;
            use((address - base) / bytes, at);
        }
    }

    // The element that a thread loaded; none: it is another matrix's, or none.
    Moved* loadedBy(const std::optional<Origin>& load) {
        if (!load || load->kind != Origin::Kind::Load) return nullptr;
        const auto place = flow_->loadedFrom(*load);
        if (!place || place->space != trace::Space::Global) return nullptr;
        const auto found = loaded_.find({load->at, place->address});
        return found == loaded_.end() ? nullptr : &facts_.moved[found->second];
    }
    // The same through the tile, where it is a load from there.
    Moved* behind(const Origin& value) {
        if (Moved* moved = loadedBy(value)) return moved;
        return loadedBy(flow_->originOfLoaded(value));
    }

    void step(const BlockEvent& e, Lane lane) {
        const ThreadStep thread = threadOf(e, lane);
        if (e.access->space == trace::Space::Global) {
            const Matrix& matrix = e.isLoad ? facts_.in : facts_.out;
            const Buffer& buffer = run_.recording.initial[matrix.buffer];
            const u32 bytes = info(buffer.type).bytes;
            eachElement(e, lane, deviceAddressOf(matrix.buffer), bytes, matrix.rows * matrix.columns,
                        [&](u64 element, u32 at) {
                            if (e.isLoad)
                                return load(e, lane, element,
                                            element < buffer.count() ? buffer.valueAt(element) : 0);
                            Moved* moved = behind(flow_->originOfStored(thread, at, bytes));
                            if (moved && moved->stored == kNever)
                                moved->to = element, moved->stored = e.order;
                        });
        } else if (e.access->space == trace::Space::Shared && facts_.tile) {
            const SharedArray& tile = *facts_.tile;
            eachElement(e, lane, tile.base, tile.elementBytes, tile.elements(), [&](u64 place, u32 at) {
                if (!e.isLoad) {
                    Moved* moved = loadedBy(flow_->originOfStored(thread, at, tile.elementBytes));
                    if (moved && moved->kept == kNever) moved->place = place, moved->kept = e.order;
                } else if (Moved* moved = loadedBy(flow_->originOfLoaded(thread, at, tile.elementBytes))) {
                    moved->taker = {thread.warp, lane}, moved->taken = e.order;
                }
            });
        }
    }
    void load(const BlockEvent& e, Lane lane, u64 element, f64 value) {
        const u64 bytes = info(run_.recording.initial[facts_.in.buffer].type).bytes;
        loaded_.try_emplace({threadOf(e, lane), deviceAddressOf(facts_.in.buffer) + element * bytes},
                            facts_.moved.size());
        facts_.moved.push_back({.loader = {Warp{e.warp}, lane},
                                .taker = {},
                                .from = element,
                                .loaded = e.order,
                                .value = value});
    }

    Recorded run_;
    const trace::FocusBlock& block_;
    const BlockFlow* flow_ = nullptr;
    TransposeFacts facts_;
    std::map<std::pair<ThreadStep, u64>, std::size_t> loaded_;  // by thread and address: in facts_.moved
};

}  // namespace

Move TransposeFacts::moveAt(const Moved& moved, u32 order) const {
    return moved.loaded == order   ? Move::Load
           : moved.kept == order   ? Move::Keep
           : moved.taken == order  ? Move::Take
           : moved.stored == order ? Move::Store
                                   : Move::None;
}

std::optional<TransposeFacts> transposeFacts(const Recorded& run, const Cursor& cursor,
                                             const TransposeRoles& roles, const LazyFlow& flow) {
    const CursorContext here = lookUp(run, cursor);
    return here.block ? Follower(run, *here.block).follow(cursor, roles, flow) : std::nullopt;
}
std::optional<TransposeFacts> transposeFacts(const Recorded& run, const Cursor& cursor,
                                             const LazyFlow& flow) {
    const CursorContext here = lookUp(run, cursor);
    const auto roles = here.block ? Follower(run, *here.block).matrices() : std::nullopt;
    return roles ? transposeFacts(run, cursor, *roles, flow) : std::nullopt;
}
std::optional<TransposeFacts> transposeFacts(const Recorded& run, const Cursor& cursor) {
    return transposeFacts(run, cursor, LazyFlow(run, cursor));
}

}  // namespace lockstep::explain
