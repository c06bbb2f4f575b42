// What commands share: what is found and read once, and the process that uses the GPU.
#pragma once

#include "base/expected.h"
#include "base/text/words.h"
#include "catalog/catalog.h"
#include "cuda/compiler/disassemble.h"
#include "cuda/worker/worker.h"
#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "run/resources.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::cli {

// The program's own first word when it is started once more, as the process that uses the GPU; no command.
inline constexpr const char* kGpuWorker = "gpu-worker";

// The value of an environment variable; empty where there is none.
std::string environmentVariable(const char* name);

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
    Expected<std::shared_ptr<const std::vector<run::RecordedMachine>>> machines();
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

}  // namespace lockstep::cli
