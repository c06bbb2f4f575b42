// Answers what the runtime library in the program's process asks: allocates, runs its launches on the
// emulator, and keeps record.
#pragma once

#include "cudart/protocol.h"
#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/read_code.h"
#include "program/record.h"
#include "program/server_options.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <memory>
#include <string>
#include <vector>

namespace lockstep::program {

class Server {
public:
    Server(ServerOptions options, CodeLines& lines);
    ~Server();

    int memoryFile() const { return heap_.file(); }
    // Answers on this socket until the other end is closed.
    void serve(int socket);
    // Once the program has ended; `record` has how.
    void finish(ProgramRecord& record);

    struct Crash {
        int signal = 0;
        u64 address = 0, caller = 0;
    };
    const Crash* crash() const { return crash_.signal ? &crash_ : nullptr; }
    bool isTimeUp() const { return isTimeUp_; }

private:
    struct Launched {
        LaunchRecord record;
        u64 caller = 0;
        u32 code = 0;
        trace::Recording recording;  // if something was found
        std::vector<u32> blocks;     // of the heap, by buffer
    };
    struct HostEvent {
        cudart::Ask ask = cudart::Ask::Failed;
        std::string function;
        u64 caller = 0;
        u64 numbers[4] = {};
        Message detail{};
        auto key() const { return std::tuple(ask, function, caller, numbers[0], numbers[2]); }
    };
    struct Reply {
        cudart::Answer answer{};
        std::string text{};
    };

    Reply answer(const cudart::Question& question, const std::string& text);
    Reply hello() const;
    Reply addModule(const std::string& text);
    Reply variable(const cudart::Question& question, const std::string& name);
    Reply allocate(const cudart::Question& question);
    Reply function(const cudart::Question& question, const std::string& name) const;
    Reply occupancy(const cudart::Question& question, const std::string& name) const;
    Reply launch(const cudart::Question& question, const std::string& text);
    int run(const cudart::Question& question, const ptx::Function& entry, const Launch& launch,
            Launched& launched, std::string& printed, int& later);
    Message whyNotRead(u64 code, const std::string& kernel) const;
    void checkArguments(const ptx::Function& entry, const Launch& launch, Launched& launched);
    void placeVariables(u32 code);
    void note(const cudart::Question& question, const std::string& text);
    void add(HostEvent event);
    const ptx::Module* code(u64 number) const {
        return number < codes_.size() ? codes_[number].module.get() : nullptr;
    }
    bool isMappedByProgram(u64 address) const;

    void nameBuffers(Launched& launched);
    std::string nameOf(const HeapBlock& block);
    Message describe(const HostEvent& event);

    ServerOptions options_;
    CodeLines& lines_;
    DeviceHeap heap_;
    std::vector<ReadCode> codes_;  // by file of the program
    std::vector<Launched> launched_;
    std::vector<std::pair<HostEvent, u64>> events_;  // with how often
    u64 launchCount_ = 0, launchesWithFindings_ = 0, lost_ = 0, moduleBytes_ = 0;
    s64 process_ = 0;
    f64 seconds_ = 0;
    Crash crash_;
    bool isTimeUp_ = false;
    std::map<std::string, std::vector<std::string>> sources_;  // lines of files, for the names of variables
};

}  // namespace lockstep::program
