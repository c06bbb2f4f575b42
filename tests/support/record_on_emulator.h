// For tests: the emulator in the place of a GPU. What a recording kernel runs is PTX: no GPU is needed to see
// whether the recorder writes down what the emulator saw itself.
#pragma once

#include "base/device_addresses.h"
#include "record/recording_text.h"
#include "run/gpu/gpu_record.h"
#include "simt/emulator.h"

#include <fmt/format.h>

#include <cstring>

namespace lockstep {

inline Buffer bytesBuffer(const std::string& name, u64 bytes) {
    return {
        .name = name, .type = ElementType::U32, .shape = {bytes / 4}, .bytes = std::vector<std::byte>(bytes)};
}

// The text with the recorder's control words as its initial value: the emulator lets nobody set variables.
inline std::string withControl(std::string ptx, const cuda::Job& job) {
    if (job.settings.empty()) return ptx;
    record::RecordControl control;
    for (const cuda::VariableSetting& setting : job.settings) {
        const u64 value = setting.isAddress ? deviceAddressOf(u32(setting.value)) : setting.value;
        std::memcpy(reinterpret_cast<std::byte*>(&control) + setting.offsetBytes, &value, sizeof value);
    }
    const std::string declared = std::string(record::kControlName) + "[4]";
    return ptx.replace(ptx.find(declared), declared.size(),
                       declared + fmt::format(" = {{{}, {}, {}, {}}}", control.slots, control.regions,
                                              control.capacityWords, control.symbols));
}

inline cuda::JobReport runOnEmulator(const cuda::Job& job) {
    cuda::JobReport report;
    const auto failed = [&](const Fault& fault) {
        report.fault = fault;
        return report;
    };
    const Expected<ptx::Module> module = ptx::parse(withControl(job.ptx, job), "recording.ptx");
    if (!module) return failed(module.error());
    std::vector<Buffer> buffers = job.buffers;
    for (const cuda::Scratch& scratch : job.scratch)
        buffers.push_back(bytesBuffer("scratch", scratch.bytes));
    simt::Options options;
    options.events = options.counts = false;
    options.sequential = true;
    const Expected<simt::Result> done = simt::run(*module, job.launches, buffers, options);
    if (!done) return failed(done.error());
    cuda::Outcome& outcome = report.outcome.emplace();
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        if (i < job.buffers.size())
            outcome.addresses.push_back(deviceAddressOf(u32(i)));
        else
            outcome.scratch.push_back(buffers[i].bytes);
    }
    buffers.resize(job.buffers.size());
    outcome.buffers = std::move(buffers);
    return report;
}

}  // namespace lockstep
