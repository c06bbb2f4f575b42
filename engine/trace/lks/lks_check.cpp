#include "trace/lks/lks_check.h"

#include <algorithm>
#include <bit>

namespace lockstep::trace {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
constexpr u64 kMostThreadsPerBlock = 1024;
constexpr Dim3 kMostBlocks{2147483647, 65535, 65535};

bool isWithin(Dim3 at, Dim3 extents) { return at.x < extents.x && at.y < extents.y && at.z < extents.z; }
bool isWidth(u8 bytes) { return bytes >= 1 && bytes <= 16 && std::has_single_bit(bytes); }
bool isKnown(Space space) { return space <= Space::Param; }
bool isKnown(AccessKind kind) { return kind <= AccessKind::AsyncCopy; }

class Checker {
public:
    explicit Checker(const Recording& recording) : r_(recording) {
        buffers_ = std::max(r_.initial.size(), r_.final.size());
        if (!r_.counts.empty()) instructions_ = r_.counts[0].perPc.size();
    }

    Words check() {
        for (const Launch& launch : r_.launches)
            checkLaunch(launch);
        for (const std::vector<Buffer>* buffers : {&r_.initial, &r_.final})
            for (const Buffer& buffer : *buffers)
                checkBuffer(buffer);
        require(r_.counts.size() <= r_.launches.size(),
                english("there are counts of a launch that is not there"));
        for (const GridCounts& counts : r_.counts)
            checkCounts(counts);
        if (r_.sample) checkSample(*r_.sample);
        for (const Finding& finding : r_.findings)
            checkFinding(finding);
        checkTrace();
        return mistake_;
    }

private:
    void require(bool holds, const Words& otherwise) {
        if (!holds && mistake_.empty()) mistake_ = otherwise;
    }
    bool isPc(Pc pc) const { return pc.value < instructions_; }

    void checkLaunch(const Launch& launch) {
        const Dim3 grid = launch.grid, block = launch.block;
        require(
            grid.count() > 0 && grid.x <= kMostBlocks.x && grid.y <= kMostBlocks.y && grid.z <= kMostBlocks.z,
            english("a launch has an impossible grid"));
        require(std::max({block.x, block.y, block.z}) <= kMostThreadsPerBlock && block.count() > 0 &&
                    block.count() <= kMostThreadsPerBlock,
                english("a launch has an impossible block"));
        for (const Argument& argument : launch.arguments)
            if (const auto* buffer = std::get_if<BufferArgument>(&argument))
                require(buffers_ == 0 || buffer->buffer < buffers_,
                        english("an argument refers to a buffer that is not there"));
    }

    void checkBuffer(const Buffer& buffer) {
        if (buffer.type > ElementType::F64) return require(false, english("a buffer has an unknown type"));
        u64 bytes = info(buffer.type).bytes;
        for (u64 extent : buffer.shape)
            if (__builtin_mul_overflow(bytes, extent, &bytes))
                return require(false, english("a buffer is larger than any memory"));
        require(buffer.bytes.empty() || buffer.bytes.size() == bytes,
                english("a buffer has another size than its shape says"));
    }

    static constexpr std::size_t kMostPatterns = 65536;  // that any version has kept

    void checkCounts(const GridCounts& counts) {
        require(counts.perPc.size() == instructions_,
                english("the launches count instructions of different programs"));
        for (std::size_t i = 0; i < counts.sites.size(); ++i) {
            const SiteCounts& site = counts.sites[i];
            require(isPc(site.pc), english("counts refer to an instruction that is not there"));
            require(i == 0 || counts.sites[i - 1].pc <= site.pc,
                    english("counts are not in the order of the program"));
            require(isKnown(site.space) && isKnown(site.kind) && isWidth(site.widthBytes),
                    english("counts are of an impossible access"));
            require(site.patterns.size() <= kMostPatterns, english("an instruction has too many patterns"));
            for (const Pattern& pattern : site.patterns)
                require(!pattern.active.empty(), english("a pattern has no lanes"));
        }
    }

    void checkSample(const Sample& sample) {
        require(sample.blocks <= sample.of && sample.unproved <= Unproved::UnderWay &&
                    (sample.grid.empty() ||
                     (sample.unproved == Unproved::Nothing && sample.grid.size() == r_.launches.size())),
                english("the sample is not one of its launches"));
        require(sample.at == kNoPc || r_.counts.empty() || isPc(sample.at),
                english("the sample refers to an instruction that is not there"));
        for (const GridCounts& counts : sample.grid)
            checkCounts(counts);
    }

    void checkCulprit(const Culprit& culprit) {
        require(culprit.pc == kNoPc || r_.counts.empty() || isPc(culprit.pc),
                english("a finding refers to an instruction that is not there"));
        require(isKnown(culprit.kind), english("a finding is of an impossible access"));
    }

    void checkFinding(const Finding& finding) {
        require(finding.kind <= FindingKind::InactiveLane && isKnown(finding.space),
                english("a finding is of an unknown kind"));
        require(finding.launch.value < r_.launches.size() || finding.kind == FindingKind::Truncated ||
                    finding.kind == FindingKind::Limit,
                english("a finding refers to a launch that is not there"));
        require(
            finding.buffer >= -1 && (finding.buffer < 0 || buffers_ == 0 || u64(finding.buffer) < buffers_),
            english("a finding refers to a buffer that is not there"));
        checkCulprit(finding.who);
        if (finding.other) checkCulprit(*finding.other);
    }

    void checkTrace() {
        const FocusBlock* before = nullptr;
        for (const FocusBlock& block : r_.trace.blocks) {
            if (block.launch.value >= r_.launches.size())
                return require(false, english("a recorded block belongs to a launch that is not there"));
            const Launch& launch = r_.launches[block.launch.value];
            require(isWithin(block.block, launch.grid), english("a recorded block lies outside of its grid"));
            require(block.threads == launch.block.count() &&
                        block.warps.size() == (block.threads + kWarpSize - 1) / kWarpSize,
                    english("a recorded block has another number of warps than its launch"));
            if (before)
                require(before->launch < block.launch ||
                            (before->launch == block.launch &&
                             linearOf(before->block, launch.grid) < linearOf(block.block, launch.grid)),
                        english("recorded blocks are not in order"));
            for (const WarpTrace& warp : block.warps)
                checkWarp(warp);
            before = &block;
        }
    }

    void checkWarp(const WarpTrace& warp) {
        for (const Step& step : warp.steps) {
            require(step.access == Step::kNone || step.access < warp.accesses.size(),
                    english("a step refers to an access that is not there"));
            require(r_.counts.empty() || isPc(step.pc),
                    english("a step refers to an instruction that is not there"));
        }
        for (const StoredAccess& access : warp.accesses) {
            require(isKnown(access.space) && isKnown(access.kind) && isWidth(access.widthBytes),
                    english("an access is impossible"));
            require(r_.counts.empty() || isPc(access.pc),
                    english("an access refers to an instruction that is not there"));
            const bool hasLayout = access.layout < warp.layouts.size();
            require(hasLayout, english("an access refers to addresses that are not there"));
            require(holds(warp.valuePool.size(), access.valuesAt, u64{access.values} * access.widthBytes) &&
                        (access.values == kWarpSize ||
                         (hasLayout && std::ranges::max(warp.layouts[access.layout].values) < access.values)),
                    english("an access refers to values that are not there"));
        }
        require(std::ranges::is_sorted(warp.barrierSteps) &&
                    (warp.barrierSteps.empty() || warp.barrierSteps.back() < warp.steps.size()),
                english("a barrier refers to a step that is not there"));
    }
    static bool holds(u64 size, u64 at, u64 count) { return at <= size && count <= size - at; }

    const Recording& r_;
    u64 buffers_ = 0, instructions_ = 0;
    Words mistake_;
};

}  // namespace

Words mistakeIn(const Recording& recording) { return Checker(recording).check(); }

}  // namespace lockstep::trace
