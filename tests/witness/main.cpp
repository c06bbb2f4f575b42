// lockstep_witness [--only TEXT] [--view NAME] [--steps N] [--threads N] [--forms N] [--state FILE]
// [--planted] What it could not trace, most frequent form first. --state: trials that the file names are done
// already; --planted: errors put in on purpose.
#include "planted.h"
#include "witness.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <thread>

using namespace lockstep;
using namespace lockstep::witness;

namespace {

struct Options {
    std::string only, view, state;
    u32 steps = 20, threads = 2, forms = 60;
    bool planted = false;
};

struct Sum {
    u64 pictures = 0, texts = 0, read = 0, let = 0;
    std::vector<Failure> failures;
};

std::string formOf(const std::string& text) {
    std::string form;
    for (char c : text) {
        if (c >= '0' && c <= '9') {
            if (form.empty() || form.back() != '#') form += '#';
        } else
            form += c;
    }
    return form;
}

void witnessTrial(const World& world, const Trial& trial, const std::vector<Allowed>& allowed,
                  const viz::Fonts& fonts, const Options& options, Sum& sum) {
    const Expected<run::Run> run = ran(world, trial);
    if (!run) {
        sum.failures.push_back(
            {trial.name(), "-", describe(run.error()), "", "does not run", Language::English, {}});
        return;
    }
    if (run->recording.trace.blocks.empty()) return;
    Witness witness(world, trial, *run, nullptr, allowed);
    const Model model{&*run, nullptr, &world.machines, &run->profile};
    const std::vector<viz::Cursor> cursors = cursorsOf(*run, options.steps);
    for (const viz::ViewRow& view : viz::views()) {
        if (!options.view.empty() && view.name != options.view) continue;
        viz::Kept kept;
        const viz::Cursor* before = nullptr;
        for (std::size_t i = 0; i < cursors.size(); ++i) {
            const viz::Cursor& cursor = cursors[i];
            if (before && (before->block != cursor.block || before->launch != cursor.launch)) kept = {};
            before = &cursor;
            for (const Language language : {Language::English, Language::Chinese}) {
                // What the mouse is told: of every fifth step.
                const Picture picture =
                    pictureOf(view, model, cursor, language, fonts, &kept, i % 5 == 0 ? 250 : 0);
                ++sum.pictures, sum.texts += picture.texts.size();
                witness.look(picture);
            }
        }
    }
    sum.read += witness.read, sum.let += witness.let;
    sum.failures.insert(sum.failures.end(), witness.failures.begin(), witness.failures.end());
}

bool isLooked(std::string_view view) {
    return view == "banks" || view == "sectors" || view == "lanes" || view == "source" || view == "timeline";
}

// How many of the planted errors are found: more than without them, at the same places.
int findPlanted(const World& world, const std::vector<Trial>& trials, const std::vector<Allowed>& allowed,
                const viz::Fonts& fonts) {
    u32 caught = 0;
    std::map<std::string, u64> found;
    for (const Trial& trial : trials) {
        if (trial.name() != "matmul/tiled-bounds, awkward width=13 tile=8" &&
            trial.name() != "transpose/shared, awkward rows=37 columns=53" &&
            trial.name() != "reduction/v0, small n=64")
            continue;
        const Expected<run::Run> run = ran(world, trial);
        if (!run) continue;
        const std::vector<viz::Cursor> cursors = cursorsOf(*run, 10);
        const auto failures = [&](const Planted* error) {
            run::Run shown = *run;
            viz::Cursor none = cursors.front();
            if (error && error->tamper) error->tamper(shown, none);
            Witness witness(world, trial, *run, nullptr, allowed);
            std::map<std::pair<std::string, u64>, viz::Kept> keptOf;
            for (const viz::ViewRow& view : viz::views())
                for (const viz::Cursor& cursor : cursors) {
                    if (!isLooked(view.name)) continue;
                    viz::Cursor at = cursor;
                    if (error && error->tamper) {
                        run::Run unused;
                        unused.recording.trace = run->recording.trace;
                        if (std::string_view(error->name).find("step") != std::string_view::npos ||
                            std::string_view(error->name) == "another warp")
                            error->tamper(unused, at);
                    }
                    viz::Kept& kept = keptOf[std::pair{
                        std::string(view.name),
                        linearOf(at.block, shown.recording.launches[at.launch.value].grid) << 4 |
                            at.launch.value}];
                    Picture picture = pictureOf(view, {&shown, nullptr, &world.machines, &shown.profile}, at,
                                                Language::English, fonts, &kept, 40);
                    picture.cursor = cursor;
                    if (error && error->change)
                        for (Said& said : picture.texts)
                            error->change(said);
                    witness.look(picture);
                }
            return witness.failures.size();
        };
        const std::size_t before = failures(nullptr);
        for (const Planted& error : planted()) {
            const std::size_t with = failures(&error);
            found[error.name] += with > before ? with - before : 0;
        }
    }
    for (const Planted& error : planted()) {
        caught += found[error.name] > 0;
        fmt::print("{:40} {}\n", error.name,
                   found[error.name] > 0 ? fmt::format("found, {} places", found[error.name]) : "not found");
    }
    fmt::print("{} of {} planted errors found\n", caught, planted().size());
    return caught >= 23 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (!std::strcmp(argv[i], "--only"))
            options.only = value();
        else if (!std::strcmp(argv[i], "--view"))
            options.view = value();
        else if (!std::strcmp(argv[i], "--steps"))
            options.steps = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--threads"))
            options.threads = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--forms"))
            options.forms = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--state"))
            options.state = value();
        else if (!std::strcmp(argv[i], "--planted"))
            options.planted = true;
        else
            return fmt::print("lockstep_witness: {} is no option; see tests/witness/main.cpp\n", argv[i]), 2;
    }
    const Expected<World> world = readWorld(LOCKSTEP_SOURCE_DIR);
    if (!world) return fmt::print("{}\n", describe(world.error())), 1;
    // Trials that were done before, one a line: failures, a tab, the trial's name.
    std::map<std::string, u64> done;
    if (!options.state.empty()) {
        std::ifstream file(options.state);
        for (std::string line; std::getline(file, line);)
            if (const std::size_t tab = line.find('\t'); tab != std::string::npos)
                done[line.substr(tab + 1)] = std::strtoull(line.c_str(), nullptr, 10);
    }
    const std::vector<Allowed> allowed = readAllowed(LOCKSTEP_SOURCE_DIR "/tests/witness/allowed.txt");
    std::vector<Trial> trials;
    for (Trial& trial : trialsOf(*world))
        if ((options.only.empty() || trial.name().find(options.only) != std::string::npos) &&
            !done.contains(trial.name()))
            trials.push_back(std::move(trial));

    if (options.planted) {
        const Expected<viz::Fonts> fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
        return fonts ? findPlanted(*world, trials, allowed, *fonts) : 1;
    }
    const auto start = std::chrono::steady_clock::now();
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    Sum all;
    std::vector<std::thread> workers;
    for (u32 t = 0; t < options.threads; ++t)
        workers.emplace_back([&] {
            const Expected<viz::Fonts> fonts = viz::Fonts::load(LOCKSTEP_FONT_FOLDER);
            if (!fonts) return;
            for (std::size_t i; (i = next++) < trials.size();) {
                Sum sum;
                witnessTrial(*world, trials[i], allowed, *fonts, options, sum);
                const std::lock_guard lock(mutex);
                all.pictures += sum.pictures, all.texts += sum.texts, all.read += sum.read,
                    all.let += sum.let;
                all.failures.insert(all.failures.end(), sum.failures.begin(), sum.failures.end());
                if (!options.state.empty())
                    std::ofstream(options.state, std::ios::app)
                        << sum.failures.size() << '\t' << trials[i].name() << '\n';
            }
        });
    for (std::thread& worker : workers)
        worker.join();

    std::map<std::string, std::vector<const Failure*>> byForm;
    for (const Failure& failure : all.failures)
        byForm[failure.view + (failure.language == Language::English ? " en: " : " zh: ") +
               formOf(failure.text) + "  ! " + formOf(failure.why)]
            .push_back(&failure);
    std::vector<std::pair<std::size_t, const Failure*>> sorted;
    for (const auto& [form, failures] : byForm)
        sorted.emplace_back(failures.size(), failures.front());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) { return a.first > b.first; });
    for (u32 i = 0; i < sorted.size() && i < options.forms; ++i) {
        const Failure& f = *sorted[i].second;
        fmt::print("{:6d} {} {} | {} | warp {} step {} lane {} | {} | {}: {}\n", sorted[i].first, f.view,
                   f.language == Language::English ? "en" : "zh", f.trial, f.cursor.warp.value,
                   f.cursor.step + 1, f.cursor.lane.value, f.text, f.token, f.why);
    }
    const f64 seconds = std::chrono::duration<f64>(std::chrono::steady_clock::now() - start).count();
    fmt::print(
        "{} trials, {} pictures, {} texts, {} numbers and names read, {} let pass by the table; {} not "
        "traced, of {} forms; {:.1f} s\n",
        trials.size(), all.pictures, all.texts, all.read, all.let, all.failures.size(), sorted.size(),
        seconds);
    u64 before = 0;
    for (const auto& [name, failures] : done)
        before += failures;
    if (!done.empty())
        fmt::print("{} trials were done before, with {} not traced: delete {} to begin anew\n", done.size(),
                   before, options.state);
    return all.failures.empty() && before == 0 ? 0 : 1;
}
