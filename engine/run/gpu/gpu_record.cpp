#include "run/gpu/gpu_record.h"

#include "record/decode_record.h"
#include "record/recording_text.h"

#include <algorithm>
#include <cstring>

namespace lockstep::run {
namespace {

// Initial size per lane: most catalog kernels fit at their defaults.
constexpr u64 kUsualWords = 1 << 14;

template <class T> std::span<const T> viewOf(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
}

class LaunchRecorder {
public:
    LaunchRecorder(const ptx::Module& module, const Launch& launch, LaunchId id, std::span<const Dim3> focus,
                   const GpuRecordOptions& options)
        : module_(module),
          launch_(launch),
          id_(id),
          focus_(focus),
          options_(options),
          warps_((launch.block.count() + kWarpSize - 1) / kWarpSize) {}

    // buffers: contents before the launch, replaced by those after it.
    Expected<void> record(std::vector<Buffer>& buffers, GpuRecord& record, const RunJob& runJob) {
        Expected<record::RecordingText> text = record::recordingText(module_, launch_.entry, options_.values);
        if (!text) return Unexpected{text.error()};
        plan_ = std::move(text->plan);
        const u64 most = capacityIn(options_.mostBytes);
        u64 capacity = std::min({kUsualWords, capacityIn(options_.firstBytes), most});
        for (bool again = false;; again = true) {
            const u64 regionBytes =
                record::wordsPerWarp(plan_, capacity) * 4 * warps_ * std::max<u64>(focus_.size(), 1);
            cuda::Job job = recordingJob(text->ptx, launch_, buffers, focus_, capacity, regionBytes,
                                         record::kWindowSymbols + plan_.symbols.size(), options_.guardBytes);
            job.device = options_.device;
            cuda::JobReport report = runJob(job);
            if (report.fault) return Unexpected{*report.fault};
            if (!report.outcome)
                return fail(FaultKind::Gpu, english("the GPU gave no record; run the kernel again"));
            const u64 wanted = decode(*report.outcome, capacity, u32(buffers.size()));
            if (wanted > capacity && capacity < most && !again) {
                capacity = std::min(wanted, most);
                ++record.repeated;
                continue;
            }
            record.regionBytes = std::max(record.regionBytes, regionBytes);
            std::ranges::move(blocks_, std::back_inserter(record.trace.blocks));
            report.outcome->buffers.resize(buffers.size());
            buffers = std::move(report.outcome->buffers);
            return {};
        }
    }

private:
    u64 capacityIn(u64 bytes) const {
        const u64 words = bytes / (4 * kWarpSize * warps_ * std::max<u64>(focus_.size(), 1)),
                  besides = plan_.longestSegment + 1;
        return words > besides ? words - besides : 1;
    }

    // Fills blocks_; returns how many words the lanes needed.
    u64 decode(const cuda::Outcome& outcome, u64 capacity, u32 buffers) {
        std::vector<record::BufferPlace> places;
        for (u32 i = 0; i < buffers; ++i)
            places.push_back({outcome.addresses[i], outcome.buffers[i].bytes.size()});
        const std::span<const u32> words = viewOf<u32>(outcome.scratch[0]);
        const record::RecordedLaunch recorded{.module = module_,
                                              .plan = plan_,
                                              .launch = launch_,
                                              .id = id_,
                                              .capacityWords = capacity,
                                              .symbols = viewOf<u64>(outcome.scratch[1]),
                                              .buffers = places};
        const u64 wordsPerBlock = record::wordsPerWarp(plan_, capacity) * warps_;
        u64 wanted = 0;
        blocks_.clear();
        for (std::size_t slot = 0; slot < focus_.size(); ++slot) {
            const std::span<const u32> region = words.subspan(slot * wordsPerBlock, wordsPerBlock);
            blocks_.push_back(record::decodeBlock(recorded, focus_[slot], region));
            wanted = std::max(wanted, record::wantedWords(recorded, region));
        }
        return wanted;
    }

    const ptx::Module& module_;
    const Launch& launch_;
    LaunchId id_;
    std::span<const Dim3> focus_;
    const GpuRecordOptions& options_;
    u64 warps_;
    record::RecordPlan plan_;
    std::vector<trace::FocusBlock> blocks_;
};

}  // namespace

cuda::Job recordingJob(const std::string& recordingPtx, const Launch& launch, std::span<const Buffer> buffers,
                       std::span<const Dim3> focus, u64 capacityWords, u64 regionBytes, u64 symbols,
                       std::span<const u64> guardBytes) {
    cuda::Job job;
    job.ptx = recordingPtx;
    job.launches = {launch};
    job.buffers.assign(buffers.begin(), buffers.end());
    job.guardBytes.assign(guardBytes.begin(), guardBytes.end());
    job.guardBytes.resize(buffers.size(), cuda::kGuardBytes);
    Buffer slots{.name = "slots",
                 .type = ElementType::I32,
                 .shape = {launch.grid.count()},
                 .bytes = std::vector<std::byte>(launch.grid.count() * sizeof(s32), std::byte{0xff})};
    for (std::size_t i = 0; i < focus.size(); ++i)
        slots.as<s32>()[linearOf(focus[i], launch.grid)] = s32(i);
    job.buffers.push_back(std::move(slots));
    job.guardBytes.push_back(0);
    job.scratch = {{.bytes = regionBytes}, {.bytes = symbols * sizeof(u64)}};
    const u64 first = buffers.size();
    job.settings = {
        {record::kControlName, offsetof(record::RecordControl, slots), true, first},
        {record::kControlName, offsetof(record::RecordControl, regions), true, first + 1},
        {record::kControlName, offsetof(record::RecordControl, capacityWords), false, capacityWords},
        {record::kControlName, offsetof(record::RecordControl, symbols), true, first + 2}};
    return job;
}

Expected<GpuRecord> recordOnGpu(const ptx::Module& module, std::span<const Launch> launches,
                                std::span<const Buffer> buffers, const GpuRecordOptions& options,
                                const RunJob& runJob) {
    GpuRecord record;
    record.final.assign(buffers.begin(), buffers.end());
    for (u32 i = 0; i < launches.size(); ++i)
        if (const Expected<void> done =
                LaunchRecorder(module, launches[i], LaunchId{i}, options.focus[i], options)
                    .record(record.final, record, runJob);
            !done)
            return Unexpected{done.error()};
    return record;
}

}  // namespace lockstep::run
