// Looks for the errors that were planted.
#include "witness/planted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

bool isLooked(std::string_view view) {
    return view == "banks" || view == "sectors" || view == "lanes" || view == "source" || view == "timeline";
}

constexpr std::string_view kOldCardTrial = "banks/stride, default";  // under the rules of cc 1.0
constexpr std::array<std::string_view, 7> kTrials{"matmul/tiled-bounds, awkward width=13 tile=8",
                                                  "transpose/shared, awkward rows=37 columns=53",
                                                  "reduction/v0, small n=64",
                                                  "stencil/missing-barrier, default",
                                                  "banks/histogram, default",
                                                  "transpose/copy, default",
                                                  kOldCardTrial};

}  // namespace

int findPlanted(const World& world, const std::vector<Trial>& trials, const std::vector<Allowed>& allowed,
                const viz::Fonts& fonts) {
    u32 caught = 0;
    std::map<std::string, u64> found;
    for (Trial trial : trials) {
        if (std::ranges::find(kTrials, trial.name()) == kTrials.end()) continue;
        if (trial.name() == kOldCardTrial) trial.profile = "cc10";
        const Expected<run::Run> run = ran(world, trial);
        if (!run) continue;
        const std::vector<viz::Cursor> cursors = cursorsOf(*run, 4);
        const std::vector<Play> plays = playsOf(trial, *run);
        const Trial otherTrial = comparedOf(world, trial);
        const Expected<run::Run> other = ran(world, otherTrial);
        if (!other) continue;
        const auto failures = [&](const Planted* error) {
            run::Run shown = *run;
            viz::Cursor none = cursors.front();
            if (error && error->tamper) error->tamper(shown, none);
            Witness beside(world, otherTrial, *other, nullptr, allowed);
            Witness witness(world, trial, *run, &beside, allowed);
            u32 pictures = 0;
            std::map<std::pair<std::string, u64>, viz::ViewCache> keptOf;
            for (const viz::ViewRow& view : viz::views())
                for (const viz::Cursor& cursor : cursors) {
                    if (error && !error->view.empty() ? view.name != error->view : !isLooked(view.name))
                        continue;
                    viz::Cursor at = cursor;
                    if (error && error->tamper) {
                        run::Run unused;
                        unused.recording.trace = run->recording.trace;
                        if (std::string_view(error->name).find("step") != std::string_view::npos ||
                            std::string_view(error->name) == "another warp")
                            error->tamper(unused, at);
                    }
                    viz::ViewCache& kept = keptOf[std::pair{
                        std::string(view.name),
                        linearOf(at.block, shown.recording.launches[at.launch.value].grid) << 4 |
                            at.launch.value}];
                    const bool isPlayground = view.name == "playground";
                    const Play& play = plays[pictures % plays.size()];
                    Play drawn = play;
                    if (error && error->play) error->play(drawn);
                    constexpr std::array<std::string_view, 3> kViews{"banks", "sectors", "lanes"};
                    const viz::CompareOptions choice{.view = kViews[pictures % kViews.size()]};
                    Picture picture = pictureOf(view,
                                                {&shown, &*other, &world.machines, &shown.profile,
                                                 isPlayground ? &drawn : nullptr, choice},
                                                at, Language::English, fonts, &kept, 12);
                    picture.cursor = cursor;
                    if (isPlayground) picture.play = &play;
                    ++pictures;
                    if (error && error->change)
                        for (Said& said : picture.texts)
                            error->change(said);
                    if (error && error->redraw) error->redraw(picture);
                    witness.look(picture);
                }
            return witness.failures.size() + beside.failures.size();
        };
        const std::size_t before = failures(nullptr);
        for (const Planted& error : planted()) {
            const Planted without{.name = error.name, .tamper = {}, .change = {}, .view = error.view};
            const std::size_t with = failures(&error),
                              ownBefore = error.view.empty() ? before : failures(&without);
            found[error.name] += with > ownBefore ? with - ownBefore : 0;
        }
    }
    for (const Planted& error : planted()) {
        caught += found[error.name] > 0;
        fmt::print("{:40} {}\n", error.name,
                   found[error.name] > 0 ? fmt::format("found, {} places", found[error.name]) : "not found");
    }
    fmt::print("{} of {} planted errors found\n", caught, planted().size());
    return caught + 2 >= planted().size() ? 0 : 1;
}

}  // namespace lockstep::witness
