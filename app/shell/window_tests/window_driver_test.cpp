#include "app/shell/window_tests/window_driver.h"

#include "base/check.h"
#include "viz/painters/raster/image.h"

#include <cstdlib>

namespace lockstep::shell {
namespace {

struct EngineDeleter {
    void operator()(ImGuiTestEngine* engine) const { ImGuiTestEngine_DestroyContext(engine); }
};

const catalog::Catalog& catalogue() {
    static const Expected<catalog::Catalog> read =
        catalog::Catalog::read(run::Resources{LOCKSTEP_SOURCE_DIR}.kernels());
    CHECK(read.has_value(), "the catalog must be readable");
    return *read;
}

const viz::Fonts& fontsForTests() {
    static const Expected<viz::Fonts> fonts =
        viz::Fonts::load(std::filesystem::path(LOCKSTEP_BINARY_DIR) / "fonts");
    CHECK(fonts.has_value(), "the build's fonts must be readable");
    return *fonts;
}

struct Job {
    Loop* loop;
    const Window* window;
    std::string* screenshot;
    const std::function<void(Hand&)>* work;
};

void save(const viz::Image& image, const std::string& name) {
    const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_BINARY_DIR) / "screenshots";
    std::filesystem::create_directories(folder);
    const Expected<void> written = viz::writePng(image, folder / (name + ".png"));
    EXPECT_TRUE(written) << (written ? "" : describe(written.error()));
}

}  // namespace

const viz::Fonts& Hand::fonts() { return fontsForTests(); }

void withWindow(const std::function<void(Request&)>& prepare, const std::function<void(Hand&)>& work) {
    Request request{.catalog = &catalogue(),
                    .resources = {LOCKSTEP_SOURCE_DIR},
                    .fontFolder = {},
                    .choice = app::firstChoice(catalogue()),
                    .run = nullptr,
                    .cursor = {},
                    .view = {},
                    .size = {1280, 800}};
    if (prepare) prepare(request);
    Expected<Window> window = Window::open("Lockstep", request.size);
    ASSERT_TRUE(window) << describe(window.error());

    const std::unique_ptr<ImGuiTestEngine, EngineDeleter> engine(
        ImGuiTestEngine_CreateContext());  // outlives the loop's ImGui
    Loop loop(request, fontsForTests(), *window);
    ImGuiTestEngineIO& io = ImGuiTestEngine_GetIO(engine.get());
    io.ConfigSavedSettings = false;
    io.ConfigMouseDrawCursor = false;
    io.ConfigLogToTTY = true;
    io.ConfigWatchdogWarning = io.ConfigWatchdogKillTest =
        1e6f;  // a busy machine draws slowly; ctest has a limit of its own
    io.ConfigVerboseLevel = ImGuiTestVerboseLevel_Error;
    io.ConfigVerboseLevelOnError = ImGuiTestVerboseLevel_Warning;
    ImGuiTestEngine_Start(engine.get(), ImGui::GetCurrentContext());

    std::string screenshot;
    Job job{&loop, &*window, &screenshot, &work};
    ImGuiTest* test = IM_REGISTER_TEST(engine.get(), "window", "hand");
    test->UserData = &job;
    test->TestFunc = [](ImGuiTestContext* context) {
        const Job& job = *static_cast<Job*>(context->Test->UserData);
        Hand hand(*context, *job.loop, *job.window, *job.screenshot);
        (*job.work)(hand);
    };
    ImGuiTestEngine_QueueTest(engine.get(), test);
    while (!ImGuiTestEngine_IsTestQueueEmpty(engine.get()) && !loop.state().quit) {
        window->waitForEvents(0);
        loop.draw();
        if (!screenshot.empty()) save(window->picture(), std::exchange(screenshot, {}));
        window->present();
        ImGuiTestEngine_PostSwap(engine.get());
    }
    ImGuiTestEngineResultSummary result;
    ImGuiTestEngine_GetResultSummary(engine.get(), &result);
    EXPECT_EQ(result.CountSuccess, 1) << "the hand could not do what it was told to; the lines above say why";
    loop.apply(app::Quit{});
    ImGuiTestEngine_Stop(engine.get());
}

}  // namespace lockstep::shell
