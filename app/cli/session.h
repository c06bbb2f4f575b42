// State shared by commands: data found and read once, and the GPU worker process.
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

// The first argument when the program is started as the GPU worker process; not a command.
inline constexpr const char* kGpuWorker = "gpu-worker";

// The value of an environment variable; empty if it is not set.
std::string environmentVariable(const char* name);

// Words of `exec` that are not ours to read: for the compiler, and, behind "--", for the program.
struct ForeignWords {
    std::vector<std::string> compiler, program;
};

// What any command may need. Loaded once, on first use.
class Session {
public:
    Session(std::string program, Language language) : program_(std::move(program)), language_(language) {}
    ForeignWords foreign{};  // of the command line, taken out before it is read
    const std::string& program() const { return program_; }
    // Language of the output; JSON is English.
    Language language() const { return language_; }
    Expected<const run::Resources*> resources();
    Expected<const catalog::Catalog*> catalog();
    // At least the family of a kernel ("matmul/tiled"), if the catalog has it; else all of it.
    Expected<const catalog::Catalog*> catalogWith(const std::string& kernel);
    // The GPU worker process: this program, started on first use.
    cuda::Worker& gpuWorker();
    // Caches its results, for runs of the same PTX.
    cuda::Disassembler& disassembler() { return disassembler_; }
    // GPU measurements: the user's own file, if given, before the shipped ones.
    Expected<const std::vector<run::HardwareRecording>*> recordings(const std::string& ownFile = {});
    // Adds the measurements of a run of the catalog from them, without reading those of other kernels.
    Expected<void> attachRecorded(run::Run& run, const std::string& ownFile);
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
    std::optional<catalog::Catalog> catalog_, family_;
    std::optional<cuda::Worker> gpuWorker_;
    cuda::Disassembler disassembler_{cuda::TextCache::ofUser("machine-code")};
    std::optional<std::vector<run::HardwareRecording>> recordings_;
    std::set<std::string> told_;
};

// Ctrl+C, without partial results.
Fault cancelledFault();
// For a command that requires one: why there is none.
Fault needsGpu(const std::string& command, Fault why);

}  // namespace lockstep::cli
