// Stored GPU measurements of the catalog: readable JSON shipped in assets/recordings, or a user's own file.
// So a laptop without a GPU can show real hardware figures, labeled with machine, driver and date.
#pragma once

#include "base/expected.h"
#include "base/text/text.h"
#include "run/gpu/measured.h"
#include "run/run.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::run {

// How a kernel ended on that machine.
enum class Ending : u8 {
    Whole,
    Hangs,    // it was still running at the time limit
    Stopped,  // by the hardware, for an illegal address and the like
};

struct RecordedRun {
    std::string kernel;                                           // "matmul/tiled"
    std::vector<std::pair<std::string, std::string>> parameters;  // name, value, in the family's order
    std::string ptxHash;          // of the text that ran: a different text is a different kernel
    std::optional<bool> correct;  // none: not compared with the CPU reference
    Ending ending = Ending::Whole;
    Text why;           // if it did not complete: a sentence that says what stopped it
    Measured measured;  // empty if it did not complete
    // All launches by the host's clock, from the first call until the device is done: the very first time,
    // which pays for loading the code, and after the warm-up.
    struct HostClock {
        f64 firstMs = 0, warmMs = 0;
    };
    std::optional<HostClock> host;
    std::optional<f64> cpuMilliseconds;  // the family's plain loop on that machine's CPU, median
};

struct HardwareRecording {
    std::string name;                                     // of its file, without .json: "h200"
    std::string device, driver, computeCapability, date;  // driver: in the format of run/gpu/driver_text.h
    u64 memoryBytes = 0, l2Bytes = 0;
    u32 multiprocessors = 0, cpuThreads = 0;
    u64 pitchBytes = 0;  // multiple at which cudaMallocPitch begins every row; 0: not recorded
    f64 contextMs = 0;   // to open the device, once per process; 0: not recorded
    std::vector<RecordedRun> runs;

    // The measurements of this kernel with these parameters, including their origin; none if the text has
    // changed since.
    std::optional<Measured> find(const trace::Recording& of) const;
    const RecordedRun* findRun(const std::string& kernel,
                               const std::vector<std::pair<std::string, std::string>>& parameters) const;
};

inline constexpr const char* kRecordingFormat = "lockstep-recording";  // the value of "format" at its top

std::string writtenRecording(const HardwareRecording& recording);
// `file` for messages. Fault: with line and column if it is not JSON, with the entry if a key is missing or
// wrong.
Expected<HardwareRecording> parseRecording(const std::string& text, const std::string& file);
Expected<HardwareRecording> readRecording(const std::filesystem::path& file);
Expected<std::string> textOfRecording(const std::filesystem::path& file);
// The shipped recordings, by name. `kernel`: of their runs those of this one alone ("matmul/tiled").
std::vector<std::filesystem::path> shippedRecordingFiles(const Resources& resources);
Expected<std::vector<HardwareRecording>> shippedRecordings(const Resources& resources,
                                                           std::string_view kernel = {});

// Adds measurements to a run that has none, from the first recording that has them. If a recording has the
// kernel but no figures for the run, a note says why.
void attachRecorded(Run& run, std::span<const HardwareRecording> recordings);

}  // namespace lockstep::run
