#include "app/cli/run_summary.h"

#include "app/cli/output.h"
#include "base/counted.h"
#include "base/median.h"
#include "model/finding_groups.h"
#include "model/words.h"
#include "run/machine_run.h"
#include "run/proposed_references.h"
#include "viz/finding_at.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace lockstep::cli {
namespace {

// "4 × 2 (x, y) blocks", "1 block"
std::string extents(Dim3 d, std::string_view what) {
    if (d.y == 1 && d.z == 1) return counted(d.x, what);
    return fmt::format("{} {}s", model::extentsText(d), what);
}

void printVerdict(const run::Run& run) {
    if (!run.recording.complete)
        printOut("stopped after {:.3g} s, before the end: what follows is what had run by then\n",
                 run.statistics.seconds);
    const std::string reference = run.recording.check ? run.recording.check->reference : "";
    if (run.comparison && run.comparison->correct && !reference.empty()) {
        printOut("result      matches {} (largest difference {:g})\n", reference, run.comparison->maxError);
    } else if (run.comparison && run.comparison->correct) {
        printOut("result      matches the CPU reference (largest difference {:g})\n",
                 run.comparison->maxError);
    } else if (run.comparison) {
        printOut("result      WRONG in {}", counted(run.comparison->wrongCount, "element"));
        if (const auto& first = run.comparison->first)
            printOut(", first {}[{}] = {:g} instead of {:g}", first->buffer, first->index, first->got,
                     first->want);
        if (!reference.empty()) printOut("; compared with {}", reference);
        printOut("\n");
    } else if (run.gpuFault) {
        printOut("result      none: the kernel did not come to its end on the GPU\n");
    } else if (std::ranges::find(run.notes, FaultKind::Cancelled, &Fault::kind) != run.notes.end()) {
        printOut("result      not checked\n");
    } else if (run.recording.complete) {
        printOut("result      nothing to compare with");
        if (const std::vector<std::string> proposed = run::proposedReferences(run::kernelShapeOf(run));
            !proposed.empty())
            printOut("; to check the result: --reference {}", proposed.front());
        printOut("\n");
    }
}

void printSites(const run::Run& run) {
    if (run.report.sites.empty()) return;
    // What the device counts: sectors, transactions, or on cc 2.x and 3.x either.
    const auto isGlobal = [](const model::SiteReport& site) {
        return site.space != trace::Space::Shared && site.executions > 0;
    };
    const bool someSectors = std::ranges::any_of(run.report.sites, [&](const model::SiteReport& site) {
        return isGlobal(site) && site.countsSectors;
    });
    const bool someTransactions = std::ranges::any_of(run.report.sites, [&](const model::SiteReport& site) {
        return isGlobal(site) && !site.countsSectors;
    });
    const auto column = [](bool isShown, const std::string& text) {
        return isShown ? fmt::format("{:>14}", text) : std::string();
    };
    printOut("\n{:>5}  {:<26}{:>14}{:>14}{}{}{:>14}  {}\n", "line", "memory instruction", "executions",
             "requests", column(someSectors || !someTransactions, "sectors"),
             column(someTransactions, "transactions"), "wavefronts", "(least)");
    for (const model::SiteReport& site : run.report.sites) {
        if (site.executions == 0) continue;
        const bool shared = site.space == trace::Space::Shared;
        printOut("{:>5}  {:<26}{:>14}{:>14}{}{}{:>14}  {}\n", site.line, site.opcode,
                 grouped(site.executions), shared ? "" : grouped(site.requests),
                 column(someSectors || !someTransactions,
                        shared || !site.countsSectors ? "" : grouped(site.sectors)),
                 column(someTransactions, shared || site.countsSectors ? "" : grouped(site.sectors)),
                 shared ? grouped(site.wavefronts) : "",
                 shared ? "(" + grouped(site.idealWavefronts) + ")" : "");
    }
}

std::string_view sourceOf(bool fromMachineCode) { return fromMachineCode ? "from machine code" : "modeled"; }

// Shared accesses of one source line that became one kind of access.
struct Became {
    u32 line = 0;
    bool isStore = false, removed = false, fromMachineCode = false;
    u8 widthBytes = 0;  // of what they became
    auto operator<=>(const Became&) const = default;
};
struct Amount {
    u64 sites = 0, accesses = 0, written = 0, wavefronts = 0;
};

// What the compiler makes of accesses and branches, where that is something else than was written.
void printMachine(const run::Run& run) {
    std::map<Became, Amount> became;
    for (const model::SiteReport& site : run.report.sites) {
        if (!site.merged && !site.removed) continue;
        Amount& amount = became[{.line = site.line,
                                 .isStore = site.kind == trace::AccessKind::Store,
                                 .removed = site.removed,
                                 .fromMachineCode = site.fromMachineCode,
                                 .widthBytes = site.merged ? site.merged->widthBytes : u8{0}}];
        ++amount.sites;
        amount.accesses += site.merged && site.merged->first == site.pc;
        amount.written += site.wavefronts;
        amount.wavefronts += site.machineWavefronts();
    }
    std::vector<const model::BranchReport*> branches;
    for (const model::BranchReport& branch : run.report.branches)
        if (branch.form != model::BranchForm::Branch) branches.push_back(&branch);
    if (became.empty() && branches.empty()) return;

    printOut("\nas the machine runs it");
    if (run::hasMachineCode(run))
        printOut(" ({}, sm_{})", run.machine->code->compiler, run.machine->code->computeCapability);
    printOut("\n");
    for (const auto& [what, amount] : became) {
        const std::string accesses = fmt::format(
            "{} shared {}{}", amount.sites, what.isStore ? "store" : "load", amount.sites == 1 ? "" : "s");
        if (what.removed)
            printOut("{:>5}  {} removed, {} wavefronts less ({})\n", what.line, accesses,
                     grouped(amount.written), sourceOf(what.fromMachineCode));
        else if (amount.accesses == 0)
            printOut("{:>5}  {} made by an access of {} bytes of another line ({})\n", what.line, accesses,
                     what.widthBytes, sourceOf(what.fromMachineCode));
        else
            printOut("{:>5}  {} in {} of {} bytes: {} wavefronts instead of {} ({})\n", what.line, accesses,
                     amount.accesses, what.widthBytes, grouped(amount.wavefronts), grouped(amount.written),
                     sourceOf(what.fromMachineCode));
    }
    for (const model::BranchReport* branch : branches)
        printOut("{:>5}  a branch run as {} ({})\n", branch->line,
                 branch->form == model::BranchForm::Exit ? "an exit with a condition" : "predication",
                 sourceOf(branch->fromMachineCode));
    if (run.machine && run.machine->why) printOut("       modeled: {}\n", describe(*run.machine->why));
}

void printOccupancy(const run::Run& run) {
    const model::Occupancy& occupancy = run.report.occupancy;
    if (occupancy.blocksPerSm == 0) return;
    printOut("occupancy   {} and {} on a multiprocessor, limited by {}",
             counted(occupancy.blocksPerSm, "block"), counted(occupancy.warpsPerSm, "warp"),
             occupancy.limitedBy == "grid" ? "the grid" : occupancy.limitedBy);
    if (const auto registers = run::registersOf(run, run.profile))
        printOut(" ({} per thread, {})\n", counted(registers->perThread, "register"),
                 registers->fromMachineCode ? "from machine code" : "by a GPU");
    else
        printOut(" (registers are not known: an upper bound)\n");
}

// A mistake once, however many threads made it.
void printFindings(const run::Run& run) {
    constexpr std::size_t kMost = 10;
    const auto& findings = run.recording.findings;
    if (findings.empty()) return;
    const std::vector<model::FindingGroup> groups = model::groupFindings(findings, *run.module);
    printOut("\n{}\n", model::describe(model::tallyOf(findings, *run.module)).english());
    for (const model::FindingGroup& group : groups | std::views::take(kMost)) {
        const trace::Finding& finding = group.first();
        std::string place;
        if (finding.who.pc != kNoPc) {
            if (run.recording.launches.size() > 1) place = fmt::format("launch {}: ", finding.launch.value);
            const model::SourceLine at = model::sourceLineOf(finding.who.pc, *run.module);
            if (at.line) place += fmt::format("{}:{}: ", run.module->files[at.file], at.line);
        }
        printOut("  {}{}: {}\n", place, trace::nameOf(finding.kind), viz::textOf(run, finding).english());
        if (finding.kind == trace::FindingKind::Truncated) printOut("      (--findings lists more)\n");
        if (const std::size_t more = group.findings.size() - 1)
            printOut("      and {} more of the same lines\n", grouped(more));
    }
    if (groups.size() > kMost) printOut("  ... and other lines (--json FILE lists them)\n");
}

std::string milliseconds(f64 value) {
    return fmt::format("{:.{}f} ms", value, value < 0.1 ? 5 : value < 10 ? 4 : 2);
}

std::string copied(const run::KernelTiming::Copy& copy) {
    const f64 rate = copy.milliseconds > 0 ? f64(copy.bytes) / copy.milliseconds / 1e6 : 0;
    return fmt::format("{} ({:.1f} GB/s)", milliseconds(copy.milliseconds), rate);
}

void printMeasured(const run::Run& run) {
    const run::Measured& measured = *run.measured;
    if (measured.recording.empty())
        printOut("GPU         {} (compute capability {}, CUDA {}); trace by the {}\n", measured.device,
                 measured.computeCapability, measured.driver,
                 run.traceSource == "gpu" ? "GPU" : run.traceSource);
    else
        printOut("recorded on {} on {} (CUDA {}), recording {}\n", measured.device, measured.date,
                 measured.driver, measured.recording);
    if (const auto& same = measured.emulator) {
        if (same->differing == 0)
            printOut("            the same result as the emulator's, bit for bit\n");
        else
            printOut("            differs from the emulator in {}, by {:g} at most\n",
                     counted(same->differing, "element"), same->largest);
    }
    if (const auto& timing = measured.timing) {
        const run::Spread& kernel = timing->kernel;
        printOut("GPU time    {} (median of {}; middle half {} to {}), L2 {}", milliseconds(kernel.median),
                 kernel.runs, milliseconds(kernel.lowerQuartile), milliseconds(kernel.upperQuartile),
                 timing->coldCache ? "cold" : "warm");
        if (timing->batch > 1) printOut(", in batches of {}", timing->batch);
        if (timing->smMegahertz > 0) printOut(", at {:.0f} MHz", timing->smMegahertz);
        printOut("\n");
        if (timing->toDevice && timing->toHost)
            printOut("copies      {} to the GPU in {}, back in {}\n",
                     counted(timing->toDevice->bytes, "byte"), copied(*timing->toDevice),
                     copied(*timing->toHost));
    }
}

// What the model says beside what the hardware counted, where both know it.
void printCounters(const run::Run& run) {
    if (!run::countedForProfile(run)) {
        if (!run.measured->counters.empty())
            printOut(
                "counters    of the {} (compute capability {}) stand beside its own rules only: --profile "
                "{}\n",
                run.measured->device, run.measured->computeCapability, run::profileOf(*run.measured).name);
        return;
    }
    printOut("\n{:<56}{:>16}{:>16}\n", "over the whole grid", "model", "measured");
    for (const auto& [metric, value] : run.measured->counters) {
        const auto model = run.report.counters.find(metric);
        const bool isModelled = model != run.report.counters.end() && run.emulated;
        if (value == 0 && (!isModelled || model->second == 0)) continue;
        printOut("{:<56}{:>16}{:>16}\n", metric, isModelled ? grouped(model->second) : "",
                 grouped(u64(value)));
    }
}

}  // namespace

void printSummary(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu) {
    const trace::Recording& recording = run.recording;
    std::string title = recording.family.empty()
                            ? recording.entry
                            : recording.family + "/" + recording.variant + "  " + recording.entry;
    for (const auto& [name, value] : recording.parameters)
        title += "  " + name + "=" + value;
    printOut("{}\n", title);
    for (const Launch& launch : recording.launches)
        printOut("launch      {} of {}, {} of shared memory\n", extents(launch.grid, "block"),
                 extents(launch.block, "thread"), counted(run::sharedBytes(*run.module, launch), "byte"));
    printVerdict(run);
    if (run.measured) printMeasured(run);
    if (run.statistics.seconds > 0)
        printOut("emulated    {} in {:.4f} s on {} ({:.1f} billion a second), blocks {}\n",
                 counted(run.statistics.threadInstructions, "thread instruction"), run.statistics.seconds,
                 counted(run.statistics.threads, "thread"),
                 run.statistics.seconds > 0
                     ? f64(run.statistics.threadInstructions) / run.statistics.seconds / 1e9
                     : 0.0,
                 recording.sequential ? "in order" : "in parallel");
    const auto beginnings = std::ranges::count(recording.trace.blocks, true, &trace::FocusBlock::truncated);
    if (beginnings)
        printOut(
            "recorded    {} of {} blocks did more than there is room for: of these the beginning is kept "
            "(--focus chooses fewer)\n",
            beginnings, recording.trace.blocks.size());
    if (cpu)
        printOut("CPU         {:.3f} ms for the plain loop on {} thread{} of this machine (median of {})\n",
                 1e3 * median(cpu->seconds), cpu->threads, cpu->threads == 1 ? "" : "s", cpu->seconds.size());
    printOut("rules of    {}\n", run.report.profile);
    printOccupancy(run);
    for (const Fault& note : run.notes)
        printOut("note        {}\n", describe(note));
    if (run.measured) printCounters(run);
    printSites(run);
    printMachine(run);
    printFindings(run);
}

}  // namespace lockstep::cli
