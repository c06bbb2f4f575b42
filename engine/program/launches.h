// The launches of a program: each is checked, run on the emulator, and kept with what was found in it.
#pragma once

#include "cudart/protocol.h"
#include "explain/sentences/finding_groups.h"
#include "program/buffer_names.h"
#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/host_events.h"
#include "program/image_table.h"
#include "program/launch_keeper.h"
#include "program/modules.h"
#include "program/operation_log.h"
#include "program/record.h"
#include "program/reply.h"
#include "program/server_options.h"
#include "simt/memory/device_memory.h"
#include "trace/trace.h"

#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::program {

class Launches {
public:
    static constexpr u64 kMostParameterBytes = u64{32} << 10;  // more than any GPU takes

    Launches(const ServerOptions& options, const Modules& modules, const ImageTable& images, DeviceHeap& heap,
             HostEvents& events, OperationLog& operations)
        : options_(options),
          modules_(modules),
          images_(images),
          heap_(heap),
          events_(events),
          operations_(operations),
          keeper_(options.keep, modules, heap, operations) {}

    // process: the program's.
    Reply run(const cudart::Question& question, const std::string& text, s64 process);
    bool isTimeUp() const { return isTimeUp_; }

    void want(CodeLines& lines) const;
    // Once the lines are known.
    void finish(ProgramRecord& record, const CodeLines& lines, BufferNames& names);

private:
    struct Launched {
        LaunchRecord record;
        u64 caller = 0;
        u32 code = 0;
        trace::Recording recording;  // if something was found
        std::vector<u32> blocks;     // of the heap, by buffer
        s64 process = 0;
        std::set<u64> ofHost{};               // addresses that threads accessed
        std::vector<u32> given{}, written{};  // blocks of the heap
    };
    // For the program: ranges of memory that the host sees, and what the kernel printed.
    struct Output {
        std::vector<cudart::WrittenRange> seen;
        std::string printed, assertions;
    };
    int start(const cudart::Question& question, const ptx::Function& entry, const Launch& launch,
              Launched& launched, Output& output, int& later);
    // Why it cannot start; 0: it can.
    int refusal(const cudart::Question& question, const ptx::Function& entry, const Launch& launch,
                const Launched& launched);
    void checkArguments(const ptx::Function& entry, const Launch& launch, Launched& launched, s64 process);
    void keepGiven(const Launch& launch, Launched& launched) const;
    void keepBuffers(const Launch& launch, Launched& launched);
    void guessHabits(simt::LastingMemory& memory, const ptx::Function& entry) const;
    void learnHabits(std::span<const trace::BufferHabit> habits, const ptx::Function& entry);
    void keep(Launched launched);
    ProgramFinding findingOf(const explain::FindingGroup& group, const Launched& launched,
                             const CodeLines& lines, BufferNames& names) const;

    const ServerOptions& options_;
    const Modules& modules_;
    const ImageTable& images_;
    DeviceHeap& heap_;
    HostEvents& events_;
    OperationLog& operations_;
    LaunchKeeper keeper_;
    std::map<std::pair<const ptx::Function*, u32>, trace::Keeps> keeps_;  // by kernel and block of the heap
    std::vector<Launched> launched_;
    simt::PiecePool saved_;
    u64 count_ = 0, first_ = 0, withFindings_ = 0;
    f64 seconds_ = 0;
    bool isTimeUp_ = false;
};

}  // namespace lockstep::program
