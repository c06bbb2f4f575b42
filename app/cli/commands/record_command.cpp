// lockstep record: measures the catalog on this machine's GPU and writes a recording, to show on machines
// without one.
#include "app/cli/commands/commands.h"
#include "app/cli/options/run_options.h"
#include "app/cli/terminal/interrupt.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "run/gpu/driver_text.h"
#include "run/recordings/record.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <memory>
#include <thread>

namespace lockstep::cli {
namespace {

struct Arguments {
    std::vector<std::string> kernels;
    std::string sizes = "default", out, name, l2 = "warm", json;
    bool keeps = false;
    u32 device = 0;
    f64 limitSeconds = 20;
};

struct Subject {
    const catalog::Family* family;
    const catalog::Variant* variant;
    catalog::Values values;
};

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", &utc);
    return text;
}

// "NVIDIA H200" -> "nvidia-h200"
std::string fileNameOf(const std::string& device) {
    std::string name;
    for (const char c : device) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            name += c;
        else if (c >= 'A' && c <= 'Z')
            name += char(c - 'A' + 'a');
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    return name;
}

// "width=64,256,1024": one parameter, its values.
Expected<std::vector<catalog::Values>> sizesOf(const std::string& text, const catalog::Family& family,
                                               const catalog::Variant& variant) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        return fail(FaultKind::Usage, Message(english("--sizes {0}: say default, or a parameter and its "
                                                      "values, for example --sizes width=64,256,1024"),
                                              text));
    const std::string name = text.substr(0, equals);
    std::vector<catalog::Values> all;
    if (std::ranges::find(variant.parameters, name) == variant.parameters.end()) return all;
    for (std::size_t at = equals + 1; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::vector<std::pair<std::string, std::string>> setting{{name, text.substr(at, end - at)}};
        const Expected<catalog::Values> values = catalog::resolve(family, variant, setting);
        if (!values) return Unexpected{values.error()};
        all.push_back(*values);
        at = end + 1;
    }
    return all;
}

Expected<std::vector<Subject>> subjectsOf(const Arguments& arguments, const catalog::Catalog& catalog,
                                          const run::Resources& resources) {
    std::vector<Subject> kernels;
    for (const std::string& name : arguments.kernels) {
        const auto found = lookUp(catalog, name);
        if (!found) return Unexpected{found.error()};
        kernels.push_back({found->first, found->second, {}});
    }
    if (kernels.empty())
        for (const catalog::Family& family : catalog.families())
            for (const catalog::Variant& variant : family.variants)
                kernels.push_back({&family, &variant, {}});
    std::vector<Subject> subjects;
    for (const Subject& kernel : kernels) {
        const auto sizes = arguments.sizes == "default"
                               ? run::sizesToRecord(*kernel.family, *kernel.variant,
                                                    resources.assets() / "recordings/sizes.json")
                               : sizesOf(arguments.sizes, *kernel.family, *kernel.variant);
        if (!sizes) return Unexpected{sizes.error()};
        for (const catalog::Values& values : *sizes)
            subjects.push_back({kernel.family, kernel.variant, values});
    }
    if (subjects.empty())
        return fail(
            FaultKind::Usage,
            Message(
                english("--sizes {0}: none of these kernels has that parameter (lockstep list shows them)"),
                arguments.sizes));
    return subjects;
}

std::string describeRun(const run::RecordedRun& run) {
    std::string text = run.kernel;
    for (const auto& [name, value] : run.parameters)
        text += fmt::format(" {}={}", name, value);
    return text;
}

// "0.01020 ms", or why there is no time.
std::string outcomeOf(const run::RecordedRun& run, Language language) {
    if (run.ending != run::Ending::Whole)
        return say(language, english("no figures: {0}"), run.why.in(language));
    const std::string time = run.measured.timing
                                 ? fmt::format("{:.5f} ms", run.measured.timing->kernel.median)
                                 : say(language, english("not timed"));
    return run.correct == false ? time + "  " + say(language, english("(wrong result)")) : time;
}

// A name must be a file name in the folder of --out.
Expected<void> checkName(const std::string& name) {
    const bool isPlain = !name.starts_with('.') && name.find_first_of("/\\") == std::string::npos &&
                         std::ranges::none_of(name, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
    if (isPlain) return {};
    return fail(FaultKind::Usage, Message(english("--name {0}: give a name without a path, for example "
                                                  "--name my-card; --out says which folder"),
                                          name));
}

// The existing recording, for --keep. It must be of the same device and driver, because a recording has one
// of each in its header.
Expected<std::vector<run::RecordedRun>> runsToKeep(const std::filesystem::path& file,
                                                   const catalog::Catalog& catalog,
                                                   run::HardwareRecording& recording) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) return std::vector<run::RecordedRun>{};
    Expected<run::HardwareRecording> before = run::readRecording(file);
    if (!before) return Unexpected{before.error()};
    if (before->device != recording.device || before->driver != recording.driver)
        return fail(
            FaultKind::Usage,
            Message(english("--keep: {0} was measured on {1}, driver {2}, and this is {3}, driver {4}; "
                            "record the whole catalog again, or under another --name"),
                    file.string(), before->device, before->driver, recording.device, recording.driver));
    recording.pitchBytes = before->pitchBytes;
    recording.contextMs = before->contextMs;
    // Runs of kernels that are gone, or now depend on other parameters, cannot be shown.
    std::erase_if(before->runs, [&](const run::RecordedRun& run) {
        const auto found = catalog.lookUp(run.kernel);
        return !found || !std::ranges::equal(run.parameters, found->second->parameters, {},
                                             &std::pair<std::string, std::string>::first);
    });
    return std::move(before->runs);
}

// Replaces the run of the same kernel and size, else goes after the last of its kernel, else at the end.
void putRun(std::vector<run::RecordedRun>& runs, run::RecordedRun run) {
    const auto same = std::ranges::find_if(runs, [&](const run::RecordedRun& other) {
        return other.kernel == run.kernel && other.parameters == run.parameters;
    });
    if (same != runs.end()) {
        *same = std::move(run);
        return;
    }
    const auto last = std::find_if(runs.rbegin(), runs.rend(),
                                   [&](const run::RecordedRun& other) { return other.kernel == run.kernel; });
    runs.insert(last == runs.rend() ? runs.end() : last.base(), std::move(run));
}

// The requested dynamic shared memory, if it exceeds this device's limit per block; else 0.
u64 sharedBeyond(const run::Experiment& experiment, const cuda::Device& device) {
    u64 most = 0;
    for (const Launch& launch : experiment.launches)
        most = std::max<u64>(most, launch.dynamicSharedBytes);
    return device.sharedBytesOptIn && most > device.sharedBytesOptIn ? most : 0;
}

// A recording written kernel by kernel. An existing file stays until the new one is complete.
class RecordingFile {
public:
    explicit RecordingFile(std::filesystem::path file) : file_(std::move(file)), underway_(file_) {
        std::error_code ignored;
        if (std::filesystem::exists(file_, ignored)) underway_.replace_extension(".unfinished.json");
    }
    Expected<void> write(const run::HardwareRecording& recording) {
        hasWritten_ = true;
        return writeFile(underway_.string(), run::writtenRecording(recording));
    }
    Expected<void> finish(const run::HardwareRecording& recording) {
        if (Expected<void> written = writeFile(file_.string(), run::writtenRecording(recording)); !written)
            return written;
        std::error_code ignored;
        if (hasWritten_ && underway_ != file_) std::filesystem::remove(underway_, ignored);
        return {};
    }
    std::string underway() const { return underway_.string(); }

private:
    std::filesystem::path file_, underway_;
    bool hasWritten_ = false;
};

// A time, or none.
bool isMeasured(const run::RecordedRun& run) {
    return run.measured.timing || run.ending != run::Ending::Whole;
}

Json jsonOf(const run::HardwareRecording& recording, const cuda::DriverInfo& info, const std::string& file,
            const Json& leftOut) {
    Json written = Json::parse(run::writtenRecording(recording));
    return {{"file", file},
            {"device", recording.device},
            {"compute_capability", recording.computeCapability},
            {"driver", info.version},
            {"driver_release", info.release},
            {"date", recording.date},
            {"runs", std::move(written["runs"])},
            {"left_out", leftOut}};
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    if (arguments.out.empty())
        return fail(FaultKind::Usage, english("say where the recording is to go: --out FOLDER"));
    if (const Expected<void> name = checkName(arguments.name); !name) return Unexpected{name.error()};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const run::Resources& resources = **session.resources();
    const auto subjects = subjectsOf(arguments, **catalog, resources);
    if (!subjects) return Unexpected{subjects.error()};
    const Expected<cuda::DriverInfo> info = session.gpuWorker().devices();
    if (!info) return Unexpected{needsGpu("record", info.error())};
    if (arguments.device >= info->devices.size())
        return fail(FaultKind::Usage,
                    Message(english("--device {0}: there is no such GPU (lockstep doctor lists them)"),
                            arguments.device));
    const cuda::Device& device = info->devices[arguments.device];
    run::HardwareRecording recording{
        .name = arguments.name.empty() ? fileNameOf(device.name) : arguments.name,
        .device = device.name,
        .driver = run::driverText({info->version, info->release}),
        .computeCapability = fmt::format("{}.{}", device.major, device.minor),
        .date = today(),
        .memoryBytes = device.memoryBytes,
        .l2Bytes = device.l2Bytes,
        .multiprocessors = device.multiprocessors,
        .cpuThreads = std::thread::hardware_concurrency(),
        .runs = {}};
    const std::filesystem::path file = std::filesystem::path(arguments.out) / (recording.name + ".json");
    for (const std::filesystem::path& written :
         {file, std::filesystem::path(arguments.json == "-" ? "" : arguments.json)})
        if (const Expected<void> place = canBeWritten(written); !written.empty() && !place)
            return Unexpected{place.error()};

    if (arguments.keeps) {
        Expected<std::vector<run::RecordedRun>> kept = runsToKeep(file, **catalog, recording);
        if (!kept) return Unexpected{kept.error()};
        recording.runs = std::move(*kept);
    }
    bool hasMeasured = false;
    Progress progress;
    const InterruptCancels interrupt(progress, {SIGINT, SIGTERM});
    run::Options options;
    options.backend = "gpu";
    options.gpu.worker = &session.gpuWorker();
    options.gpu.device = arguments.device;
    options.gpu.coldCache = arguments.l2 == "cold";
    options.emulator.limit = std::chrono::nanoseconds(s64(arguments.limitSeconds * 1e9));
    options.emulator.progress = &progress;
    const bool prints = arguments.json != "-";
    RecordingFile growing(file);
    Json leftOut = Json::array();
    u32 number = 0;
    for (const Subject& subject : *subjects) {
        ++number;
        const std::string name = subject.family->name + "/" + subject.variant->name;
        Expected<run::Experiment> experiment =
            run::open(resources, *subject.family, *subject.variant, subject.values);
        // A size that this variant does not accept, per its family.toml: skip it.
        if (!experiment) {
            session.tell(name + ": " + describe(experiment.error(), session.language()));
            continue;
        }
        if (const u64 wanted = sharedBeyond(*experiment, device)) {
            session.tell(english("{0} is not recorded at one size: it needs {1} {1:byte|bytes} of shared "
                                 "memory a block, {2} allows {3}"),
                         name, wanted, device.name, device.sharedBytesOptIn);
            continue;
        }
        Expected<run::Recorded> recorded = [&] {
            const RunProgressLine line(
                session.language(), progress,
                say(session.language(), english("{0} of {1}: {2}"), number, subjects->size(), name));
            return run::record(std::move(*experiment), options);
        }();
        if (progress.cancelled) break;
        if (!recorded) {
            // If the machine rejects one kernel, continue with the others.
            session.tell(english("{0} is left out: {1}"), name,
                         describe(recorded.error(), session.language()));
            leftOut.push_back({{"kernel", name}, {"why", describe(recorded.error())}});
            continue;
        }
        for (const Fault& note : recorded->notes)
            session.tell(describe(note, session.language()));
        if (prints)
            printOut("{:>4}/{} {}  {}\n", number, subjects->size(), describeRun(recorded->run),
                     outcomeOf(recorded->run, session.language()));
        std::fflush(stdout);
        if (!recording.pitchBytes) recording.pitchBytes = recorded->pitchBytes;
        if (recording.contextMs <= 0) recording.contextMs = recorded->contextMs;
        hasMeasured |= isMeasured(recorded->run);
        putRun(recording.runs, std::move(recorded->run));
        if (!hasMeasured) continue;
        if (const Expected<void> written = growing.write(recording); !written)
            return Unexpected{written.error()};
    }
    const bool isWhole = !progress.cancelled;
    if (!hasMeasured) {
        session.tell(english("nothing was measured, so that {0} is not written"), file.string());
        return kKernelIsWrong;
    }
    if (!isWhole)
        session.tell(english("canceled at {0} of {1}: what was measured is in {2}"), number, subjects->size(),
                     growing.underway());
    else if (const Expected<void> written = growing.finish(recording); !written)
        return Unexpected{written.error()};
    const std::string where = isWhole ? file.string() : growing.underway();
    if (prints)
        printLine(session.language(), english("{0} runs of {1} in {2}"), recording.runs.size(),
                  recording.device, where);
    if (!arguments.json.empty())
        if (const Expected<void> written =
                writeJson(jsonOf(recording, *info, where, leftOut), arguments.json);
            !written)
            return Unexpected{written.error()};
    return isWhole && leftOut.empty() ? kDone : kKernelIsWrong;
}

}  // namespace

Action addRecord(const Command& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command.add("kernels", arguments->kernels, english("FAMILY/VARIANT (default: the whole catalog)"))
        .type("");
    command
        .add("--sizes", arguments->sizes,
             english("a parameter and its values, for example width=256,1024 (default: the sizes of the "
                     "recordings that ship)"))
        .type("NAME=VALUES");
    command.add("--out", arguments->out, english("the folder that the recording is written to"))
        .type("FOLDER");
    command.add("--name", arguments->name, english("the recording's name (default: the GPU's)")).type("NAME");
    command.add("--keep", arguments->keeps,
                english("add to the recording of that name in the folder: what it has "
                        "of other kernels and sizes stays"));
    addDeviceOption(command, arguments->device);
    command.add("--l2", arguments->l2, english("the L2 cache when a timed run begins"))
        .takesOneOf({"warm", "cold"});
    command.add("--limit", arguments->limitSeconds, english("seconds after which one kernel is given up"))
        .takesSeconds()
        .showsDefault();
    command.addJson(arguments->json, english("write what was recorded as JSON to this file"));
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
