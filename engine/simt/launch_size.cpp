#include "simt/launch_size.h"

#include "base/copy_buffers.h"
#include "simt/accelerate.h"
#include "simt/block_runner.h"
#include "simt/decode/decode.h"

#include <algorithm>
#include <vector>

namespace lockstep::simt {
namespace {

constexpr u64 kBlocksTried = 16;
// A block is run at least this far, about a tenth of a second, for the sentence to say how large the launch
// is.
constexpr u64 kLeastTried = 100'000'000;

// What the emulator has to do: a lane that does not jump costs it nothing.
u64 threadInstructions(const Program& program, const Tally& tally) {
    trace::GridCounts counts;
    tally.fill(program, counts);
    u64 sum = 0;
    for (const trace::PcCounts& at : counts.perPc)
        sum += at.activeLanes;
    return sum;
}

// Evenly spread, the first and the last among them.
u64 numberOf(u64 index, u64 tried, u64 blocks, bool inOrder) {
    return inOrder || tried < 2 ? index : index * (blocks - 1) / (tried - 1);
}

}  // namespace

u64 estimateLaunch(const ptx::Module& module, const ptx::Function& entry, const Launch& launch,
                   std::span<const Buffer> initial, std::span<const std::byte> parameters,
                   const Options& options, Stop& stop) {
    std::vector<Buffer> buffers;
    if (!copyBuffers(initial, buffers, [&] { return stop.requested(); })) return 0;
    const DeviceMemory memory(module, buffers, options.cooperative);
    const std::vector<std::byte> bytes(parameters.begin(), parameters.end());
    const Expected<Program> decoded =
        decode(module, entry,
               {launch.grid, launch.block, launch.dynamicSharedBytes, bytes, options.cooperative}, memory);
    if (!decoded) return 0;
    const Program program = options.engine == Engine::Fast ? accelerate(*decoded) : *decoded;
    const GridShape shape{.grid = launch.grid,
                          .block = launch.block,
                          .dynamicSharedBytes = launch.dynamicSharedBytes,
                          .totalSharedBytes = program.ownSharedBytes,
                          .launch = 0,
                          .workspace = memory.workspace(),
                          .reservedSharedAt = program.reservedSharedAt};
    const u64 blocks = launch.grid.count(), tried = std::min(blocks, kBlocksTried),
              most = std::max(options.mostThreadInstructions / blocks + 1, kLeastTried);
    std::vector<u64> needed;
    for (u64 i = 0; i < tried; ++i) {
        Tally tally(program);
        const BlockWatch watch{.mostThreadInstructions = most,
                               .isEnough = [&] { return threadInstructions(program, tally) > most; }};
        BlockRunner runner(program, memory, shape, tally, stop, false);
        runner.begin(Block{u32(numberOf(i, tried, blocks, program.mustRunInOrder))}, {}, &watch);
        const BlockRunner::Outcome outcome = runner.run();
        if (stop.requested()) return 0;
        needed.push_back(outcome == BlockRunner::Outcome::Waits ? 0 : threadInstructions(program, tally));
    }
    std::ranges::sort(needed);
    return needed[(tried - 1) / 2] * blocks;
}

}  // namespace lockstep::simt
