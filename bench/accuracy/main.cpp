// Accuracy of the model against the counters of an H200: every run of the shipped recording and every kernel
// of tests/truth, one line for each counter out of its tolerance, and one line per counter for all of them.
// docs/internals/caches.md has its results.
//
//     accuracy_bench [SECONDS] [PART OF A NAME] [all]
//     accuracy_bench compiler
//
// Runs that take longer than SECONDS (2) are skipped; all: a line for every figure; machine code is read if
// the toolkit is installed. A figure measured in several launches (tests/data/caches/launches.csv) agrees if
// it is close enough to any of them. compiler: the model's predictions of the compiler against its machine
// code for cc 9.0, over all PTX of assets/ and tests/.
#include "base/files/text_file.h"
#include "catalog/catalog.h"
#include "cuda/compiler/disassemble.h"
#include "model/branches/branches.h"
#include "model/caches/code_sectors.h"
#include "model/machine_accesses.h"
#include "model/tolerances.h"
#include "run/machine/read_machine_code.h"
#include "run/recordings/recordings.h"
#include "run/run.h"
#include "sass/machine_code.h"
#include "support/measured_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace lockstep {
namespace {

// Judged too, but over all kernels: within so much on nine of ten.
constexpr const char* kL2Reads = "lts__t_sectors_srcunit_tex_op_read";
constexpr f64 kL2ReadsWithin = 0.05;
constexpr s64 kCodeWithin = 128;  // sectors

struct Tally {
    u32 figures = 0, off = 0;
    f64 differences = 0;  // relative, absolute values
};

class Accuracy {
public:
    Accuracy(f64 seconds, std::string part, bool all) : part_(std::move(part)), all_(all) {
        options_.backend = "emulator";
        options_.caches = run::Caches::On;
        options_.emulator.limit = std::chrono::nanoseconds(s64(seconds * 1e9));
    }

    bool isWanted(const std::string& name) const { return name.find(part_) != std::string::npos; }

    // ownCounting: measured by the program itself, not by ncu.
    void compare(const std::string& name, Expected<run::Experiment> experiment,
                 const std::map<std::string, Measured>& measured, bool ownCounting) {
        if (!experiment) return leaveOut(name, describe(experiment.error()));
        Expected<run::Run> run = run::run(std::move(*experiment), options_);
        if (!run) return leaveOut(name, describe(run.error()));
        if (!run->recording.complete || !run->caches) return leaveOut(name, "takes too long");
        run::readMachineCode(disassembler_, *run);
        ++runs_;
        for (const model::Tolerance& tolerance : model::tolerances())
            figure(name, tolerance.metric, *run, measured, [&](f64 model, f64 value) {
                return model::agrees(tolerance, model + (ownCounting ? tolerance.added : 0), value);
            });
        figure(name, kL2Reads, *run, measured,
               [&](f64 model, f64 value) { return std::abs(model - value) <= kL2ReadsWithin * value; });
    }

    void summary() const {
        fmt::print("{} runs\n", runs_);
        for (const auto& [metric, tally] : tallies_)
            fmt::print("{:<60} {:>4} of {:>4} off, mean difference {:.3f} %\n", metric, tally.off,
                       tally.figures, 100 * tally.differences / tally.figures);
    }

private:
    void leaveOut(const std::string& name, const std::string& why) {
        fmt::print("{:<70} left out: {}\n", name, why);
    }

    template <class Agrees>
    void figure(const std::string& name, std::string_view metric, const run::Run& run,
                const std::map<std::string, Measured>& measured, Agrees agrees) {
        const auto found = measured.find(std::string(metric));
        const auto model = run.report.counters.find(std::string(metric));
        if (found == measured.end() || model == run.report.counters.end()) return;
        const f64 value = f64(model->second),
                  nearest = std::clamp(value, found->second.least, found->second.most);
        const bool off = !agrees(value, nearest);
        Tally& tally = tallies_[std::string(metric)];
        ++tally.figures;
        tally.off += off;
        tally.differences += value == nearest ? 0 : std::abs(value - nearest) / std::max(value, nearest);
        if (off || all_)
            fmt::print("{:<70} {:<58} {:>10} {:>10} {:>+9.2f} %{}\n", name, metric, value, nearest,
                       nearest > 0 ? 100 * (value - nearest) / nearest : 0.0, off ? " off" : "");
        std::fflush(stdout);
    }

    std::string part_;
    bool all_;
    run::Options options_;
    cuda::Disassembler disassembler_;
    u32 runs_ = 0;
    std::map<std::string, Tally> tallies_;
};

// Of runs that were launched several times: how far their counters differ from launch to launch. By kernel,
// then metric.
std::map<std::string, std::map<std::string, Measured>> measuredLaunches(const std::filesystem::path& root) {
    std::map<std::string, std::map<std::string, Measured>> launches;
    std::ifstream table(root / "tests/data/caches/launches.csv");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::stringstream row(line);
        std::string kernel, metric, count, least, median, most;
        for (std::string* field : {&kernel, &metric, &count, &least, &median, &most})
            std::getline(row, *field, ',');
        launches[kernel][metric] = {std::stod(median), std::stod(least), std::stod(most)};
    }
    return launches;
}

// Branches and lengths of code.
int compareCompiler(const std::filesystem::path& root) {
    if (const Expected<cuda::Toolkit> toolkit = cuda::findToolkit(); !toolkit)
        return fmt::print(stderr, "{}\n", describe(toolkit.error())), EXIT_FAILURE;
    cuda::Disassembler disassembler;
    u32 files = 0, branches = 0, asExpected = 0, unclear = 0, kernels = 0, near = 0;
    for (const char* folder : {"assets/ptx", "tests"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
            if (entry.path().extension() != ".ptx") continue;
            const Expected<std::string> text = readTextFile(entry.path(), Message::plain("a file of PTX"));
            if (!text) continue;
            const Expected<ptx::Module> module = ptx::parse(*text, entry.path().string());
            if (!module) continue;
            const cuda::Disassembler::Answer answer = disassembler.of(*module, 90);
            if (!answer) continue;
            const sass::MachineCode& code = **answer;
            ++files;
            for (u32 pc = 0; pc < module->instructions.size(); ++pc) {
                const ptx::Instruction& instruction = module->at(Pc{pc});
                if (!instruction.guard.present || !instruction.name.starts_with("bra")) continue;
                const std::optional<model::BranchForm> machine =
                    model::machineBranchForm(*module, Pc{pc}, code);
                if (!machine)
                    ++unclear;
                else
                    ++branches, asExpected += *machine == model::branchForm(*module, Pc{pc});
            }
            for (const ptx::Function& function : module->functions) {
                const std::optional<u64> sectors =
                    function.isEntry ? model::codeSectors(*module, function, code) : std::nullopt;
                if (!sectors) continue;
                ++kernels;
                near += std::abs(s64(*sectors) - s64(model::codeSectors(*module, function))) <= kCodeWithin;
            }
        }
    fmt::print(
        "{} files\nbranches: {} of {} ({:.1f}%) as expected; of {} more the code does not tell\nlength of "
        "code: of {} of {} kernels within {} sectors\n",
        files, asExpected, branches, 100.0 * asExpected / branches, unclear, near, kernels, kCodeWithin);
    return EXIT_SUCCESS;
}

int execute(f64 seconds, const std::string& part, bool all) {
    const std::filesystem::path root = LOCKSTEP_SOURCE_DIR;
    const Expected<catalog::Catalog> catalog = catalog::Catalog::read(root / "kernels");
    const Expected<std::vector<run::HardwareRecording>> recordings = run::shippedRecordings({root});
    if (!catalog || !recordings) return EXIT_FAILURE;
    Accuracy accuracy(seconds, part, all);
    const auto launches = measuredLaunches(root);
    for (const run::HardwareRecording& recording : *recordings)
        for (const run::RecordedRun& recorded : recording.runs) {
            std::string name = recorded.kernel;
            for (const auto& [key, value] : recorded.parameters)
                name += fmt::format(" {}={}", key, value);
            const auto found = catalog->lookUp(recorded.kernel);
            if (!accuracy.isWanted(name) || !found || recorded.measured.counters.empty()) continue;
            const Expected<catalog::Values> values =
                catalog::resolve(*found->first, *found->second, recorded.parameters);
            if (!values) continue;
            std::map<std::string, Measured> measured;
            for (const auto& [metric, value] : recorded.measured.counters)
                measured[metric] = {value, value, value};
            if (const auto several = launches.find(name); several != launches.end())
                for (const auto& [metric, range] : several->second)
                    if (const auto one = measured.find(metric); one != measured.end())
                        one->second.least = std::min(one->second.least, range.least),
                        one->second.most = std::max(one->second.most, range.most);
            accuracy.compare(name, run::open({root}, *found->first, *found->second, *values), measured, true);
        }
    std::filesystem::current_path(root / "tests/truth/own");
    for (const MeasuredKernel& kernel : measuredKernels())
        if (accuracy.isWanted(kernel.name))
            accuracy.compare(kernel.name, run::open(kernel.request), kernel.counters, false);
    accuracy.summary();
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace lockstep

int main(int count, char** words) {
    if (count > 1 && std::string_view(words[1]) == "compiler")
        return lockstep::compareCompiler(LOCKSTEP_SOURCE_DIR);
    return lockstep::execute(count > 1 ? std::atof(words[1]) : 2, count > 2 ? words[2] : "", count > 3);
}
