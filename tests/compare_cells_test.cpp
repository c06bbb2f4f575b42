// Compare frames the cells that hold different values, and no others: over the catalog's variants side by
// side, against what a walk over the record says that memory holds.
#include "base/device_addresses.h"
#include "explain/arrays/sheet.h"
#include "support/run_shipped.h"
#include "viz/compare/comparison.h"
#include "viz/compare/differing_cells.h"
#include "viz/cursor/lookup.h"
#include "viz/cursor/opening.h"
#include "viz/scene/fonts.h"
#include "viz/views/views.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace lockstep {
namespace {

using viz::ValueCell;

// Memory byte by byte at a cursor, as its block's accesses left it or saw it.
class WalkedMemory {
public:
    WalkedMemory(const run::Run& run, const viz::Cursor& cursor) {
        const viz::CursorContext here = viz::lookUp(run, cursor);
        const auto& buffers = run.recording.initial;
        for (u32 b = 0; b < buffers.size(); ++b)
            for (std::size_t i = 0; i < buffers[b].bytes.size(); ++i)
                bytes_[{trace::Space::Global, deviceAddressOf(b) + i}] = buffers[b].bytes[i];
        struct Event {
            u32 order;
            const trace::WarpTrace* warp;
            const trace::StoredAccess* access;
        };
        std::vector<Event> events;
        for (const trace::WarpTrace& warp : here.block->warps)
            for (const trace::Step& step : warp.steps)
                if (step.order <= here.step->order && step.access != trace::Step::kNone)
                    events.push_back({step.order, &warp, &warp.accesses[step.access]});
        std::ranges::sort(events, {}, &Event::order);
        for (const Event& e : events)
            see(*e.warp, *e.access);
        for (const explain::Sheet& sheet : explain::sheetsOf(run, cursor.launch, none_))
            for (u64 element = 0; element < sheet.elements; ++element)
                names_[{sheet.space, sheet.base + element * sheet.bytes}] = {sheet.nameOf(element),
                                                                             sheet.bytes};
        for (const auto& [at, named] : names_)
            places_.emplace(std::pair{at.first, named.first}, at);
    }

    using Place = std::pair<trace::Space, u64>;
    static Place placeOf(const ValueCell& cell) {
        return {cell.of == ValueCell::Of::Shared ? trace::Space::Shared : trace::Space::Global, cell.at};
    }
    std::string nameAt(const Place& place) const {
        const auto found = names_.find(place);
        return found == names_.end() ? std::string() : found->second.first;
    }
    std::optional<Place> placeOf(trace::Space space, const std::string& name) const {
        const auto found = places_.find({space, name});
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }
    // Whether a walk over plain loads and stores tells it.
    bool isKnown(const Place& place) const { return !changed_.contains(place); }
    // Of copies past the registers the record has one side.
    bool hasCopies() const { return hasCopies_; }
    // Empty: nothing was written there yet.
    std::vector<std::byte> at(const Place& place) const {
        std::vector<std::byte> value;
        for (u32 i = 0; i < names_.at(place).second; ++i) {
            const auto byte = bytes_.find({place.first, place.second + i});
            if (byte == bytes_.end()) return {};
            value.push_back(byte->second);
        }
        return value;
    }

private:
    void see(const trace::WarpTrace& warp, const trace::StoredAccess& access) {
        if (access.space != trace::Space::Global && access.space != trace::Space::Shared) return;
        hasCopies_ |= access.kind == trace::AccessKind::AsyncCopy;
        for (const Lane lane : access.active) {
            const auto value = warp.value(access, lane);
            for (u32 i = 0; i < access.widthBytes; ++i) {
                const Place place{access.space, warp.address(access, lane) + i};
                if (trace::isAtomic(access.kind))
                    changed_.insert(place);
                else
                    bytes_[place] = value[i];
            }
        }
    }

    std::map<Place, std::byte> bytes_;
    std::set<Place> changed_;  // by atomics
    std::map<Place, std::pair<std::string, u32>> names_;
    std::map<std::pair<trace::Space, std::string>, Place> places_;
    explain::BlockParts none_;
    bool hasCopies_ = false;
};

struct Counts {
    u32 framed = 0, alike = 0;
};

// theirs: the other picture. Where either shows a sum in place of what memory holds, memory does not tell.
void expectFrames(const viz::Scene& scene, const viz::Scene& theirs, const WalkedMemory& own,
                  const WalkedMemory& other, const std::vector<viz::Rect>& frames, const std::string& where,
                  Counts& counts) {
    std::set<std::string> sums;
    for (const ValueCell& cell : theirs.cells)
        if (cell.value && cell.of != ValueCell::Of::Thread)
            sums.insert(other.nameAt(WalkedMemory::placeOf(cell)));
    const auto isFramed = [&](const ValueCell& cell) {
        return std::ranges::find(frames, cell.rect) != frames.end();
    };
    for (const ValueCell& cell : scene.cells) {
        if (cell.value || cell.of == ValueCell::Of::Thread) continue;
        const WalkedMemory::Place place = WalkedMemory::placeOf(cell);
        const std::string name = own.nameAt(place);
        ASSERT_FALSE(name.empty()) << where << ": a cell that stands for no element";
        const auto there = other.placeOf(place.first, name);
        if (sums.contains(name) || !there || !own.isKnown(place) || !other.isKnown(*there)) continue;
        const bool differs = own.at(place) != other.at(*there);
        ++(differs ? counts.framed : counts.alike);
        EXPECT_EQ(isFramed(cell), differs) << where << ": " << name;
        if (isFramed(cell) != differs) return;
    }
}

Settings settingsOf(const std::string& family, const catalog::Variant& variant) {
    static const std::map<std::string, Settings> kSmall{
        {"matmul", {{"width", "16"}, {"tile", "8"}}},
        {"reduction", {{"n", "256"}, {"block", "64"}}},
        {"scan", {{"n", "64"}, {"block", "32"}}},
        {"histogram", {{"n", "256"}, {"blocks", "2"}, {"block", "64"}}},
        {"stencil", {{"rows", "12"}, {"columns", "12"}, {"tile", "8"}}},
        {"transpose", {{"rows", "32"}, {"columns", "32"}}}};
    Settings taken;
    if (const auto small = kSmall.find(family); small != kSmall.end())
        for (const auto& setting : small->second)
            if (std::ranges::find(variant.parameters, setting.first) != variant.parameters.end())
                taken.push_back(setting);
    return taken;
}

TEST(CompareCells, FramesEveryCellThatDiffersAndNoOther) {
    const Expected<viz::Fonts> fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    Counts counts;
    u32 pairs = 0;
    for (const catalog::Family& family : shipped().families()) {
        std::optional<run::Run> before;
        std::string nameBefore;
        for (const catalog::Variant& variant : family.variants) {
            Expected<run::Run> run =
                runShipped(family.name + "/" + variant.name, settingsOf(family.name, variant));
            if (!run) continue;
            if (before) {
                ++pairs;
                const run::Run &a = *before, &b = *run;
                const viz::Cursor start = viz::initialCursor(a);
                for (const viz::Cursor& at : {start, viz::greatestDifference(a, start, b, viz::Tie::Phase)}) {
                    const viz::Cursor to = viz::tied(a, at, b, viz::Tie::Phase);
                    if (!viz::lookUp(a, at).step || !viz::lookUp(b, to).step) continue;
                    const auto inputOf = [&](const run::Run& which, const viz::Cursor& cursor) {
                        return viz::ViewInput{.run = which,
                                              .cursor = cursor,
                                              .profile = which.profile,
                                              .size = {720, 560},
                                              .metrics = *fonts,
                                              .titled = false};
                    };
                    const viz::ViewInput inA = inputOf(a, at), inB = inputOf(b, to);
                    const auto [first, second] = viz::buildStages(inA, inB);
                    const WalkedMemory ofA(a, at), ofB(b, to);
                    if (ofA.hasCopies() || ofB.hasCopies()) continue;
                    const viz::DifferingCells frames = viz::differingCells(first, inA, second, inB);
                    const std::string where = fmt::format("{}: {} beside {}, step {}", family.name,
                                                          nameBefore, variant.name, at.step + 1);
                    expectFrames(first, second, ofA, ofB, frames.first, where, counts);
                    expectFrames(second, first, ofB, ofA, frames.second, where + ", the other", counts);
                }
            }
            before = std::move(*run), nameBefore = variant.name;
        }
    }
    EXPECT_GT(pairs, 40u);
    EXPECT_GT(counts.framed, 200u);
    EXPECT_GT(counts.alike, 1000u);
}

}  // namespace
}  // namespace lockstep
