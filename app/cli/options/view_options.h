// The options of the commands that draw: which run, where the cursor is, and the appearance.
#pragma once

#include "app/cli/options/run_options.h"
#include "base/text/text.h"
#include "run/sweep/sweep_metrics.h"
#include "viz/cursor/cursor.h"
#include "viz/orders_on_show.h"
#include "viz/painters/raster/animation_writer.h"
#include "viz/scene/scene.h"
#include "viz/scene/theme.h"
#include "viz/view.h"

#include <optional>
#include <string>

namespace lockstep::cli {

struct ViewOptions {
    RunOptions run;
    std::string block, size, theme = "dark", language = "en", range, tab, stage, metric;
    std::string zoom;               // of the issue timeline
    std::string time = "recorded";  // or "modeled": where there is none, that of the cycle model
    std::optional<u32> subcore;
    u32 schedules = viz::kOrdersShown;
    u64 processors = 0;  // of --metric cost; 0: as many as the theorem of Brent asks for
    std::optional<u32> launch, warp, lane, step, phase;
    f32 scale = 2;
    struct {
        bool size = false, theme = false, language = false, backend = false;
    } given;  // on the command line
};

void addViewOptions(const Command& command, ViewOptions& options, const std::string& defaultSize);
// Of these, how a picture looks: its size, scale, theme and language.
void addLookOptions(const Command& command, ViewOptions& options, const std::string& defaultSize);
// --time, of the commands that show times.
void addTimeOption(const Command& command, ViewOptions& options);
// By name or by ncu's; null: not given.
Expected<const run::SweepMetric*> metricNamed(const std::string& name);

// The views by name, from the one table: "stage, banks, ...".
std::string viewNames();
Expected<const viz::ViewRow*> viewNamed(const std::string& name);
// If --block names a block, it must be among those recorded.
Expected<void> focusOnTheBlock(ViewOptions& options);

// What --tab, --stage, --metric and --time choose: each applies to only one view or two.
Expected<viz::ViewState> viewState(const ViewOptions& options, std::string_view view);
// Runs the kernel, with the chosen block in focus, or reads the .lks file.
Expected<run::Run> openRun(const ViewOptions& options, Session& session);
// What a run is compared with: another kernel (empty: the same) at the same sizes where it has them, except
// its own settings.
struct ComparedOptions {
    std::string what;
    std::vector<std::string> settings;
    std::string each = "stage", tie = "phase";
    bool isGiven() const { return !what.empty() || !settings.empty(); }
};
void addComparedOptions(const Command& command, ComparedOptions& options);
// The compare view's options: the view of each side, and how the cursors are synchronized.
Expected<viz::ViewState> compareState(const ComparedOptions& options);
// What to run for it, and how.
Expected<RunOptions> comparedRunOptions(const ComparedOptions& beside, const RunOptions& first,
                                        Session& session);
// Runs it, with the cursor's block in focus if it has that block.
Expected<run::Run> openCompared(const ComparedOptions& beside, const ViewOptions& first,
                                const viz::Cursor& cursor, Session& session);
// Of "--profile cc10,cc12,cc90", up to three: the last one is the run's profile, all are side by side in the
// views that compare devices. A single one: none, the view chooses. Leaves only the last one in `options`.
Expected<std::vector<model::Profile>> takeDevices(ViewOptions& options);
// The cursor position from the options; unset parts default to the most interesting place of the run. Fault:
// out of range. `view`: of the picture, so that it has something to show.
Expected<viz::Cursor> cursorOf(const ViewOptions& options, const run::Run& run,
                               const viz::ViewRow* view = nullptr);
// "8..40", and "8:40": steps of a warp from 1. `option` is what they were given to.
Expected<std::pair<u32, u32>> stepsOf(const std::string& text, const char* option);
// Of --range: steps of the cursor's warp; none where it was not given.
Expected<std::optional<StepRange>> rangeOf(const ViewOptions& options, const run::Run& run,
                                           const viz::Cursor& cursor);
// Steps of the cursor's warp as an animation.
struct AnimationArguments {
    std::string steps;
    f64 speed = 2;
    bool reducedMotion = false;
};
void addAnimationOptions(const Command& command, AnimationArguments& animation);
// From --out's file name, .gif or .apng, which requires --steps or --range; none: a still picture.
Expected<std::optional<viz::AnimationFormat>> animationFormatOf(const std::string& out,
                                                                const AnimationArguments& animation,
                                                                const ViewOptions& options);
// Its first and last step, from 1, for a warp that issued so many.
Expected<std::pair<u32, u32>> animationStepsOf(const AnimationArguments& animation,
                                               const ViewOptions& options, u32 stepsOfWarp);
Expected<const viz::Theme*> themeOf(const ViewOptions& options);
Expected<Language> languageOf(const ViewOptions& options);
// Maximum pixels of a raster picture: 2^28, a gigabyte. Every file that is not an .svg is one.
Expected<void> checkPixels(const ViewOptions& options, viz::Size size, const std::string& out);
// "1440x900"; below `least` texts would overlap.
Expected<viz::Size> sizeOf(const std::string& text, viz::Size least);

// Where the fonts are: share/lockstep/fonts beside an installed program, else the build's own.
std::filesystem::path fontFolder(const run::Resources& resources);

}  // namespace lockstep::cli
