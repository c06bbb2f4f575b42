#include "simt/emulator.h"

#include <algorithm>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

#include "base/text/counted.h"
#include "simt/accelerate.h"
#include "simt/decode/decode.h"
#include "simt/decode/launch_mistake.h"
#include "simt/grid_runner.h"
#include "simt/launch_size.h"

namespace lockstep::simt {
namespace {

u64 peakBytes() {
#if __has_include(<sys/resource.h>)
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return u64(usage.ru_maxrss) * 1024;
#else
    return 0;
#endif
}

Expected<const ptx::Function*> findEntry(const ptx::Module& module, std::string_view name) {
    if (const ptx::Function* entry = module.findEntry(name)) return entry;
    std::string known;
    for (const ptx::Function& function : module.functions)
        if (function.isEntry) known += (known.empty() ? "" : ", ") + std::string(function.name);
    return fail(FaultKind::NotFound, Message(english("there is no kernel \"{0}\"; {1}"), name,
                                             known.empty() ? Message(english("the file has none"))
                                                           : Message(english("the file has {0}"), known)));
}

std::vector<u64> focusOf(Dim3 grid, const Options& options) {
    std::vector<u64> linear;
    for (Dim3 block : options.focus ? *options.focus : defaultFocus(grid))
        if (block.x < grid.x && block.y < grid.y && block.z < grid.z) linear.push_back(linearOf(block, grid));
    std::ranges::sort(linear);
    linear.erase(std::ranges::unique(linear).begin(), linear.end());
    return linear;
}

u64 blocksOf(const Launch& launch, const Options& options, std::size_t number) {
    if (options.sample.empty()) return launch.grid.count();
    u64 blocks = 0;
    for (const trace::SampleBox& box : options.sample[number])
        blocks += box.blocks.size();
    return blocks;
}

// Two digits that count: it is an estimate.
std::string about(u64 count) {
    u64 unit = 1;
    while (count / unit >= 100)
        unit *= 10;
    return grouped(count / unit * unit);
}

Unexpected tooLarge(u64 needed, u64 most) {
    return fail(
        FaultKind::TooLarge,
        Message(english("this size needs about {0} thread instructions, and the emulator runs at most "
                        "{1}"),
                about(needed), grouped(most)));
}

Unexpected communicates(const Launch& launch) {
    return fail(
        FaultKind::Usage,
        Message(english("blocks of kernel \"{0}\" use what other blocks store, so that some of them alone "
                        "would do something else: --sample is not for it; choose a smaller size"),
                ptx::shortName(launch.entry)));
}

// By the line that allocated it.
void addNotFreed(const KernelHeap& heap, u32 launches, std::vector<trace::Finding>& findings) {
    for (const KernelHeap::Left& left : heap.left()) {
        trace::Finding finding;
        finding.kind = trace::FindingKind::HeapRemark;
        finding.launch = LaunchId{launches - 1};
        finding.who.pc = left.site.pc;
        finding.count = left.count;
        finding.sizeBytes = left.bytes;
        finding.detail =
            trace::detailOf({.fault = trace::HeapFault::NotFreed, .allocatedIn = left.site.line});
        findings.push_back(std::move(finding));
    }
}

}  // namespace

std::vector<Dim3> defaultFocus(Dim3 grid) {
    if (!grid.count()) return {};
    std::vector<Dim3> blocks;
    for (Dim3 block : {Dim3{0, 0, 0}, Dim3{grid.x / 2, grid.y / 2, grid.z / 2},
                       Dim3{grid.x - 1, grid.y / 2, grid.z / 2}, Dim3{grid.x - 1, grid.y - 1, grid.z - 1}})
        if (std::ranges::find(blocks, block) == blocks.end()) blocks.push_back(block);
    std::ranges::sort(blocks, {}, [&](Dim3 block) { return linearOf(block, grid); });
    return blocks;
}

Expected<void> checkSupported(const ptx::Module& module, std::string_view entryName) {
    auto entry = findEntry(module, entryName);
    if (!entry) return Unexpected(entry.error());
    const DeviceMemory memory(module, {});
    auto program =
        decode(module, **entry, {.grid = {}, .block = {}, .dynamicSharedBytes = 0, .parameters = {}}, memory);
    if (!program) return Unexpected(program.error());
    return {};
}

Expected<Result> run(const ptx::Module& module, std::span<const Launch> launches, std::span<Buffer> buffers,
                     const Options& options) {
    const auto started = Stop::Clock::now();
    std::optional<Stop::Clock::time_point> deadline;
    if (options.limit) deadline = started + std::chrono::duration_cast<Stop::Clock::duration>(*options.limit);
    Stop stop(options.progress, deadline, options.mostPrinted);

    // All launches are checked before any of them runs.
    const DeviceMemory memory =
        options.memory ? DeviceMemory(*options.memory, options.cooperative)
                       : DeviceMemory(module, buffers, options.cooperative, options.heap, options.heapBuffer);
    std::vector<Program> programs;
    std::vector<const ptx::Function*> entries;
    std::vector<std::vector<std::byte>> arguments;
    u64 blocks = 0;
    for (const Launch& launch : launches) {
        auto entry = findEntry(module, launch.entry);
        if (!entry) return Unexpected(entry.error());
        if (auto mistake = launchMistake(module, **entry, launch, options.limits))
            return fail(FaultKind::Usage, Message(english("kernel \"{0}\": {1}"),
                                                  ptx::shortName(launch.entry), mistake->message));
        auto parameters = parameterBlock(module, **entry, launch, buffers.size());
        if (!parameters) return Unexpected(parameters.error());
        auto program = decode(
            module, **entry,
            {launch.grid, launch.block, launch.dynamicSharedBytes, *parameters, options.cooperative}, memory);
        if (!program) return Unexpected(program.error());
        if (!options.sample.empty() && program->blocksCommunicate) return communicates(launch);
        programs.push_back(options.engine == Engine::Fast ? accelerate(*program) : std::move(*program));
        entries.push_back(*entry);
        arguments.push_back(std::move(*parameters));
        blocks += blocksOf(launch, options, programs.size() - 1);
    }
    if (options.progress) {
        options.progress->restartAt(0);
        options.progress->total = blocks;
    }

    Result result;
    std::vector<trace::FindingCollector> findings;
    for (u32 i = 0; i < launches.size(); ++i) {
        const Launch& launch = launches[i];
        const GridShape shape{.grid = launch.grid,
                              .block = launch.block,
                              .dynamicSharedBytes = launch.dynamicSharedBytes,
                              .totalSharedBytes = programs[i].ownSharedBytes,
                              .launch = i,
                              .workspace = memory.workspace(),
                              .reservedSharedAt = programs[i].reservedSharedAt};
        std::optional<LaunchSize> size;
        if (options.mostThreadInstructions && options.sample.empty() && !options.memory &&
            options.initial.size() == buffers.size())
            size.emplace(
                launch.grid.count(), options.mostThreadInstructions,
                [&, i] {
                    return estimateLaunch(module, *entries[i], launch, options.initial, arguments[i], options,
                                          stop);
                },
                stop);
        LaunchOutcome outcome = runLaunch(
            {.program = programs[i],
             .device = memory,
             .buffers = buffers,
             .shape = shape,
             .focus = focusOf(launch.grid, options),
             .focusAll = options.focusAll,
             .initial = i == 0 ? options.initial : std::span<const Buffer>(),
             .sample = options.sample.empty() ? std::span<const trace::SampleBox>() : options.sample[i],
             .options = options,
             .watch = size ? &size->watch() : nullptr,
             .stop = stop});
        if (size && size->isTooLarge()) return tooLarge(size->needed(), options.mostThreadInstructions);
        if (outcome.communicates) return communicates(launch);
        result.statistics.warpInstructions += outcome.counts.warpInstructions;
        result.statistics.threadInstructions += outcome.counts.threadInstructions;
        result.statistics.followed += outcome.followed;
        result.statistics.sequential |= outcome.sequential;
        result.statistics.complete &= outcome.complete;
        result.statistics.threads = std::max(result.statistics.threads, outcome.threads);
        result.counts.push_back(std::move(outcome.counts));
        if (!options.sample.empty()) result.sample.push_back(std::move(outcome.sample));
        std::ranges::move(outcome.focus, std::back_inserter(result.trace.blocks));
        std::ranges::move(outcome.findings, std::back_inserter(findings));
        result.habits = std::move(outcome.habits);
        if (!outcome.complete) break;
    }
    result.counts.resize(launches.size());  // launches that were not reached have none
    std::vector<const trace::FindingCollector*> collectors;
    for (const trace::FindingCollector& collector : findings)
        collectors.push_back(&collector);
    result.findings = trace::FindingCollector::merge(collectors, options.mostFindings);
    if (KernelHeap* const heap = memory.heap()) {
        // Where one thread has freed memory and another gets it, they do not race.
        std::erase_if(result.findings, [&](const trace::Finding& finding) {
            const KernelHeap::Chunk* const chunk = heap->find(finding.address - memory.heapAddress());
            const bool isThere = finding.address - memory.heapAddress() < heap->bytes();
            return finding.kind == trace::FindingKind::Race && finding.space == trace::Space::Global &&
                   isThere && chunk && chunk->isReused;
        });
        if (!options.memory && !options.heap && result.statistics.complete)
            addNotFreed(*heap, u32(launches.size()), result.findings);
    }
    result.statistics.seconds = std::chrono::duration<f64>(Stop::Clock::now() - started).count();
    result.statistics.peakBytes = peakBytes();
    return result;
}

}  // namespace lockstep::simt
