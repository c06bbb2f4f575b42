#include "app/cli/pages/run_summary.h"

#include "app/cli/terminal/output.h"
#include "base/median.h"
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/quantities.h"
#include "explain/findings/finding_at.h"
#include "explain/hints/hints.h"
#include "explain/numbers.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/finding_groups.h"
#include "explain/sentences/finding_text.h"
#include "explain/sentences/sample_text.h"
#include "explain/sentences/words.h"
#include "run/find_hints.h"
#include "run/machine/machine_run.h"
#include "run/own/proposed_references.h"

#include <algorithm>
#include <map>
#include <ranges>

namespace lockstep::cli {
namespace {

// A count in words: "1 block", "1,024 blocks".
constexpr Words kBlocks = english("{0} {0:block|blocks}"), kThreads = english("{0} {0:thread|threads}"),
                kWarps = english("{0} {0:warp|warps}"), kBytes = english("{0} {0:byte|bytes}"),
                kElements = english("{0} {0:element|elements}"),
                kRegisters = english("{0} {0:register|registers}"),
                kThreadInstructions = english("{0} {0:thread instruction|thread instructions}");

Message countOf(u64 count, const Words& what) { return Message(what, grouped(count)); }

// "4 × 2 (x, y) blocks", "1 block"
Message extents(Dim3 d, const Words& what) {
    return d.y == 1 && d.z == 1 ? countOf(d.x, what) : Message(what, explain::extentsText(d));
}

// Prints a run in one language: topics at the left, text at the right.
class Summary {
public:
    Summary(const run::Run& run, Language language) : run_(run), language_(language) {}
    void print(const std::optional<catalog::CpuTiming>& cpu) const;

private:
    static constexpr std::size_t kLabel = 12;

    template <class... Values> std::string say(const Words& words, const Values&... values) const {
        return lockstep::say(language_, words, values...);
    }
    void row(const Words& label, const Message& text) const {
        printOut("{:<{}}{}\n", say(label), kLabel, text.in(language_));
    }
    template <class... Values> void line(const Words& words, const Values&... values) const {
        printLine(language_, words, values...);
    }

    void printTitle() const;
    void printVerdict() const;
    Message wrongResult(const std::string& reference) const;
    void printEmulation() const;
    void printCpu(const catalog::CpuTiming& cpu) const;
    void printOccupancy() const;
    void printSample() const;
    void printGrid() const;
    void printSites() const;
    void printMachine() const;
    void printFindings() const;
    void printHints() const;
    void printMeasured() const;
    void printTiming(const run::KernelTiming& timing) const;
    void printCounters() const;

    const run::Run& run_;
    Language language_;
};

std::string general(f64 value) { return fmt::format("{:g}", value); }

Message Summary::wrongResult(const std::string& reference) const {
    const Message count = countOf(run_.comparison->wrongCount, kElements);
    Message text(english("WRONG in {0}"), count);
    if (const auto& first = run_.comparison->first)
        text = Message(english("WRONG in {0}, first {1} = {2} instead of {3}"), count,
                       explain::nameOfElement(run_.recording.final, first->buffer, first->index),
                       explain::elementText(run_.recording.final, first->buffer, first->got),
                       explain::elementText(run_.recording.final, first->buffer, first->want));
    return reference.empty() ? text : Message(english("{0}; compared with {1}"), text, reference);
}

void Summary::printVerdict() const {
    if (!run_.recording.complete)
        line(english("stopped after {0} s, before the end: what follows is what had run by then"),
             fmt::format("{:.3g}", run_.statistics.seconds));
    constexpr Words kResult = english("label", "result");
    const std::string reference = run_.recording.check ? run_.recording.check->reference : "";
    if (run_.comparison && run_.comparison->correct && !reference.empty()) {
        row(kResult, Message(english("matches {0} (largest difference {1})"), reference,
                             general(run_.comparison->maxError)));
    } else if (run_.comparison && run_.comparison->correct) {
        row(kResult, Message(english("matches the CPU reference (largest difference {0})"),
                             general(run_.comparison->maxError)));
    } else if (run_.comparison) {
        row(kResult, wrongResult(reference));
    } else if (run_.recording.sample) {
        row(kResult, english("not checked: only some of the blocks ran"));
    } else if (run_.gpuFault) {
        row(kResult, english("none: the kernel did not come to its end on the GPU"));
    } else if (std::ranges::find(run_.notes, FaultKind::Cancelled, &Fault::kind) != run_.notes.end()) {
        row(kResult, english("not checked"));
    } else if (run_.recording.complete) {
        const std::vector<std::string> proposed = run::proposedReferences(run::kernelShapeOf(run_));
        row(kResult, proposed.empty()
                         ? Message(english("nothing to compare with"))
                         : Message(english("nothing to compare with; to check the result: --reference {0}"),
                                   proposed.front()));
    }
}

// Which blocks everything below is of.
void Summary::printSample() const {
    const trace::Sample& sample = *run_.recording.sample;
    row(english("label", "sample"),
        Message(english("{0}; counts, lines and findings are of these alone"), explain::blocksOf(sample)));
}

// The counters of the whole grid, where the sample proves them.
void Summary::printGrid() const {
    const trace::Sample& sample = *run_.recording.sample;
    if (!sample.isExtrapolated()) {
        printOut("\n");
        return line(english("the whole grid's counters are not known: {0}"),
                    explain::whyNotExtrapolated(sample, *run_.module));
    }
    printOut("\n{:<56}{:>20}\n",
             say(english("over the whole grid, extrapolated: its blocks are proved alike")),
             say(english("column", "model")));
    for (const auto& [metric, value] : run_.report.counters)
        if (value > 0) printOut("{:<56}{:>20}\n", metric, grouped(value));
}

void Summary::printSites() const {
    if (run_.report.sites.empty()) return;
    if (run_.recording.sample) {
        printOut("\n");
        line(english("the blocks that ran ({0}):"), explain::blocksOf(*run_.recording.sample));
    }
    // What the device counts: sectors, transactions, or on cc 2.x and 3.x either.
    const auto isGlobal = [](const model::SiteReport& site) {
        return site.space != trace::Space::Shared && site.executions > 0;
    };
    const bool someSectors = std::ranges::any_of(run_.report.sites, [&](const model::SiteReport& site) {
        return isGlobal(site) && site.countsSectors;
    });
    const bool someTransactions = std::ranges::any_of(run_.report.sites, [&](const model::SiteReport& site) {
        return isGlobal(site) && !site.countsSectors;
    });
    const auto column = [](bool isShown, const std::string& text) {
        return isShown ? fmt::format("{:>14}", text) : std::string();
    };
    printOut("\n{:>5}  {:<26}{:>14}{:>14}{}{}{:>14}  {}\n", say(english("column", "line")),
             say(english("column", "memory instruction")), say(english("column", "executions")),
             say(english("column", "requests")),
             column(someSectors || !someTransactions, say(english("column", "sectors"))),
             column(someTransactions, say(english("column", "transactions"))),
             say(english("column", "wavefronts")), say(english("column", "(least)")));
    for (const model::SiteReport& site : run_.report.sites) {
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

Words sourceOf(bool fromMachineCode) { return fromMachineCode ? english("from SASS") : english("modeled"); }

// Shared accesses of one source line that were merged to the same width.
struct Became {
    u32 line = 0;
    bool isStore = false, removed = false, fromMachineCode = false;
    u8 widthBytes = 0;  // of what they became
    auto operator<=>(const Became&) const = default;
};
struct Amount {
    u64 sites = 0, accesses = 0, written = 0, wavefronts = 0;
};

std::map<Became, Amount> becomingsOf(const run::Run& run) {
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
    return became;
}

Message sentenceOf(const Became& what, const Amount& amount) {
    const Message accesses(
        what.isStore ? english("{0} shared {0:store|stores}") : english("{0} shared {0:load|loads}"),
        amount.sites);
    const Words source = sourceOf(what.fromMachineCode);
    if (what.removed)
        return Message(english("{0} removed, {1} {1:wavefront|wavefronts} less ({2})"), accesses,
                       grouped(amount.written), source);
    if (amount.accesses == 0)
        return Message(english("{0} made by an access of {1} {1:byte|bytes} of another line ({2})"), accesses,
                       what.widthBytes, source);
    return Message(
        english("{0} in {1} of {2} {2:byte|bytes}: {3} {3:wavefront|wavefronts} instead of {4} ({5})"),
        accesses, amount.accesses, what.widthBytes, grouped(amount.wavefronts), grouped(amount.written),
        source);
}

// Accesses and branches that the compiler changes.
void Summary::printMachine() const {
    const std::map<Became, Amount> became = becomingsOf(run_);
    std::vector<const model::BranchReport*> branches;
    for (const model::BranchReport& branch : run_.report.branches)
        if (branch.form != model::BranchForm::Branch) branches.push_back(&branch);
    if (became.empty() && branches.empty()) return;

    printOut("\n");
    if (run::hasMachineCode(run_))
        line(english("as the machine runs it ({0}, sm_{1})"), run_.machine->code->compiler,
             run_.machine->code->computeCapability);
    else
        line(english("as the machine runs it"));
    for (const auto& [what, amount] : became)
        printOut("{:>5}  {}\n", what.line, sentenceOf(what, amount).in(language_));
    for (const model::BranchReport* branch : branches)
        printOut("{:>5}  {}\n", branch->line,
                 say(branch->form == model::BranchForm::Exit
                         ? english("a branch replaced by a predicated EXIT ({0})")
                         : english("a branch replaced by predication ({0})"),
                     sourceOf(branch->fromMachineCode)));
    if (run_.machine && run_.machine->why)
        printOut("       {}\n", say(english("modeled: {0}"), describe(*run_.machine->why, language_)));
}

// A limit's name in words.
Message limitOf(std::string_view name) {
    if (name == "warps") return english("a limit", "warps");
    if (name == "blocks") return english("a limit", "blocks");
    if (name == "shared memory") return english("a limit", "shared memory");
    if (name == "registers") return english("a limit", "registers");
    return Message::plain(std::string(name));
}

void Summary::printOccupancy() const {
    const model::Occupancy& occupancy = run_.report.occupancy;
    if (occupancy.blocksPerSm == 0) return;
    const u32 most = run_.profile.warpsPerSm;
    const Message resident(english("{0}%: {1} of {2} on an SM, in {3}, limited by {4}"),
                           percentOf(occupancy.possibleWarpsPerSm, most, 1),
                           grouped(occupancy.possibleWarpsPerSm), countOf(most, kWarps),
                           countOf(occupancy.possibleBlocksPerSm, kBlocks), limitOf(occupancy.possibleLimit));
    constexpr Words kLabelText = english("label", "occupancy");
    if (const auto registers = run::registersOf(run_, run_.profile))
        row(kLabelText, Message(registers->fromMachineCode ? english("{0} ({1} per thread, from SASS)")
                                                           : english("{0} ({1} per thread, by a GPU)"),
                                resident, countOf(registers->perThread, kRegisters)));
    else
        row(kLabelText, Message(english("{0} (registers are not known: an upper bound)"), resident));
}

// Each error once, however many threads have it.
void Summary::printFindings() const {
    constexpr std::size_t kMost = 10;
    const auto& findings = run_.recording.findings;
    if (findings.empty()) return;
    const std::vector<explain::FindingGroup> groups = explain::groupFindings(findings, *run_.module);
    const explain::FindingTally tally = explain::tallyOf(findings, *run_.module);
    printOut("\n{}\n", explain::describe(tally).in(language_));
    if (const Message kinds = explain::casesByKind(findings);
        !kinds.empty() && tally.found.all() > tally.all())
        printOut("  {}\n", kinds.in(language_));
    for (const explain::FindingGroup& group : groups | std::views::take(kMost)) {
        const trace::Finding& finding = group.first();
        std::string place;
        if (finding.who.pc != kNoPc) {
            if (run_.recording.launches.size() > 1)
                place = say(english("launch {0}: "), finding.launch.value);
            const model::SourceLine at = model::sourceLineOf(finding.who.pc, *run_.module);
            if (at.line) place += fmt::format("{}:{}: ", run_.module->files[at.file], at.line);
        }
        printOut("  {}{}: {}\n", place, say(explain::titleOf(finding.kind)),
                 explain::textOf(run_, finding).in(language_));
        if (finding.kind == trace::FindingKind::Truncated)
            printOut("      {}\n", say(english("(--findings lists more)")));
        if (const std::size_t more = group.findings.size() - 1)
            printOut("      {}\n", say(english("and {0} more of the same lines"), grouped(more)));
    }
    if (groups.size() > kMost)
        printOut("  {}\n", say(english("... and other lines (--json FILE lists them)")));
}

// What costs most of what it need not cost, the largest share first.
void Summary::printHints() const {
    constexpr std::size_t kMost = 5;
    if (!run_.hints || run_.hints->all.empty()) return;
    printOut("\n");
    line(english("what costs most"));
    for (const explain::Hint& hint : run_.hints->all | std::views::take(kMost)) {
        std::string place;
        if (hint.line.line)
            place = fmt::format("{}:{}: ", run_.module->files[hint.line.file], hint.line.line);
        printOut("  {}{}\n", place, explain::textOf(hint).in(language_));
        if (!hint.fix) continue;
        printOut("      {}\n", explain::fixText(hint).in(language_));
        printOut("      {}\n", run::compareCommand(run_, *hint.fix));
    }
    if (run_.hints->all.size() > kMost)
        printOut("  {}\n", say(english("... and {0} more (--json FILE lists them)"),
                               grouped(run_.hints->all.size() - kMost)));
    if (!run_.hints->scale.empty()) printOut("  {}\n", run_.hints->scale.in(language_));
}

std::string copied(const run::KernelTiming::Copy& copy) {
    const f64 rate = copy.milliseconds > 0 ? f64(copy.bytes) / copy.milliseconds / 1e6 : 0;
    return fmt::format("{} ({:.1f} GB/s)", timeText(copy.milliseconds), rate);
}

void Summary::printMeasured() const {
    const run::Measured& measured = *run_.measured;
    if (measured.recording.empty())
        row(english("label", "GPU"),
            Message(english("{0} (compute capability {1}, CUDA {2}); trace by the {3}"), measured.device,
                    measured.computeCapability, measured.driver,
                    run_.traceSource == "gpu"        ? Message(english("source of a trace", "GPU"))
                    : run_.traceSource == "emulator" ? Message(english("source of a trace", "emulator"))
                                                     : Message::plain(run_.traceSource)));
    else
        line(english("recorded on {0} on {1} (CUDA {2}), recording {3}"), measured.device, measured.date,
             measured.driver, measured.recording);
    if (const auto& same = measured.emulator)
        printOut("{:{}}{}\n", "", kLabel,
                 same->differing == 0 ? say(english("the same result as the emulator's, bit for bit"))
                                      : say(english("differs from the emulator in {0}, by {1} at most"),
                                            countOf(same->differing, kElements), general(same->largest)));
    if (measured.timing) printTiming(*measured.timing);
}

void Summary::printTiming(const run::KernelTiming& timing) const {
    const run::Spread& kernel = timing.kernel;
    Message text(timing.coldCache ? english("{0} (median of {1}; interquartile range {2} to {3}), L2 cold")
                                  : english("{0} (median of {1}; interquartile range {2} to {3}), L2 warm"),
                 timeText(kernel.median), kernel.runs, timeText(kernel.lowerQuartile),
                 timeText(kernel.upperQuartile));
    if (timing.batch > 1) text += Message(english(", in batches of {0}"), timing.batch);
    if (timing.smMegahertz > 0)
        text += Message(english(", at {0} MHz"), grouped(u64(std::llround(timing.smMegahertz))));
    row(english("label", "GPU time"), text);
    if (timing.toDevice && timing.toHost)
        row(english("label", "transfers"),
            Message(english("{0} to the GPU in {1}, back in {2}"), countOf(timing.toDevice->bytes, kBytes),
                    copied(*timing.toDevice), copied(*timing.toHost)));
}

// The model's figures beside the hardware counters, where both exist.
void Summary::printCounters() const {
    if (!run::countedForProfile(run_)) {
        if (!run_.measured->counters.empty())
            row(english("label", "counters"),
                Message(english("of the {0} (compute capability {1}) stand beside its own rules only: "
                                "--profile {2}"),
                        run_.measured->device, run_.measured->computeCapability,
                        run::profileOf(*run_.measured).name));
        return;
    }
    printOut("\n{:<56}{:>16}{:>16}\n", say(english("over the whole grid")), say(english("column", "model")),
             say(english("column", "measured")));
    for (const auto& [metric, value] : run_.measured->counters) {
        const auto model = run_.report.counters.find(metric);
        const bool isModelled = model != run_.report.counters.end() && run_.emulated;
        if (value == 0 && (!isModelled || model->second == 0)) continue;
        printOut("{:<56}{:>16}{:>16}\n", metric, isModelled ? grouped(model->second) : "",
                 grouped(u64(value)));
    }
}

void Summary::printTitle() const {
    const trace::Recording& recording = run_.recording;
    std::string title = recording.family.empty()
                            ? recording.entry
                            : recording.family + "/" + recording.variant + "  " + recording.entry;
    for (const auto& [name, value] : recording.parameters)
        title += fmt::format("  {}={}", name, value);
    printOut("{}\n", title);
    for (const Launch& launch : recording.launches)
        row(english("label", "launch"),
            Message(english("{0} of {1}, {2} of shared memory"), extents(launch.grid, kBlocks),
                    extents(launch.block, kThreads),
                    countOf(run::sharedBytes(*run_.module, launch), kBytes)));
}

void Summary::printEmulation() const {
    const auto& statistics = run_.statistics;
    if (statistics.seconds > 0)
        row(english("label", "emulated"),
            Message(run_.recording.sequential
                        ? english("{0} in {1} on {2} ({3} million per second), blocks in order")
                        : english("{0} in {1} on {2} ({3} million per second)"),
                    countOf(statistics.threadInstructions, kThreadInstructions),
                    timeText(1e3 * statistics.seconds), countOf(statistics.threads, kThreads),
                    threeDigits(f64(statistics.threadInstructions) / statistics.seconds / 1e6)));
    const std::vector<trace::FocusBlock>& blocks = run_.recording.trace.blocks;
    if (const auto beginnings = std::ranges::count(blocks, true, &trace::FocusBlock::truncated))
        row(english("label", "recorded"),
            Message(
                english(
                    "{0} of {1} {1:block|blocks} did more than there is room for: of these the beginning is "
                    "kept (--focus chooses fewer)"),
                beginnings, blocks.size()));
}

void Summary::printCpu(const catalog::CpuTiming& cpu) const {
    row(english("label", "CPU"),
        Message(english("{0} for the plain loop on {1} {1:thread|threads} of this machine (median of {2})"),
                timeText(1e3 * median(cpu.seconds)), cpu.threads, cpu.seconds.size()));
}

void Summary::print(const std::optional<catalog::CpuTiming>& cpu) const {
    printTitle();
    if (run_.recording.sample) printSample();
    printVerdict();
    if (run_.measured) printMeasured();
    printEmulation();
    if (cpu) printCpu(*cpu);
    row(english("label", "rules of"), Message::plain(run_.report.profile));
    printOccupancy();
    for (const Fault& note : run_.notes)
        row(english("label", "note"), Message::plain(describe(note, language_)));
    if (run_.measured) printCounters();
    if (run_.recording.sample) printGrid();
    printSites();
    printMachine();
    printFindings();
    printHints();
}

}  // namespace

void printSummary(const run::Run& run, const std::optional<catalog::CpuTiming>& cpu, Language language) {
    Summary(run, language).print(cpu);
}

}  // namespace lockstep::cli
