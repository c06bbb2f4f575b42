// An array of which a stage has room for a part says how much of it that is, and scrolls from its first row
// and column to its last.
#include "base/text/counted.h"
#include "explain/arrays/sheet.h"
#include "looked_at.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"
#include "viz/views/stage.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace lockstep {
namespace {

using namespace viz;
using explain::Sheet;

// The elements of an array that a picture has cells for: those of the width that most of them have, which
// leaves a magnifier's out.
std::set<u64> elementsOf(const Scene& scene, const Sheet& sheet) {
    std::map<s32, std::set<u64>> bySize;
    for (const ValueCell& cell : scene.cells) {
        const bool isShared = cell.of == ValueCell::Of::Shared;
        if (cell.of == ValueCell::Of::Thread || cell.value || cell.row > 0 || !sheet.contains(cell.at) ||
            isShared != (sheet.space == trace::Space::Shared))
            continue;
        bySize[s32(std::lround(cell.rect.width * 4))].insert((cell.at - sheet.base) / sheet.bytes);
    }
    std::set<u64> most, all;
    for (auto& [width, elements] : bySize) {
        all.insert(elements.begin(), elements.end());
        if (elements.size() > most.size()) most = std::move(elements);
    }
    if (all.size() == sheet.elements) return all;
    return most;
}

struct Extent {
    std::set<u64> rows, columns;
};
Extent extentOf(const Sheet& sheet, const std::set<u64>& elements) {
    Extent extent;
    for (const u64 element : elements)
        extent.rows.insert(element / sheet.columns), extent.columns.insert(element % sheet.columns);
    return extent;
}

bool says(const Scene& scene, const std::string& text) {
    return std::ranges::any_of(scene.marks, [&](const Mark& mark) {
        const auto* t = std::get_if<TextMark>(&mark);
        return t && t->text.find(text) != std::string::npos;
    });
}
bool explains(const Scene& scene, const std::string& text) {
    return std::ranges::any_of(
        scene.hits, [&](const HitArea& area) { return area.hit.hover.find(text) != std::string::npos; });
}

struct Subject {
    std::string name;
    Settings settings;
};
std::vector<Subject> subjects() {
    std::vector<Subject> all{{"transpose/naive", {{"rows", "300"}, {"columns", "200"}}},
                             {"transpose/shared-padded", {{"rows", "300"}, {"columns", "200"}}}};
    for (const catalog::Family& family : shipped().families())
        for (std::size_t variant = 0; variant < family.variants.size(); variant += 3)
            all.push_back({nameOfVariant(family, variant), {}});
    return all;
}

TEST(CutArraysTest, SayHowMuchOfThemIsShownAndScrollToTheirEnds) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    constexpr std::size_t kMagnified = 45;  // cells of a magnifier alone
    u32 cut = 0, scrolled = 0;
    std::set<std::string> complained;
    for (const Subject& subject : subjects()) {
        const Expected<run::Run> run = runShipped(subject.name, subject.settings);
        ASSERT_TRUE(run) << subject.name << ": " << describe(run.error());
        for (const Cursor& cursor : placesToLookAt(*run, {}))
            for (const Size size : {Size{1280, 720}, Size{600, 320}})
                for (const u8 stage : {u8(0), *findStage("generic")}) {
                    const auto draw = [&](Point pan) {
                        return findView("stage")->build(
                            {.run = *run,
                             .cursor = cursor,
                             .profile = run->profile,
                             .size = size,
                             .metrics = *fonts,
                             .state = {.pan = pan, .options = StageOptions{stage}}});
                    };
                    const Scene scene = draw({}), first = draw({1e6, 1e6}), last = draw({-1e6, -1e6});
                    const explain::BlockParts none;
                    for (const Sheet& sheet : explain::sheetsOf(*run, cursor.launch, none)) {
                        const std::set<u64> elements = elementsOf(scene, sheet);
                        if (elements.size() <= kMagnified || elements.size() >= sheet.elements) continue;
                        ++cut;
                        const Extent extent = extentOf(sheet, elements);
                        std::vector<std::string> wanted;
                        if (!sheet.isMatrix) {
                            wanted.push_back(fmt::format(" of {} elements", grouped(sheet.sourceElements())));
                        } else {
                            if (extent.rows.size() < sheet.rows())
                                wanted.push_back(fmt::format("{} of {} rows", grouped(extent.rows.size()),
                                                             grouped(sheet.rows())));
                            if (extent.columns.size() < sheet.columns)
                                wanted.push_back(fmt::format("{} of {} columns",
                                                             grouped(extent.columns.size()),
                                                             grouped(sheet.columns)));
                        }
                        const std::string where =
                            fmt::format("{}, step {}, {} x {}, stage {}: {}", subject.name, cursor.step + 1,
                                        size.width, size.height, stage, sheet.name);
                        for (const std::string& text : wanted)
                            if (!explains(scene, text) && complained.insert(subject.name + text).second)
                                ADD_FAILURE() << where << " does not say \"" << text << "\"";
                        // In words that are seen, where there is any room; else that it is a part.
                        if (size.width > 1000 && !wanted.empty() && !says(scene, wanted.front()) &&
                            !says(scene, " of ") && complained.insert(subject.name + sheet.name).second)
                            ADD_FAILURE() << where << " shows no \"" << wanted.front() << "\"";
                        const Extent begin = extentOf(sheet, elementsOf(first, sheet)),
                                     end = extentOf(sheet, elementsOf(last, sheet));
                        ASSERT_FALSE(begin.rows.empty() || end.rows.empty()) << where;
                        const bool isWhole = *begin.rows.begin() == 0 && *begin.columns.begin() == 0 &&
                                             *end.rows.rbegin() + 1 == sheet.rows() &&
                                             *end.columns.rbegin() + 1 == sheet.columns;
                        if (!isWhole && complained.insert(subject.name + sheet.name + "scroll").second)
                            ADD_FAILURE() << where << " does not scroll to its ends";
                        scrolled += isWhole;
                    }
                }
    }
    EXPECT_GT(cut, 20u);
    EXPECT_EQ(scrolled, cut);
}

}  // namespace
}  // namespace lockstep
