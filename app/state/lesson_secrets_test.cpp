// Before a question is answered, the window shows nothing that depends on the answer: views that sum up a run
// are covered, and the others have the run only as far as the place.
#include "app/state/lesson_update.h"
#include "base/check.h"
#include "lessons/read_lesson.h"
#include "lessons/run_before.h"
#include "lessons/step_on_show.h"
#include "run/resources.h"
#include "viz/noted.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace lockstep::app {
namespace {

const run::Resources kResources{LOCKSTEP_SOURCE_DIR};

const catalog::Catalog& shippedCatalog() {
    static const Expected<catalog::Catalog> read = catalog::Catalog::read(kResources.kernels());
    CHECK(read.has_value(), "the catalog must be readable");
    return *read;
}

struct EvenMetrics final : viz::TextMetrics {
    f32 width(std::string_view text, f32 size, viz::Face) const override {
        return size * 0.5f * f32(text.size());
    }
};

// All that a view says and draws, as text.
std::string said(const viz::ViewRow& view, const run::Run& run, const Cursor& cursor, Language language) {
    const EvenMetrics metrics;
    const viz::Scene scene = viz::buildNoted(view, {.run = run,
                                                    .cursor = cursor,
                                                    .profile = run.profile,
                                                    .size = {960, 640},
                                                    .language = language,
                                                    .metrics = metrics,
                                                    .titled = false});
    std::string all = scene.caption + "\n";
    for (const viz::Mark& mark : scene.marks) {
        if (const auto* text = std::get_if<viz::TextMark>(&mark)) all += text->text + "\n";
        if (const auto* rect = std::get_if<viz::RectMark>(&mark))
            all += std::to_string(rect->rect.x) + " " + std::to_string(rect->rect.y) + " " +
                   std::to_string(rect->rect.width) + " " + std::to_string(rect->rect.height) + " " +
                   std::to_string(int(rect->fill.kind)) + "\n";
    }
    for (const viz::HitArea& area : scene.hits)
        all += area.hit.text() + "\n";
    return all;
}

// The same run, but that everything from the place on has come out otherwise: what other lanes do, and where;
// what is counted, found and left in memory.
run::Run withAnotherFuture(const run::Run& run, const Cursor& place) {
    run::Run other = run;
    const u32 from = std::max(1u, place.step);  // the first step of all is on show in any case
    for (trace::FocusBlock& block : other.recording.trace.blocks)
        for (trace::WarpTrace& warp : block.warps) {
            for (u32 s = from; s < warp.steps.size(); ++s) {
                trace::Step& step = warp.steps[s];
                step.active = LaneMask{step.active.bits ^ 0x5a5a5a5au};
                if (step.access == trace::Step::kNone) continue;
                warp.accesses[step.access].base += 4096;
                warp.accesses[step.access].active = step.active;
            }
            if (warp.steps.size() > from + 1) warp.steps.resize(from + 1);
        }
    for (Buffer& buffer : other.recording.final)
        std::ranges::fill(buffer.bytes, std::byte{0x2a});
    other.recording.findings.clear();
    for (trace::GridCounts& counts : other.recording.counts)
        for (trace::PcCounts& pc : counts.perPc)
            pc.executions = pc.activeLanes = pc.divergent = 17;
    other.report = {};
    return other;
}

// The first line in which they differ; empty: none.
std::string difference(std::string_view a, std::string_view b) {
    const auto [atA, atB] = std::ranges::mismatch(a, b);
    if (atA == a.end() && atB == b.end()) return {};
    const auto lineAt = [](std::string_view all, std::size_t at) {
        const std::size_t from = all.rfind('\n', at ? at - 1 : 0) + 1;
        return std::string(all.substr(from, all.find('\n', at) - from));
    };
    const std::size_t at = std::size_t(atA - a.begin());
    return lineAt(a, at) + " / " + lineAt(b, at);
}

class LessonSecretsTest : public testing::TestWithParam<std::string> {
protected:
    void SetUp() override {
        auto read = lessons::readLesson(kResources.assets() / "lessons" / GetParam());
        ASSERT_TRUE(read) << describe(read.error());
        lesson_ = std::make_shared<const lessons::Lesson>(std::move(read->lesson));
    }
    std::shared_ptr<const lessons::StepOnShow> step(std::size_t number) {
        auto shown = lessons::showStep(lesson_, number, runs_, 0);
        EXPECT_TRUE(shown) << describe(shown.error());
        return shown ? *shown : nullptr;
    }

    std::shared_ptr<const lessons::Lesson> lesson_;
    lessons::LessonRuns runs_{kResources, shippedCatalog()};
};

TEST_P(LessonSecretsTest, NothingOnShowDependsOnWhatIsAskedAbout) {
    for (std::size_t i = 0; i < lesson_->steps.size(); ++i) {
        const auto shown = step(i);
        ASSERT_TRUE(shown);
        if (!shown->asks()) continue;
        SCOPED_TRACE(shown->step().id);
        const Cursor& hidden = shown->hidden;
        const Cursor before = placeOf(*shown, false);
        const auto other = lessons::runBefore(withAnotherFuture(*shown->asked.on().run, hidden), hidden);
        for (const viz::ViewRow& view : viz::views()) {
            if (!view.needsRun || isCoveredInLesson(view.name)) continue;
            for (const Language language : {Language::English, Language::Chinese}) {
                const std::string now = said(view, *shown->before, before, language);
                EXPECT_EQ(difference(now, said(view, *other, before, language)), "") << view.name;
                EXPECT_FALSE(now.empty());
            }
        }
    }
}

TEST_P(LessonSecretsTest, TheRunOnShowEndsBeforeThePlace) {
    for (std::size_t i = 0; i < lesson_->steps.size(); ++i) {
        const auto shown = step(i);
        ASSERT_TRUE(shown);
        if (!shown->asks()) continue;
        SCOPED_TRACE(shown->step().id);
        const u32 hidden = shown->hidden.step;
        EXPECT_LE(hidden, shown->asked.on().cursor.step);
        const run::Run& before = *shown->before;
        EXPECT_TRUE(before.recording.findings.empty());
        EXPECT_TRUE(before.report.lines.empty());
        EXPECT_TRUE(before.report.sites.empty());
        EXPECT_FALSE(before.comparison || before.measured || before.caches || before.machine);
        for (const trace::FocusBlock& block : before.recording.trace.blocks)
            for (const trace::WarpTrace& warp : block.warps)
                EXPECT_LE(warp.steps.size(), std::max(1u, hidden));
    }
}

std::vector<std::string> allLessons() {
    std::vector<std::string> names;
    for (const lessons::Lesson& lesson : lessons::lessonsIn(kResources.assets() / "lessons"))
        names.push_back(lesson.name);
    return names;
}

INSTANTIATE_TEST_SUITE_P(Lessons, LessonSecretsTest, testing::ValuesIn(allLessons()),
                         [](const testing::TestParamInfo<std::string>& info) { return info.param; });

TEST(LessonSecrets, ViewsThatSumUpARunAreCovered) {
    for (const char* view : {"memory", "findings", "times", "occupancy", "chart", "read", "compare", "issue",
                             "waits", "orders", "banks", "sectors"})
        EXPECT_TRUE(isCoveredInLesson(view)) << view;
    for (const char* view : {"stage", "lanes", "timeline", "source", "playground", "no-such-view"})
        EXPECT_FALSE(isCoveredInLesson(view)) << view;
}

}  // namespace
}  // namespace lockstep::app
