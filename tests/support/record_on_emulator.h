// For tests: a kernel's recording text run on the emulator, and what it wrote decoded. It is PTX: no GPU is needed to see whether
// the recorder writes down what the emulator saw itself.
#pragma once

#include "base/device_addresses.h"
#include "record/decode_record.h"
#include "record/recording_text.h"
#include "simt/emulator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lockstep {

inline Buffer bytesBuffer(const std::string& name, u64 bytes, std::byte value) {
    return {.name = name, .type = ElementType::U32, .shape = {bytes / 4}, .bytes = std::vector<std::byte>(bytes, value)};
}

template <class T>
std::span<const T> viewOf(const Buffer& buffer) {
    return {reinterpret_cast<const T*>(buffer.bytes.data()), buffer.bytes.size() / sizeof(T)};
}

struct RecordedOnEmulator {
    trace::Trace trace;
    u64 wantedWords = 0;
};

// Runs all launches on `buffers` as the plain text would. focus: of every launch, where it exists.
inline Expected<RecordedOnEmulator> recordOnEmulator(const ptx::Module& module, std::span<const Launch> launches, std::vector<Buffer>& buffers,
                                                     const std::vector<std::vector<Dim3>>& focus, u64 capacityWords, bool values = true) {
    RecordedOnEmulator result;
    std::vector<record::BufferPlace> places;
    for (u32 i = 0; i < buffers.size(); ++i) places.push_back({deviceAddressOf(i), buffers[i].bytes.size()});
    for (u32 i = 0; i < launches.size(); ++i) {
        const Launch& launch = launches[i];
        Expected<record::RecordingText> text = record::recordingText(module, launch.entry, values);
        if (!text) return Unexpected(text.error());
        const u32 own = u32(buffers.size()), warps = u32((launch.block.count() + kWarpSize - 1) / kWarpSize);
        const std::string control = std::string(record::kControlName) + "[4]";
        text->ptx.replace(text->ptx.find(control), control.size(),
                          control + fmt::format(" = {{{}, {}, {}, {}}}", deviceAddressOf(own), deviceAddressOf(own + 1), capacityWords, deviceAddressOf(own + 2)));
        Expected<ptx::Module> recording = ptx::parse(text->ptx, "recording.ptx");
        if (!recording) return Unexpected(recording.error());

        Buffer slots = bytesBuffer("slots", launch.grid.count() * 4, std::byte{0xff});
        for (u32 slot = 0; slot < focus[i].size(); ++slot) std::memcpy(slots.bytes.data() + linearOf(focus[i][slot], launch.grid) * 4, &slot, 4);
        const u64 wordsPerBlock = record::wordsPerWarp(text->plan, capacityWords) * warps;
        buffers.push_back(std::move(slots));
        buffers.push_back(bytesBuffer("regions", wordsPerBlock * 4 * focus[i].size(), std::byte{0}));
        buffers.push_back(bytesBuffer("symbols", 8 * (record::kWindowSymbols + text->plan.symbols.size()), std::byte{0}));
        simt::Options options;
        options.events = options.counts = false;
        options.sequential = true;
        const Expected<simt::Result> done = simt::run(*recording, {&launch, 1}, buffers, options);
        if (!done) return Unexpected(done.error());

        const record::RecordedLaunch recorded{.module = module, .plan = text->plan, .launch = launch, .id = LaunchId{i}, .capacityWords = capacityWords,
                                              .symbols = viewOf<u64>(buffers[own + 2]), .buffers = places};
        for (u32 slot = 0; slot < focus[i].size(); ++slot) {
            const std::span<const u32> region = viewOf<u32>(buffers[own + 1]).subspan(slot * wordsPerBlock, wordsPerBlock);
            result.trace.blocks.push_back(record::decodeBlock(recorded, focus[i][slot], region));
            result.wantedWords = std::max(result.wantedWords, record::wantedWords(recorded, region));
        }
        buffers.resize(own);
    }
    return result;
}

}  // namespace lockstep
