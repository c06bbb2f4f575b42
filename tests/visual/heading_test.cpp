// The heading of a picture says of what it is: kernel, variant and size, in every view and both languages.
#include "../support/kernels_of_others.h"
#include "looked_at.h"
#include "viz/marks/frame.h"
#include "viz/marks/size_text.h"
#include "viz/scene/fonts.h"
#include "viz/scene/tokens.h"
#include "viz/view.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

using namespace viz;

// The texts of the strip at the top; of a comparison all texts, since each side has its own name.
std::string headOf(const Scene& scene, bool all) {
    std::string head;
    for (const Mark& mark : scene.marks)
        if (const auto* text = std::get_if<TextMark>(&mark); text && (all || text->at.y < space::kHead))
            head += text->text + "\n";
    return head;
}

Scene pictureOf(const ViewRow& view, const run::Run& run, const Fonts& fonts, Language language, Size size) {
    const Cursor cursor = initialCursor(run);
    const ComparedRun itself{.run = run, .cursor = cursor, .profile = run.profile};
    return view.build({.run = run,
                       .cursor = cursor,
                       .profile = run.profile,
                       .size = size,
                       .language = language,
                       .metrics = fonts,
                       .compared = view.showsBoth ? &itself : nullptr});
}

TEST(HeadingTest, SaysKernelVariantAndSizeInEveryViewAndBothLanguages) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    u32 pictures = 0;
    for (const catalog::Family& family : shipped().families())
        for (std::size_t variant = 0; variant < family.variants.size(); ++variant) {
            const std::string name = nameOfVariant(family, variant);
            const Expected<run::Run> run = runShipped(name, {});
            ASSERT_TRUE(run) << name << ": " << describe(run.error());
            for (const ViewRow& view : views()) {
                if (!view.needsRun) continue;
                for (const Language language : {Language::English, Language::Chinese}) {
                    SCOPED_TRACE(name + ", " + std::string(view.name) + ", " + nameOfLanguage(language));
                    const std::string head =
                        headOf(pictureOf(view, *run, *fonts, language, {960, 640}), view.showsBoth);
                    const auto says = [&](std::string_view what) {
                        EXPECT_NE(head.find(what), std::string::npos) << what << "\nin: " << head;
                    };
                    says(family.title.in(language));
                    says(family.variants[variant].title.in(language));
                    for (const run::Setting& setting : run::settingsOf(*run->catalog))
                        says(setting.first + (view.showsBoth ? " " : " = ") + setting.second);
                    ++pictures;
                    if (view.showsBoth) continue;
                    const std::string narrow =
                        headOf(pictureOf(view, *run, *fonts, language, {640, 480}), view.showsBoth);
                    EXPECT_NE(narrow.find(family.variants[variant].title.in(language)), std::string::npos)
                        << "640 pixels wide: " << narrow;
                }
            }
        }
    EXPECT_GT(pictures, 2000u);
}

TEST(HeadingTest, WritesTheLaunchOfAFileAsTheFileDoes) {
    const Expected<Fonts> fonts = Fonts::load(LOCKSTEP_FONT_FOLDER);
    ASSERT_TRUE(fonts) << describe(fonts.error());
    const KernelOfOthers kernel = kernelsOfOthers().front();
    const Expected<run::Run> run = runOf(kernel);
    ASSERT_TRUE(run) << describe(run.error());
    const std::string name = kernelAndSize(*run, {}, Language::English);
    EXPECT_TRUE(name.starts_with(kernel.request.file.filename().string() + " · ")) << name;
    EXPECT_NE(name.find("<<<"), std::string::npos) << name;
    EXPECT_TRUE(name.ends_with(">>>")) << name;
    for (const ViewRow& view : views()) {
        if (!view.needsRun || view.showsBoth) continue;
        const Scene scene = pictureOf(view, *run, *fonts, Language::English, {960, 640});
        EXPECT_NE(headOf(scene, false).find(name), std::string::npos) << view.name;
    }
}

}  // namespace
}  // namespace lockstep
