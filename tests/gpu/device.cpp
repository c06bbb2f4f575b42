// The fake GPU's SMs: the emulator.
#include "device.h"

#include "base/device_addresses.h"
#include "record/recording_text.h"
#include "simt/emulator.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace {

using namespace lockstep;

constexpr int kInvalidPtx = 218, kIllegalAddress = 700;

// The text with the recorder's control words as its initial value: the emulator lets nobody set variables.
std::string withControl(std::string ptx, const unsigned long long* control) {
    const std::string declared = std::string(record::kControlName) + "[4]";
    const std::size_t at = ptx.find(declared);
    if (at == std::string::npos) return ptx;
    return ptx.replace(
        at, declared.size(),
        declared + fmt::format(" = {{{}, {}, {}, {}}}", control[0], control[1], control[2], control[3]));
}

const ptx::Module* parsed(const std::string& text) {
    static std::map<std::string, Expected<ptx::Module>> known;
    auto found = known.find(text);
    if (found == known.end()) found = known.emplace(text, ptx::parse(text, "the module")).first;
    return found->second ? &*found->second : nullptr;
}

Launch launchOf(const fake::PtxLaunch& from, const ptx::Function& entry, const ptx::Module& module) {
    Launch launch{.entry = from.kernel,
                  .grid = {from.grid[0], from.grid[1], from.grid[2]},
                  .block = {from.block[0], from.block[1], from.block[2]},
                  .dynamicSharedBytes = from.sharedBytes,
                  .arguments = {}};
    for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
        const auto* bytes = static_cast<const std::byte*>(from.arguments[i]);
        launch.arguments.emplace_back(
            ScalarArgument{{bytes, bytes + module.variables[entry.parameters[i].value].sizeBytes}});
    }
    return launch;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int fakeGpuRun(const fake::PtxLaunch& from,
                                                                 fake::Memory& memory) {
    const ptx::Module* module = parsed(withControl(from.ptx, from.control));
    const ptx::Function* entry = module ? module->findEntry(from.kernel) : nullptr;
    if (!entry) return kInvalidPtx;
    std::vector<Buffer> buffers(memory.empty() ? 0 : memory.rbegin()->first + 1);
    for (auto& [slot, bytes] : memory) {
        const u64 size = bytes.size();
        buffers[slot] = {
            .name = "memory", .type = ElementType::U8, .shape = {size}, .bytes = std::move(bytes)};
    }
    const Launch launch = launchOf(from, *entry, *module);
    simt::Options options;
    options.events = options.counts = false;
    options.sequential = true;
    const Expected<simt::Result> done = simt::run(*module, {&launch, 1}, buffers, options);
    for (auto& [slot, bytes] : memory)
        bytes = std::move(buffers[slot].bytes);
    if (!done) return kInvalidPtx;
    const auto found = [&](trace::FindingKind kind) {
        return std::ranges::find(done->findings, kind, &trace::Finding::kind) != done->findings.end();
    };
    while (found(trace::FindingKind::DivergentBarrier))
        pause();
    return found(trace::FindingKind::OutOfBounds) ? kIllegalAddress : 0;
}
