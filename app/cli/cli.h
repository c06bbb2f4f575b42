// The command line: what CONTRACT promises scripts and teachers. main() does nothing but call runProgram().
#pragma once

#include "app/cli/options/parser.h"
#include "base/expected.h"
#include "base/words.h"
#include "catalog/catalog.h"
#include "cuda/disassemble.h"
#include "cuda/worker.h"
#include "run/recordings.h"
#include "run/resources.h"
#include "viz/times_facts.h"

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace lockstep::cli {

// Exit statuses, stable.
inline constexpr int kDone = 0, kKernelIsWrong = 1, kUsageError = 2,
                     kCancelled = 130;  // as a shell has it of a program that Ctrl+C ended

// What every command may need. Found once, when first asked for.
class Session {
public:
    Session(std::string program, Language language) : program_(std::move(program)), language_(language) {}
    // In which the user is spoken to; JSON is English.
    Language language() const { return language_; }
    Expected<const run::Resources*> resources();
    Expected<const catalog::Catalog*> catalog();
    // The process that uses the GPU: this program once more, started when first asked something.
    cuda::Worker& gpuWorker();
    // Keeps its answers, for runs of the same PTX.
    cuda::Disassembler& disassembler() { return disassembler_; }
    // Measurements made on GPUs: the user's own file, if one is named, before those that ship.
    Expected<const std::vector<run::HardwareRecording>*> recordings(const std::string& ownFile = {});
    // The same for the Times page.
    Expected<std::shared_ptr<const std::vector<viz::RecordedMachine>>> machines();
    // A sentence on standard error; the same one only once.
    void tell(const std::string& sentence);
    template <class... Values> void tell(const Words& words, const Values&... values) {
        tell(say(language_, words, values...));
    }

private:
    std::string program_;
    Language language_;
    std::optional<run::Resources> resources_;
    std::optional<catalog::Catalog> catalog_;
    std::optional<cuda::Worker> gpuWorker_;
    cuda::Disassembler disassembler_{cuda::ListingCache::ofUser()};
    std::optional<std::vector<run::HardwareRecording>> recordings_;
    std::set<std::string> told_;
};

// Ctrl+C, and nothing is kept.
Fault cancelledFault();
// Of a command that cannot do without one, and why there is none.
Fault needsGpu(const std::string& command, Fault why);

// A command adds itself to the parser and leaves behind what to do when it was chosen.
using Action = std::function<Expected<int>()>;
struct CommandRow {
    const char* name;
    Words summary;
    const char* example;
    Action (*add)(const Command& command, Session& session);
};
// One row a command; help, completion and dispatch derive from it.
std::vector<CommandRow> commands();

Action addWindow(const Command& command, Session& session);
Action addList(const Command& command, Session& session);
Action addRun(const Command& command, Session& session);
Action addAccess(const Command& command, Session& session);
Action addShow(const Command& command, Session& session);
Action addShot(const Command& command, Session& session);
Action addCompare(const Command& command, Session& session);
Action addRecord(const Command& command, Session& session);
Action addDoctor(const Command& command, Session& session);
Action addValidate(const Command& command, Session& session);
Action addTexts(const Command& command, Session& session);
Action addCompletion(const Command& command, Session& session);

}  // namespace lockstep::cli
