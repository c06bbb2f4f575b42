#include "run/own/own_reference.h"

#include "base/device_addresses.h"
#include "run/own/own_kernel.h"

#include <algorithm>

namespace lockstep::run {
namespace {

Fault note(Message message) { return fail(FaultKind::Cancelled, std::move(message)).value(); }

// Buffers that the kernel stored to: changed, or stored to by the recorded blocks.
std::vector<u32> writtenBuffers(std::span<const Buffer> before, std::span<const Buffer> after,
                                const trace::Trace& trace) {
    std::vector<bool> isWritten(before.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        isWritten[i] = before[i].bytes != after[i].bytes;
    for (const trace::FocusBlock& block : trace.blocks)
        for (const trace::WarpTrace& warp : block.warps)
            for (const trace::StoredAccess& access : warp.accesses) {
                if (access.space != trace::Space::Global || access.kind == trace::AccessKind::Load ||
                    access.active.bits == 0)
                    continue;
                if (const auto buffer = bufferOfAddress(access.base); buffer && *buffer < isWritten.size())
                    isWritten[*buffer] = true;
            }
    std::vector<u32> written;
    for (u32 i = 0; i < isWritten.size(); ++i)
        if (isWritten[i]) written.push_back(i);
    return written;
}

// Compares the first elements of the results, as many as are expected.
void compareFirst(catalog::Comparison& comparison, const Buffer& got, Buffer want, f64 tolerance) {
    want.name = got.name;
    const std::optional<f64> allowed = isReal(want.type) ? std::optional(tolerance) : std::nullopt;
    if (want.bytes.size() == got.bytes.size()) return catalog::compareBuffer(comparison, got, want, allowed);
    Buffer part{.name = got.name, .type = got.type, .shape = want.shape, .bytes = {}};
    part.bytes.assign(got.bytes.begin(), got.bytes.begin() + s64(want.bytes.size()));
    catalog::compareBuffer(comparison, part, want, allowed);
}

bool isCancelled(const simt::Options& options) { return options.progress && options.progress->cancelled; }

// False if it could not be computed; a note says why.
Expected<bool> compareWithTable(const OwnReference& reference, std::span<const Buffer> initial,
                                std::span<const Buffer> results, const simt::Options& emulator,
                                catalog::Comparison& comparison, std::vector<Fault>& notes) {
    const OwnReference::Table& table = *reference.table;
    std::map<u32, Buffer> wanted = table.reference->compute(
        experimentOf(table, initial), emulator.progress ? &emulator.progress->cancelled : nullptr);
    if (wanted.empty() || isCancelled(emulator)) {
        notes.push_back(note(
            english("the result is not checked: the run was canceled before its reference was computed")));
        return false;
    }
    for (auto& [index, want] : wanted)
        compareFirst(comparison, results[table.buffers[index]], std::move(want), reference.tolerance);
    return true;
}

Expected<bool> compareWithKernel(const OwnReference& reference, std::span<const Buffer> initial,
                                 std::span<const Buffer> results, simt::Options emulator,
                                 catalog::Comparison& comparison, std::vector<Fault>& notes) {
    const OwnReference::Kernel& kernel = *reference.kernel;
    emulator.focus.reset();
    emulator.focusAll = emulator.counts = false;
    emulator.events = true;
    emulator.initial = initial;
    emulator.mostThreadInstructions = 0;  // stopped by the limit of time
    emulator.requestSink = {};
    emulator.overflowCost = {};
    const auto named = [&](Fault fault) {
        if (!reference.written.empty())
            fault.message = Message(english("--reference {0}: {1}"), reference.written, fault.message);
        return Unexpected{std::move(fault)};
    };
    if (const Expected<void> fits = checkLaunch(*kernel.module, kernel.launch, emulator.limits); !fits)
        return named(fits.error());
    std::vector<Buffer> wanted(initial.begin(), initial.end());
    Expected<simt::Result> ran = simt::run(*kernel.module, std::span(&kernel.launch, 1), wanted, emulator);
    if (!ran) return named(ran.error());
    const std::string name = ptx::shortName(kernel.launch.entry);
    if (!ran->statistics.complete) {
        notes.push_back(note(
            Message(english("the result is not checked: the reference kernel {0} was stopped before its end"),
                    name)));
        return false;
    }
    const auto isFault = [](const trace::Finding& finding) { return !trace::isRemark(finding.kind); };
    if (std::ranges::any_of(ran->findings, isFault))
        notes.push_back(note(Message(
            english("the reference kernel {0} has findings of its own, so that what it computes may be "
                    "wrong: run it to see them"),
            name)));
    const std::vector<u32> buffers = writtenBuffers(initial, wanted, ran->trace);
    if (buffers.empty()) {
        notes.push_back(note(Message(
            english("the result is not checked: the reference kernel {0} stores to no buffer"), name)));
        return false;
    }
    for (const u32 buffer : buffers)
        compareFirst(comparison, results[buffer], std::move(wanted[buffer]), reference.tolerance);
    return true;
}

}  // namespace

catalog::Experiment experimentOf(const OwnReference::Table& table, std::span<const Buffer> initial) {
    catalog::Experiment experiment;
    experiment.family = &table.family;
    experiment.values = table.values;
    for (std::size_t i = 0; i < table.buffers.size(); ++i) {
        const Buffer& from = initial[table.buffers[i]];
        u64 count = 1;
        for (const u64 extent : table.shapes[i])
            count *= extent;
        Buffer buffer{.name = std::string(table.reference->buffers[i].name),
                      .type = from.type,
                      .shape = table.shapes[i],
                      .bytes = {}};
        buffer.bytes.assign(from.bytes.begin(), from.bytes.begin() + s64(count * info(from.type).bytes));
        experiment.buffers.push_back(std::move(buffer));
    }
    return experiment;
}

Expected<std::optional<catalog::Comparison>> compareWith(const OwnReference& reference,
                                                         std::span<const Buffer> initial,
                                                         std::span<const Buffer> results,
                                                         const simt::Options& emulator,
                                                         std::vector<Fault>& notes) {
    catalog::Comparison comparison;
    if (reference.table || reference.kernel) {
        const Expected<bool> compared =
            reference.table ? compareWithTable(reference, initial, results, emulator, comparison, notes)
                            : compareWithKernel(reference, initial, results, emulator, comparison, notes);
        if (!compared) return Unexpected{compared.error()};
        if (!*compared) return std::nullopt;
    }
    for (const OwnReference::Contents& contents : reference.contents)
        compareFirst(comparison, results[contents.buffer], contents.want, reference.tolerance);
    return comparison;
}

Expected<void> checkAgainst(std::span<const std::string> references, Run& run) {
    if (references.empty()) return {};
    const auto isKept = [](const Buffer& buffer) {
        u64 count = 1;
        for (const u64 extent : buffer.shape)
            count *= extent;
        return buffer.count() == count;
    };
    if (run.recording.launches.empty() || !std::ranges::all_of(run.recording.initial, isKept) ||
        !std::ranges::all_of(run.recording.final, isKept) ||
        run.recording.initial.size() != run.recording.final.size())
        return fail(FaultKind::Usage, Message(english("--reference {0}: the recording does not hold what its "
                                                      "buffers held; run the kernel again with --reference"),
                                              references.front()));
    if (!run.recording.complete)
        return fail(FaultKind::Usage, Message(english("--reference {0}: the recorded run was stopped before "
                                                      "its end; run the kernel again with --reference"),
                                              references.front()));
    Experiment experiment{.module = run.module,
                          .launches = run.recording.launches,
                          .buffers = run.recording.initial,
                          .catalog = {},
                          .entry = run.recording.entry,
                          .source = run.source};
    const auto bound = bindReferences(references, experiment, {});
    if (!bound) return Unexpected{bound.error()};
    simt::Options emulator;
    const auto comparison =
        compareWith(**bound, run.recording.initial, run.recording.final, emulator, run.notes);
    if (!comparison) return Unexpected{comparison.error()};
    if (!*comparison) return {};
    run.comparison = **comparison;
    run.recording.check = resultCheck((*bound)->text, **comparison);
    return {};
}

trace::ResultCheck resultCheck(const std::string& reference, const catalog::Comparison& comparison) {
    trace::ResultCheck check{.reference = reference,
                             .correct = comparison.correct,
                             .maxError = comparison.maxError,
                             .wrongCount = comparison.wrongCount,
                             .first = {}};
    if (const auto& first = comparison.first)
        check.first = {
            .buffer = first->buffer, .index = first->index, .got = first->got, .want = first->want};
    return check;
}

catalog::Comparison comparisonOf(const trace::ResultCheck& check) {
    catalog::Comparison comparison{
        .correct = check.correct, .maxError = check.maxError, .wrongCount = check.wrongCount, .first = {}};
    if (check.first)
        comparison.first = catalog::Comparison::First{.buffer = check.first->buffer,
                                                      .index = check.first->index,
                                                      .got = check.first->got,
                                                      .want = check.first->want};
    return comparison;
}

}  // namespace lockstep::run
