// Answers what the runtime library in the program's process asks: allocates, runs its launches on the
// emulator, and keeps record.
#pragma once

#include "cudart/protocol.h"
#include "program/code_lines.h"
#include "program/device_heap.h"
#include "program/host_events.h"
#include "program/image_table.h"
#include "program/launches.h"
#include "program/modules.h"
#include "program/operation_log.h"
#include "program/record.h"
#include "program/reply.h"
#include "program/server_options.h"

#include <set>
#include <string>
#include <utility>

namespace lockstep::program {

class Server {
public:
    Server(ServerOptions options, CodeLines& lines);
    ~Server();

    int memoryFile() const { return heap_.file(); }
    // Answers on this socket until the other end is closed.
    void serve(int socket);
    // Lines of calls whose result nobody looks at.
    void addUnusedResults(std::set<CodePlace> places) { events_.addUnusedResults(std::move(places)); }
    // Once the program has ended; `record` has how.
    void finish(ProgramRecord& record);

    struct Crash {
        int signal = 0;
        u64 address = 0, caller = 0;
    };
    const Crash* crash() const { return crash_.signal ? &crash_ : nullptr; }
    bool isTimeUp() const { return launches_.isTimeUp(); }
    // The program's runtime library is of another build, with another protocol: nothing was answered.
    bool speaksOtherwise() const { return speaksOtherwise_; }

private:
    bool isGreeted(int socket);
    void answerAll(int socket);
    Reply answer(const cudart::Question& question, const std::string& text);
    Reply hello() const;
    Reply addModule(const std::string& text);
    Reply variable(const cudart::Question& question, const std::string& name);
    Reply allocate(const cudart::Question& question);
    Reply free(const cudart::Question& question);
    Reply makeImage(const cudart::Question& question, const std::string& text);
    Reply function(const cudart::Question& question, const std::string& name) const;
    Reply occupancy(const cudart::Question& question, const std::string& name) const;
    void placeVariables(u32 module);
    void note(const cudart::Question& question, const std::string& text);
    void notePending();

    ServerOptions options_;
    CodeLines& lines_;
    DeviceHeap heap_;
    Modules modules_;
    ImageTable images_;
    HostEvents events_;
    OperationLog operations_;
    Launches launches_;
    u64 lost_ = 0;
    s64 process_ = 0;
    Crash crash_;
    bool speaksOtherwise_ = false;
};

}  // namespace lockstep::program
