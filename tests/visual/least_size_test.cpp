// Each view at the least size that lockstep show takes of it: no text is cut or runs into another.
#include "looked_at.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "viz/compare/comparison.h"
#include "viz/scene/captioned.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <gtest/gtest.h>

#include <set>

namespace lockstep {
namespace {

using namespace viz;

TEST(LeastSizeTest, ATextIsWholeAtTheLeastSizeOfItsView) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    Expected<std::vector<run::HardwareRecording>> recordings = run::shippedRecordings({LOCKSTEP_SOURCE_DIR});
    ASSERT_TRUE(recordings) << describe(recordings.error());
    const std::vector<run::RecordedMachine> machines =
        run::recordedMachines(std::move(*recordings), shipped());
    std::set<std::string> complained;
    for (const catalog::Family& family : shipped().families())
        for (std::size_t variant = 0; variant < family.variants.size(); variant += 4) {
            Expected<run::Run> run = runShipped(nameOfVariant(family, variant), {}),
                               other = runShipped(nameOfVariant(family, variant + 1), {});
            ASSERT_TRUE(run && other) << nameOfVariant(family, variant);
            run::attachRecorded(*run, machines);
            run::attachRecorded(*other, machines);
            const IssuesOnShow issues = issuesAt(*run, initialCursor(*run));
            const OrdersOnShow orders = ordersOf(*run);
            for (const Cursor& cursor : placesToLookAt(*run, {}))
                for (const ViewRow& view : views())
                    for (const Language language : {Language::English, Language::Chinese}) {
                        const ComparedRun beside{*other, tied(*run, cursor, *other, Tie::Phase),
                                                 other->profile};
                        const Scene scene = buildCaptioned(view, {.run = *run,
                                                                  .cursor = cursor,
                                                                  .profile = run->profile,
                                                                  .size = view.least,
                                                                  .language = language,
                                                                  .metrics = *fonts,
                                                                  .machines = &machines,
                                                                  .compared = &beside,
                                                                  .issues = &issues,
                                                                  .orders = &orders});
                        for (const std::string& wrong : wrongTexts(scene, *fonts))
                            if (complained.insert(std::string(view.name)).second)
                                ADD_FAILURE()
                                    << view.name << ", " << nameOfVariant(family, variant) << ", step "
                                    << cursor.step + 1 << ", " << nameOfLanguage(language) << ": " << wrong;
                    }
        }
}

}  // namespace
}  // namespace lockstep
