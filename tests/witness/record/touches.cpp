// What the lanes of a recorded block did at each place, in the order in which they did it.
#include "witness/record/facts.h"

#include <algorithm>
#include <cstdlib>

namespace lockstep::witness {
namespace {

using trace::AccessKind, trace::Space;
constexpr u64 kSharedMark = u64{1} << 63;

u64 placeOf(Space space, u64 address) { return space == Space::Shared ? address | kSharedMark : address; }

// What an atomic adds: "red.shared.add.u32 [%rd3], 1;" has it as a number. None: not an addition, or from a
// register.
std::optional<f64> addedByText(std::string_view text) {
    if (text.find(".add") == std::string_view::npos) return std::nullopt;
    const std::size_t comma = text.rfind(',');
    if (comma == std::string_view::npos) return std::nullopt;
    const std::string number(text.substr(comma + 1));
    char* end = nullptr;
    const f64 value = std::strtod(number.c_str(), &end);
    return end && *end == ';' ? std::optional(value) : std::nullopt;
}

}  // namespace

std::vector<const trace::StoredAccess*> accessesOf(const trace::WarpTrace& warp, u32 step) {
    const u32 at = warp.steps[step].access;
    if (at == trace::Step::kNone) return {};
    const trace::StoredAccess& first = warp.accesses[at];
    if (first.kind != AccessKind::AsyncCopy || first.space == Space::Shared) return {&first};
    return {&first, &warp.accesses[at + 1]};
}

void BlockFacts::gatherTouches() const {
    touchesKnown_ = true;
    for (u32 w = 0; w < block_.warps.size(); ++w) {
        const trace::WarpTrace& warp = block_.warps[w];
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            for (const trace::StoredAccess* one : accessesOf(warp, s)) {
                const trace::StoredAccess& access = *one;
                if (access.space != Space::Global && access.space != Space::Shared) continue;
                for (Lane lane : access.active) {
                    const u64 address = warp.address(access, lane);
                    const Array* array = arrayAt(address, access.space);
                    if (!array) continue;
                    const std::span<const std::byte> bytes = warp.value(access, lane);
                    const u32 each = array->componentBytes();
                    for (u32 at = 0; at < access.widthBytes; at += each) {
                        Touch touch{placeOf(access.space, address + at),
                                    warp.steps[s].order,
                                    s,
                                    u16(w),
                                    u8(lane.value),
                                    access.kind,
                                    trace::writes(access.kind),
                                    std::nullopt};
                        touch.writes |= access.kind == AccessKind::AsyncCopy && access.space == Space::Shared;
                        if (at + each <= bytes.size())
                            touch.value = readNumber(array->type, each, bytes.data() + at);
                        touches_.push_back(touch);
                    }
                }
            }
        }
    }
    std::ranges::stable_sort(touches_, [](const Touch& a, const Touch& b) {
        return std::pair(a.place, a.order) < std::pair(b.place, b.order);
    });
    // Atomics: the record has what was found, of one without result what was added.
    const bool isAlone = run_.run().recording.launches[block_.launch.value].grid.count() == 1;
    for (std::size_t i = 0; i < touches_.size(); ++i) {
        Touch& touch = touches_[i];
        if (touch.kind != AccessKind::Atomic && touch.kind != AccessKind::Reduction) continue;
        const std::string_view text =
            run_.run().module->textOf(block_.warps[touch.warp].steps[touch.step].pc);
        if (touch.kind == AccessKind::Atomic) {
            const std::optional<f64> added = addedByText(text);
            touch.value = added && touch.value ? std::optional(*touch.value + *added) : std::nullopt;
            continue;
        }
        const bool isShared = touch.place & kSharedMark;
        std::optional<f64> before;
        if (i > 0 && touches_[i - 1].place == touch.place)
            before = touches_[i - 1].value;
        else if (const Array* array = isShared ? nullptr : arrayAt(touch.place, Space::Global))
            before = run_.initial(*array, touch.place);
        const bool isKnown =
            before && touch.value && (isShared || isAlone) && text.find(".add") != std::string_view::npos;
        touch.value = isKnown ? std::optional(*before + *touch.value) : std::nullopt;
    }
}

std::span<const BlockFacts::Touch> BlockFacts::touchesAt(const Array& array, u64 address) const {
    if (!touchesKnown_) gatherTouches();
    const auto range = std::ranges::equal_range(touches_, placeOf(array.space, address), {}, &Touch::place);
    return {range.begin(), range.end()};
}

u64 BlockFacts::instructionsAt(const Array& array, u64 address) const {
    u64 count = 0;
    const Touch* before = nullptr;
    for (const Touch& touch : touchesAt(array, address)) {
        count += !before || before->order != touch.order;
        before = &touch;
    }
    return count;
}

std::optional<f64> BlockFacts::valueBy(const Array& array, u64 address, u32 order) const {
    const std::span<const Touch> all = touchesAt(array, address);
    const auto end = std::ranges::upper_bound(all, order, {}, &Touch::order);
    if (end != all.begin()) return std::prev(end)->value;
    return run_.initial(array, address);
}

}  // namespace lockstep::witness
