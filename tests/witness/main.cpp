// lockstep_witness [--only TEXT] [--view NAME[,NAME]] [--steps N] [--threads N] [--forms N] [--state FILE]
// [--profile NAME] [--texts] [--sample N] [--planted]
// What it could not trace, most frequent form first. --state: trials that the file names are done already;
// --profile: under the rules of another device; --sample: N trials spread over all, few steps of each;
// --planted: errors put in on purpose; --texts: what is read.
#include "witness/claims.h"
#include "witness/planted.h"
#include "witness/record/course.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <fstream>
#include <mutex>
#include <thread>

using namespace lockstep;
using namespace lockstep::witness;

namespace {

struct Options {
    std::string only, state, profile;
    Look look;
    u32 threads = 2, forms = 60, sample = 0;
    bool planted = false;
};

// Views whose every number is traced: what the sample looks at.
const std::vector<std::string> kSampledViews{
    "banks", "sectors", "lanes",   "memory",     "times", "findings", "timeline", "source",
    "read",  "stage",   "compare", "playground", "chart", "orders",   "issue",    "waits"};
// Of these, what is not traced yet in trials of this name.
const std::vector<std::pair<std::string, std::string>> kNotYet{};
// Under the rules of old cards: transactions take the place of sectors and half-warps that of warps, or a
// bank gives eight bytes at once.
const std::vector<std::string> kOldCards{"cc10", "cc35-8byte"};
const std::vector<std::string> kOldCardTrials{"matmul/tiled, default", "transpose/shared, awkward",
                                              "coalescing/offset, default", "banks/stride, default"};
const std::vector<std::string> kOldCardViews{"banks",    "sectors", "lanes",    "memory", "times",
                                             "findings", "stage",   "timeline", "source", "compare"};

std::vector<std::string> namesIn(std::string_view list) {
    std::vector<std::string> names;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        names.emplace_back(list.substr(0, comma));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return names;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const auto value = [&] { return i + 1 < argc ? argv[++i] : ""; };
        if (!std::strcmp(argv[i], "--only"))
            options.only = value();
        else if (!std::strcmp(argv[i], "--view"))
            options.look.views = namesIn(value());
        else if (!std::strcmp(argv[i], "--steps"))
            options.look.steps = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--threads"))
            options.threads = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--forms"))
            options.forms = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--state"))
            options.state = value();
        else if (!std::strcmp(argv[i], "--profile"))
            options.profile = value();
        else if (!std::strcmp(argv[i], "--sample"))
            options.sample = u32(std::atoi(value()));
        else if (!std::strcmp(argv[i], "--texts"))
            options.look.texts = true;
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
            trials.push_back(std::move(trial)), trials.back().profile = options.profile;

    if (options.sample) {
        if (options.look.views.empty()) options.look.views = kSampledViews;
        options.look.steps = 5, options.look.notYet = kNotYet, options.look.viewsOfOldCards = kOldCardViews;
        std::vector<Trial> spread;
        for (const Trial& trial : trials)
            for (const std::string& name : kOldCardTrials)
                for (const std::string& card : kOldCards)
                    if (trial.name().starts_with(name)) spread.push_back(trial), spread.back().profile = card;
        // Those of lessons show little else than orders.
        std::erase_if(trials, [](const Trial& trial) { return trial.family->ofLesson; });
        for (std::size_t i = 0; i < options.sample && i < trials.size(); ++i)
            spread.push_back(
                trials[i * trials.size() / std::min<std::size_t>(options.sample, trials.size())]);
        trials = std::move(spread);
    }
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
                witnessTrial(*world, trials[i], allowed, *fonts, options.look, sum);
                const std::lock_guard lock(mutex);
                all.add(sum);
                if (!options.state.empty())
                    std::ofstream(options.state, std::ios::app)
                        << sum.failures.size() << '\t' << trials[i].name() << '\n';
            }
        });
    for (std::thread& worker : workers)
        worker.join();

    // A claim that no text needs is of a text that has changed.
    const bool isWhole = options.only.empty() && !options.sample &&
                         (options.look.views.empty() ||
                          std::ranges::find(options.look.views, "read") != options.look.views.end());
    if (isWhole)
        for (const std::string& idle : idleClaims(*world))
            all.failures.push_back({"-", "read", idle, idle, "it claims nothing", Language::English, {}});
    report(all, trials.size(), options.forms,
           std::chrono::duration<f64>(std::chrono::steady_clock::now() - start).count());
    u64 before = 0;
    for (const auto& [name, failures] : done)
        before += failures;
    if (!done.empty())
        fmt::print("{} trials were done before, with {} not traced: delete {} to start again\n", done.size(),
                   before, options.state);
    return all.failures.empty() && before == 0 ? 0 : 1;
}
