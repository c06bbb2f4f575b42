#include "app/cli/run_summary.h"

#include <algorithm>

#include "app/cli/output.h"
#include "base/counted.h"
#include "base/median.h"

namespace lockstep::cli {
namespace {

// "4 x 2 blocks", "1 block"
std::string extents(Dim3 d, std::string_view what) {
    if (d.y == 1 && d.z == 1) return counted(d.x, what);
    return d.z > 1 ? fmt::format("{} x {} x {} {}s", d.x, d.y, d.z, what) : fmt::format("{} x {} {}s", d.x, d.y, what);
}

void printVerdict(const run::Run& run) {
    if (!run.recording.complete) printOut("stopped before the end: what follows is what had run by then\n");
    if (run.comparison && run.comparison->correct) {
        printOut("result      equals the CPU's (largest difference {:g})\n", run.comparison->maxError);
    } else if (run.comparison) {
        printOut("result      WRONG in {}", counted(run.comparison->wrongCount, "element"));
        if (const auto& first = run.comparison->first)
            printOut(", first {}[{}] = {:g} instead of {:g}", first->buffer, first->index, first->got, first->want);
        printOut("\n");
    } else if (run.recording.complete) {
        printOut("result      nothing to compare with\n");
    }
}

void printSites(const run::Run& run) {
    if (run.report.sites.empty()) return;
    printOut("\n{:>5}  {:<26}{:>14}{:>14}{:>14}{:>14}  {}\n", "line", "memory instruction", "executions", "requests", "sectors",
               "wavefronts", "(least)");
    for (const model::SiteReport& site : run.report.sites) {
        if (site.executions == 0) continue;
        const bool shared = site.space == trace::Space::Shared;
        printOut("{:>5}  {:<26}{:>14}{:>14}{:>14}{:>14}  {}\n", site.line, site.opcode, grouped(site.executions),
                   shared ? "" : grouped(site.requests), shared ? "" : grouped(site.sectors), shared ? grouped(site.wavefronts) : "",
                   shared ? "(" + grouped(site.idealWavefronts) + ")" : "");
    }
}

void printFindings(const run::Run& run) {
    constexpr std::size_t kMost = 10;
    const auto& findings = run.recording.findings;
    if (findings.empty()) return;
    printOut("\n{}\n", counted(findings.size(), "finding"));
    for (std::size_t i = 0; i < findings.size() && i < kMost; ++i) {
        const trace::Finding& finding = findings[i];
        std::string place;
        if (finding.who.pc != kNoPc) {
            const model::SourceLine at = model::sourceLineOf(finding.who.pc, *run.module);
            if (at.line) place = fmt::format("{}:{}: ", run.module->files[at.file], at.line);
        }
        printOut("  {}{}: {}\n", place, trace::nameOf(finding.kind), model::describe(finding, *run.module, run.recording).en);
    }
    if (findings.size() > kMost) printOut("  ... and {} more (--json FILE has all)\n", findings.size() - kMost);
}

}  // namespace

void printSummary(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu) {
    const trace::Recording& recording = run.recording;
    std::string title = recording.family.empty() ? recording.entry : recording.family + "/" + recording.variant + "  " + recording.entry;
    for (const auto& [name, value] : recording.parameters) title += "  " + name + "=" + value;
    printOut("{}\n", title);
    for (const Launch& launch : recording.launches)
        printOut("launch      {} of {}, {} of shared memory\n", extents(launch.grid, "block"), extents(launch.block, "thread"),
                   counted(run::sharedBytes(*run.module, launch), "byte"));
    printVerdict(run);
    printOut("emulated    {} in {:.4f} s on {} ({:.1f} billion a second), blocks {}\n",
               counted(run.statistics.threadInstructions, "thread instruction"), run.statistics.seconds, counted(run.statistics.threads, "thread"),
               run.statistics.seconds > 0 ? f64(run.statistics.threadInstructions) / run.statistics.seconds / 1e9 : 0.0,
               recording.sequential ? "in order" : "in parallel");
    const auto beginnings = std::ranges::count(recording.trace.blocks, true, &trace::FocusBlock::truncated);
    if (beginnings)
        printOut("recorded    {} of {} blocks did more than there is room for: of these the beginning is kept (--focus chooses fewer)\n", beginnings,
                   recording.trace.blocks.size());
    if (cpu)
        printOut("CPU         {:.3f} ms for the plain loop on {} thread{} of this machine (median of {})\n", 1e3 * median(cpu->seconds), cpu->threads,
                 cpu->threads == 1 ? "" : "s", cpu->seconds.size());
    printOut("rules of    {}\n", run.report.profile);
    printSites(run);
    printFindings(run);
}

}  // namespace lockstep::cli
