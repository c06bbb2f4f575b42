#include "app/cli/commands/save_launches.h"

#include "app/cli/terminal/output.h"
#include "base/text/counted.h"

#include <algorithm>
#include <charconv>

#if LOCKSTEP_EXEC
#include "program/kept_launches.h"
#include "trace/lks/lks.h"
#endif

namespace lockstep::cli {

Expected<std::map<u64, std::string>> launchesToSave(const std::vector<std::string>& texts) {
    std::map<u64, std::string> files;
    for (const std::string& text : texts) {
        const std::size_t equals = std::min(text.find('='), text.size());
        u64 number = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + equals, number);
        if (error != std::errc{} || end != text.data() + equals || number == 0 || equals + 1 >= text.size())
            return fail(FaultKind::Usage,
                        Message(english("--save-launch {0}: write it as NUMBER=FILE.lks, for example "
                                        "--save-launch 1=first.lks; launches are numbered from 1"),
                                text));
        const std::string file = text.substr(equals + 1);
        const bool isTaken =
            std::ranges::any_of(files, [&](const auto& each) { return each.second == file; });
        if (isTaken || !files.emplace(number, file).second)
            return fail(
                FaultKind::Usage,
                Message(english("--save-launch {0}: each launch, and each file, can be given once"), text));
        if (const Expected<void> writable = canBeWritten(file); !writable)
            return Unexpected{writable.error()};
    }
    return files;
}

#if LOCKSTEP_EXEC

namespace {

run::Experiment experimentOf(program::OpenedLaunch opened) {
    return {.module = std::move(opened.module),
            .launches = {std::move(opened.launch)},
            .buffers = std::move(opened.buffers),
            .catalog = {},
            .entry = std::move(opened.entry),
            .source = std::move(opened.source)};
}

}  // namespace

Expected<void> saveLaunch(const program::ProgramRecord& record, u64 number, const std::string& file,
                          run::Options how) {
    Expected<program::OpenedLaunch> opened = record.kept->open(number);
    if (!opened) return Unexpected{opened.error()};
    std::string printed;  // by the kernel, as the program has shown already
    how.emulator.printed = &printed;
    how.emulator.cooperative = opened->isCooperative;
    const std::optional<simt::KernelHeap> heap = std::move(opened->heap);
    if (heap) how.emulator.heap = &*heap, how.emulator.heapBuffer = opened->heapBuffer;
    if (how.emulator.focus) {  // blocks that are wanted beside the usual ones
        const std::vector<Dim3> usual = simt::defaultFocus(opened->launch.grid);
        how.emulator.focus->insert(how.emulator.focus->begin(), usual.begin(), usual.end());
    }
    const Expected<run::Run> run = run::run(experimentOf(std::move(*opened)), how);
    if (!run) return Unexpected{run.error()};
    return trace::save(run->recording, file);
}

Expected<void> saveLaunches(const program::ProgramRecord& record, const std::map<u64, std::string>& files,
                            const run::Options& how) {
    for (const auto& [number, file] : files) {
        if (number > record.launchCount)
            return fail(FaultKind::Usage,
                        Message(english("--save-launch {0}: the program made {1} {1:launch|launches}"),
                                number, grouped(record.launchCount)));
        if (const Expected<void> saved = saveLaunch(record, number, file, how); !saved)
            return Unexpected{saved.error()};
    }
    return {};
}

#endif

}  // namespace lockstep::cli
