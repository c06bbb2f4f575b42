// How fast the emulator is, on every variant of the catalog and on the shapes that are hard to watch, and
// what watching costs. docs/internals/performance.md is what this program writes.
//
//     speed_bench [--variants] [--shapes] [--opencl] [--to EXPONENT] [--json FILE] [--markdown FILE] [PART OF
//     A NAME] speed_bench --once NAME      one run of a counted subject, on one thread
//     (bench/speed/instructions) speed_bench --counted        their names
//
// Rates are billions of thread instructions a second, on all cores, with counts, findings and the events of
// the recorded blocks: the median of up to nine runs in one process.
#include "base/check.h"
#include "base/median.h"
#include "calibration.h"
#include "model/caches/cache_simulation.h"
#include "simt/emulator.h"
#include "speed/measured_kernels.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

namespace lockstep::bench {
namespace {

using Json = nlohmann::ordered_json;

struct Timed {
    f64 seconds = 0;
    u64 instructions = 0, peakBytes = 0;
    f64 cacheSeconds = 0;  // the simulation of caches after the run
    bool isSequential = false;
    f64 rate() const { return f64(instructions) / seconds / 1e9; }
};

enum class Watched : u8 { All, NotCounts, NotRaces, NotEvents, Nothing, AndCaches };

Timed measure(run::Experiment& experiment, Watched watched) {
    simt::Options options;
    options.counts = watched != Watched::NotCounts && watched != Watched::Nothing;
    options.races = watched != Watched::NotRaces && watched != Watched::Nothing;
    options.events = watched != Watched::NotEvents && watched != Watched::Nothing;
    const std::vector<Buffer> initial = experiment.buffers;
    options.initial = initial;
    constexpr std::size_t kMostRuns = 9, kLeastRuns = 3;
    constexpr f64 kEnoughSeconds = 1.5, kLongSeconds = 3;  // of one run: it is the only one
    std::vector<f64> seconds, cacheSeconds;
    Timed timed;
    const auto isEnough = [&](f64 all) {
        return seconds.size() == kMostRuns || all > kLongSeconds ||
               (all > kEnoughSeconds && seconds.size() >= kLeastRuns);
    };
    for (f64 all = 0; !isEnough(all);) {
        experiment.buffers = initial;
        model::CacheSimulations caches(*experiment.module, experiment.launches, model::defaultProfile());
        if (watched == Watched::AndCaches) options.requestSink = caches.sinkMaker();
        const auto result = simt::run(*experiment.module, experiment.launches, experiment.buffers, options);
        CHECK(result, "the kernel can be launched");
        seconds.push_back(result->statistics.seconds);
        if (watched == Watched::AndCaches)
            if (const auto counts = caches.counts()) cacheSeconds.push_back(counts->seconds);
        timed.instructions = result->statistics.threadInstructions;
        timed.peakBytes = std::max(timed.peakBytes, result->statistics.peakBytes);
        timed.isSequential = result->statistics.sequential;
        all += result->statistics.seconds;
    }
    experiment.buffers = initial;
    timed.seconds = median(seconds);
    if (!cacheSeconds.empty()) timed.cacheSeconds = median(cacheSeconds);
    return timed;
}

// A table, as text while it grows and as Markdown in the end.
class Table {
public:
    explicit Table(std::vector<std::string> header) : header_(std::move(header)) { print(header_); }
    void add(std::vector<std::string> row) {
        print(row);
        rows_.push_back(std::move(row));
    }
    std::string markdown() const {
        std::string text = lineOf(header_) + "|---";
        for (std::size_t i = 1; i < header_.size(); ++i)
            text += "|---:";
        text += "|\n";
        for (const auto& row : rows_)
            text += lineOf(row);
        return text;
    }

private:
    static std::string lineOf(const std::vector<std::string>& cells) {
        std::string line;
        for (const std::string& cell : cells)
            line += "| " + cell + " ";
        return line + "|\n";
    }
    static void print(const std::vector<std::string>& cells) {
        fmt::print("{:<32}", cells[0]);
        for (std::size_t i = 1; i < cells.size(); ++i)
            fmt::print("{:>11}", cells[i]);
        fmt::print("\n");
        std::fflush(stdout);
    }
    std::vector<std::string> header_;
    std::vector<std::vector<std::string>> rows_;
};

// What a run takes less without this, as a share of it.
std::string share(const Timed& all, const Timed& without) {
    return fmt::format("{:.0f} %", std::max(0.0, 1 - without.seconds / all.seconds) * 100);
}

struct Watchers {
    Timed all, notCounts, notRaces, notEvents, nothing, andCaches;
    explicit Watchers(run::Experiment& experiment)
        : all(measure(experiment, Watched::All)),
          notCounts(measure(experiment, Watched::NotCounts)),
          notRaces(measure(experiment, Watched::NotRaces)),
          notEvents(measure(experiment, Watched::NotEvents)),
          nothing(measure(experiment, Watched::Nothing)),
          andCaches(measure(experiment, Watched::AndCaches)) {}

    static std::vector<std::string> header() {
        return {"ms", "G/s", "counts", "races", "events", "unwatched", "caches"};
    }
    std::vector<std::string> cells() const {
        const f64 caches = andCaches.seconds - all.seconds + andCaches.cacheSeconds;
        return {
            fmt::format("{:.2f}", all.seconds * 1e3),
            fmt::format("{:.2f}{}", all.rate(), all.isSequential ? "*" : ""),
            share(all, notCounts),
            share(all, notRaces),
            share(all, notEvents),
            fmt::format("{:.2f}", nothing.rate()),
            andCaches.cacheSeconds > 0 ? fmt::format("{:.1f} x", std::max(0.0, caches / all.seconds)) : "-"};
    }
    Json json() const {
        return {{"thread_instructions", all.instructions},
                {"seconds", all.seconds},
                {"sequential", all.isSequential},
                {"peak_bytes", all.peakBytes},
                {"seconds_without_counts", notCounts.seconds},
                {"seconds_without_races", notRaces.seconds},
                {"seconds_without_events", notEvents.seconds},
                {"seconds_unwatched", nothing.seconds},
                {"seconds_with_requests", andCaches.seconds},
                {"seconds_of_cache_simulation", andCaches.cacheSeconds}};
    }
};

struct Report {
    Json json;
    std::string markdown;
};

void measureVariants(const std::string& part, Report& report) {
    std::vector<std::string> header{"variant"};
    std::ranges::copy(Watchers::header(), std::back_inserter(header));
    Table table(header);
    for (const VariantSubject& subject : variantSubjects()) {
        if (subject.name.find(part) == std::string::npos) continue;
        run::Experiment experiment = bench::experiment(subject.name, subject.settings);
        const Watchers watchers(experiment);
        std::vector<std::string> row{subject.name};
        std::ranges::copy(watchers.cells(), std::back_inserter(row));
        table.add(std::move(row));
        report.json["variants"][subject.name] = watchers.json();
    }
    report.markdown +=
        "\n## The catalog at about a million elements\n\n"
        "Or at the largest size that a family allows. A star: blocks ran one after another, since the "
        "result\n"
        "depends on their order, or they race.\n\n" +
        table.markdown();
}

void measureShapes(const std::string& part, u32 to, Report& report) {
    constexpr u32 kFourBlocks = 1024 /* all recorded */, kFrom = 16, kStep = 4, kWatchedAt = 20;
    std::vector<std::string> header{"shape", "fixed ms"};
    for (u32 exponent = kFrom; exponent <= to; exponent += kStep)
        header.push_back(fmt::format("2^{}", exponent));
    for (const char* column : {"growth", "C++ loop", "ratio", "counts", "races", "unwatched"})
        header.push_back(column);
    Table table(header);
    for (const ShapeSubject& subject : shapeSubjects()) {
        if (subject.name.find(part) == std::string::npos) continue;
        run::Experiment smallest = open(subject, kFourBlocks);
        const f64 fixed = measure(smallest, Watched::All).seconds;
        Json sizes;
        std::vector<std::string> row{subject.name, fmt::format("{:.2f}", fixed * 1e3)}, watched;
        std::vector<f64> costs, hostCosts;  // of an instruction above the fixed cost; of an element
        for (u32 exponent = kFrom; exponent <= to; exponent += kStep) {
            run::Experiment experiment = open(subject, 1u << exponent);
            const Timed timed = measure(experiment, Watched::All);
            costs.push_back(std::max(timed.seconds - fixed, timed.seconds / 10) / f64(timed.instructions));
            row.push_back(fmt::format("{:.2f}{}", 1e-9 / costs.back(), timed.isSequential ? "*" : ""));
            Json size{{"seconds", timed.seconds},
                      {"thread_instructions", timed.instructions},
                      {"peak_bytes", timed.peakBytes}};
            if (subject.hostSeconds) {
                hostCosts.push_back(subject.hostSeconds(1u << exponent) / f64(1u << exponent));
                size["host_seconds"] = hostCosts.back() * f64(1u << exponent);
            }
            sizes[std::to_string(1u << exponent)] = size;
            if (exponent == kWatchedAt) {
                const Timed notCounts = measure(experiment, Watched::NotCounts),
                            notRaces = measure(experiment, Watched::NotRaces),
                            nothing = measure(experiment, Watched::Nothing);
                watched = {share(timed, notCounts), share(timed, notRaces),
                           fmt::format("{:.2f}", nothing.rate())};
            }
        }
        const auto growthOf = [](const std::vector<f64>& c) {
            return c.back() / *std::ranges::min_element(c);
        };
        const f64 growth = growthOf(costs), host = hostCosts.empty() ? 1 : growthOf(hostCosts);
        row.push_back(fmt::format("{:.2f}", growth));
        row.push_back(hostCosts.empty() ? "-" : fmt::format("{:.2f}", host));
        row.push_back(fmt::format("{:.2f}", growth / host));
        std::ranges::copy(watched, std::back_inserter(row));
        table.add(std::move(row));
        report.json["shapes"][subject.name] = {{"fixed_seconds", fixed}, {"sizes", sizes}};
    }
    report.markdown +=
        "\n## Shapes that are hard to watch\n\n"
        "`bench/speed/shapes.cu` at growing n. Fixed: a launch of four blocks, all recorded; rates are of "
        "what comes\n"
        "on top of it. Growth: an instruction's cost at the largest n by the least; C++ loop: the same of a "
        "plain\n"
        "loop with the same accesses on one thread, since the host has caches, too; ratio: one by the "
        "other.\n\n" +
        table.markdown();
}

std::string outputOf(const std::string& command) {
    std::string text;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
    std::array<char, 4096> room;
    for (std::size_t got; pipe && (got = std::fread(room.data(), 1, room.size(), pipe.get()));)
        text.append(room.data(), got);
    return text;
}

// speed_opencl beside this program times the same kernels on every OpenCL platform, and on Oclgrind where
// that is installed (a minute and a half): a line each.
void compareWithOpenCl(const std::string& self, const std::string& part, Report& report) {
    const std::string program = (std::filesystem::path(self).parent_path() / "speed_opencl").string();
    if (!std::filesystem::exists(program)) {
        fmt::print("no speed_opencl: no OpenCL was found when this was built\n");
        return;
    }
    const std::array<VariantSubject, 4> subjects{{{"matmul/naive", {{"width", "256"}}},
                                                  {"matmul/tiled", {{"width", "256"}}},
                                                  {"transpose/naive", {{"rows", "512"}, {"columns", "1024"}}},
                                                  {"reduction/v0", {{"n", "1048576"}}}}};
    Table table({"kernel", "Lockstep ms", "other", "its ms", "times"});
    const std::string text = outputOf(program) + outputOf("command -v oclgrind >/dev/null && oclgrind " +
                                                          program + " 1 2>/dev/null");
    for (const VariantSubject& subject : subjects) {
        if (subject.name.find(part) == std::string::npos) continue;
        run::Experiment experiment = bench::experiment(subject.name, subject.settings);
        const Timed own = measure(experiment, Watched::All);
        std::istringstream lines(text);
        std::string name, platform;
        for (f64 seconds = 0; lines >> name >> platform >> seconds;) {
            if (name != subject.name) continue;
            table.add({name, fmt::format("{:.2f}", own.seconds * 1e3), platform,
                       fmt::format("{:.2f}", seconds * 1e3), fmt::format("{:.2f}", seconds / own.seconds)});
            report.json["opencl"].push_back(
                {{"name", name}, {"platform", platform}, {"seconds", own.seconds}, {"its_seconds", seconds}});
        }
    }
    report.markdown +=
        "\n## Beside OpenCL on the same cores\n\n"
        "PoCL compiles the kernel to native code and records nothing; Oclgrind interprets it, here without "
        "its\n"
        "checks. Lockstep counts, records four blocks and looks for races.\n\n" +
        table.markdown();
}

int once(const std::string& name) {
    const auto& subjects = countedSubjects();
    const auto subject = std::ranges::find(subjects, name, &VariantSubject::name);
    if (subject == subjects.end()) {
        fmt::print(stderr, "no counted subject is named {}\n", name);
        return 2;
    }
    run::Experiment experiment = bench::experiment(subject->name, subject->settings);
    const std::vector<Buffer> initial = experiment.buffers;
    simt::Options options;
    options.threads = 1;
    options.initial = initial;
    const auto result = simt::run(*experiment.module, experiment.launches, experiment.buffers, options);
    CHECK(result, "the kernel can be launched");
    fmt::print("{}\n", result->statistics.threadInstructions);
    return 0;
}

}  // namespace
}  // namespace lockstep::bench

int main(int argc, char** argv) {
    using namespace lockstep;
    CLI::App app("How fast the emulator is, and what watching costs");
    bool variants = false, shapes = false, opencl = false, counted = false;
    u32 to = 24;
    std::string json, markdown, part, only;
    app.add_flag("--variants", variants, "the catalog at about a million elements");
    app.add_flag("--shapes", shapes, "shapes.cu at growing n");
    app.add_flag("--opencl", opencl, "beside the OpenCL platforms of this machine");
    app.add_option("--to", to, "largest n of the shapes, as a power of two: 16, 20 or 24")
        ->check(CLI::Range(16, 24));
    app.add_option("--json", json, "write everything to this file");
    app.add_option("--markdown", markdown, "write the tables to this file");
    app.add_option("--once", only, "one run of a counted subject, on one thread");
    app.add_flag("--counted", counted, "list the counted subjects");
    app.add_option("name", part, "only what has this in its name");
    CLI11_PARSE(app, argc, argv);
    if (counted) {
        for (const bench::VariantSubject& subject : bench::countedSubjects())
            fmt::print("{}\n", subject.name);
        return 0;
    }
    if (!only.empty()) return bench::once(only);
    const bool all = !variants && !shapes && !opencl;
    bench::Report report;
    report.json["calibration_seconds"] = bench::calibrationSeconds();
    report.markdown = fmt::format(
        "# Speed of the emulator\n\n"
        "Written by `build/release/bench/speed_bench --markdown docs/internals/performance.md`, which "
        "measures all of\n"
        "it: {} threads, a calibration loop took {:.3f} ms ([benchmarks](benchmarks.md)). G/s: billions of "
        "thread\n"
        "instructions a second on all cores, with counts, findings and the events of the recorded blocks, "
        "the median\n"
        "of up to nine runs in one process. Counts, races, events: the share of the time that a run takes "
        "less\n"
        "without these; unwatched: G/s without all of them; caches: what their simulation takes beside the "
        "run.\n",
        std::thread::hardware_concurrency(), bench::calibrationSeconds() * 1e3);
    if (variants || all) bench::measureVariants(part, report);
    if (shapes || all) bench::measureShapes(part, to, report);
    if (opencl || all) bench::compareWithOpenCl(argv[0], part, report);
    for (const auto& [file, text] :
         {std::pair{json, report.json.dump(1) + "\n"}, std::pair{markdown, report.markdown}})
        if (!file.empty() && !(std::ofstream(file) << text)) {
            fmt::print(stderr, "{} cannot be written\n", file);
            return 1;
        }
}
