// The whole window as one scene: every view in its frame, all text as text, and a small one as it was.
#include "app/shell/drawing/offscreen.h"
#include "app/shell/shell.h"
#include "run/run.h"
#include "scene_text.h"
#include "viz/cursor/presentation.h"
#include "viz/scene/theme.h"
#include "viz/scene/tokens.h"
#include "viz/testing/test_tidy.h"

#include <gtest/gtest.h>

namespace lockstep::shell {
namespace {

class WindowPictureTest : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        Expected<catalog::Catalog> catalog =
            catalog::Catalog::read(run::Resources{LOCKSTEP_SOURCE_DIR}.kernels());
        ASSERT_TRUE(catalog) << describe(catalog.error());
        catalog_ = std::make_unique<catalog::Catalog>(std::move(*catalog));
        const auto found = catalog_->lookUp("matmul/tiled-bounds");
        Expected<run::Experiment> experiment = run::open(run::Resources{LOCKSTEP_SOURCE_DIR}, *found->first,
                                                         *found->second, app::firstChoice(*catalog_).values);
        ASSERT_TRUE(experiment) << describe(experiment.error());
        run::Options options;
        options.emulator.focusAll = true;
        Expected<run::Run> run = run::run(std::move(*experiment), options);
        ASSERT_TRUE(run) << describe(run.error());
        run_ = std::make_shared<const run::Run>(std::move(*run));
        Expected<viz::Fonts> fonts = viz::Fonts::load(std::filesystem::path(LOCKSTEP_BINARY_DIR) / "fonts");
        ASSERT_TRUE(fonts) << describe(fonts.error());
        fonts_ = std::make_unique<viz::Fonts>(std::move(*fonts));
    }
    static void TearDownTestSuite() {
        catalog_.reset();
        run_.reset();
        fonts_.reset();
    }

    static Request request() {
        return {.catalog = catalog_.get(),
                .resources = {LOCKSTEP_SOURCE_DIR},
                .fontFolder = {},
                .choice = app::firstChoice(*catalog_),
                .run = run_,
                .cursor = {},
                .view = {}};
    }
    static viz::Scene pictureOf(const Request& request) {
        return Offscreen(*fonts_, request.size, 1).scene(firstState(request));
    }

    static inline std::unique_ptr<catalog::Catalog> catalog_;
    static inline std::shared_ptr<const run::Run> run_;
    static inline std::unique_ptr<viz::Fonts> fonts_;
};

bool says(const viz::Scene& scene, std::string_view what) {
    return std::ranges::any_of(scene.marks, [&](const viz::Mark& mark) {
        const auto* text = std::get_if<viz::TextMark>(&mark);
        return text && text->text == what;
    });
}

// Outlines of the views: the only rectangles that are nothing but a line.
std::vector<viz::Rect> framesOf(const viz::Scene& scene) {
    std::vector<viz::Rect> frames;
    for (const viz::Mark& mark : scene.marks)
        if (const auto* rect = std::get_if<viz::RectMark>(&mark);
            rect && rect->fill.kind == viz::RoleKind::None &&
            rect->stroke.role == viz::role(viz::RoleKind::Line) && rect->rect.width > 250 &&
            rect->rect.height > 100)
            frames.push_back(rect->rect);
    return frames;
}

TEST_F(WindowPictureTest, HasEveryViewInItsFrameAndAllThatItSays) {
    for (const viz::Size size : {viz::Size{1280, 720}, viz::Size{1920, 1080}})
        for (const Language language : {Language::English, Language::Chinese}) {
            Request asked = request();
            asked.size = size;
            asked.language = language;
            const viz::Scene scene = pictureOf(asked);
            EXPECT_EQ(scene.size.width, size.width);
            EXPECT_EQ(scene.size.height, size.height);
            const std::vector<viz::Rect> frames = framesOf(scene);
            ASSERT_EQ(frames.size(), 3u) << "stage, source and timeline";
            for (std::size_t a = 0; a < frames.size(); ++a) {
                EXPECT_TRUE(frames[a].x >= 0 && frames[a].y >= 0 && frames[a].right() <= size.width &&
                            frames[a].bottom() <= size.height)
                    << a;
                for (std::size_t b = a + 1; b < frames.size(); ++b) {
                    const viz::Rect common = viz::meet(frames[a], frames[b]);
                    EXPECT_FALSE(common.width > 1 && common.height > 1) << "views " << a << " and " << b;
                }
            }
            for (const char* view : {"stage", "source", "timeline"})
                EXPECT_TRUE(says(scene, viz::findView(view)->title.in(language))) << view;
            EXPECT_TRUE(says(scene, "width = 3"));
            EXPECT_TRUE(says(scene, "tile = 2"));
            EXPECT_TRUE(says(scene, catalog_->find("matmul")->find("tiled-bounds")->title.in(language)));
            EXPECT_FALSE(scene.sentence.empty());
            for (const std::string& untidy : viz::untidyTexts(scene, *fonts_))
                ADD_FAILURE() << size.width << ", " << (language == Language::Chinese ? "zh-CN: " : "en: ")
                              << untidy;
        }
}

TEST_F(WindowPictureTest, ShowsTheViewsOnTopAndAPresentationAsTheyAre) {
    Request asked = request();
    asked.view = "lanes";
    viz::Scene scene = pictureOf(asked);
    EXPECT_TRUE(says(scene, viz::findView("lanes")->title.english()));
    EXPECT_FALSE(says(scene, viz::findView("source")->title.english())) << "it lies behind the lanes";
    asked.present = true;
    asked.view = "banks";
    scene = pictureOf(asked);
    EXPECT_TRUE(framesOf(scene).empty()) << "one view has all the room";
    EXPECT_FALSE(says(scene, "width = 3")) << "a hall sees the view and the sentence";
    const f32 least = viz::hall::kLeastLetters * viz::hallLayout(asked.size).screen;
    for (const viz::Mark& mark : scene.marks)
        if (const auto* text = std::get_if<viz::TextMark>(&mark)) {
            EXPECT_GE(text->size, least - 0.1f) << text->text;
        }
    for (const std::string& untidy : viz::untidyTexts(scene, *fonts_))
        ADD_FAILURE() << untidy;
}

TEST_F(WindowPictureTest, LooksAsItDid) {
    Request asked = request();
    asked.size = {1280, 720};
    expectGolden("window", pictureOf(asked));
}

}  // namespace
}  // namespace lockstep::shell
