// lockstep record: measures the catalogue on this machine's GPU and writes what it measured, to be shown
// where there is none.
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/run_options.h"
#include "run/driver_text.h"
#include "run/record.h"

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
        return fail(
            FaultKind::Usage,
            "--sizes " + text +
                ": say default, or a parameter and its values, for example --sizes width=64,256,1024");
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
        const auto found = catalog.lookUp(name);
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
        return fail(FaultKind::Usage,
                    "--sizes " + arguments.sizes +
                        ": none of these kernels has that parameter (lockstep list shows them)");
    return subjects;
}

std::string describeRun(const run::RecordedRun& run) {
    std::string text = run.kernel;
    for (const auto& [name, value] : run.parameters)
        text += " " + name + "=" + value;
    return text;
}

// "0.01020 ms", or why there is no time.
std::string outcomeOf(const run::RecordedRun& run) {
    if (run.ending != run::Ending::Whole) return "no figures: " + run.why.en;
    const std::string wrong = run.correct == false ? "  (wrong result)" : "";
    if (!run.measured.timing) return "not timed" + wrong;
    return fmt::format("{:.5f} ms{}", run.measured.timing->kernel.median, wrong);
}

// A name is a file's in the folder of --out, nothing else.
Expected<void> checkName(const std::string& name) {
    const bool isPlain = !name.starts_with('.') && name.find_first_of("/\\") == std::string::npos &&
                         std::ranges::none_of(name, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; });
    if (isPlain) return {};
    return fail(FaultKind::Usage, "--name " + name + ": give a name without a path, for example --name my-card; --out says which folder");
}

// Where a recording grows, a kernel at a time. One that is there already stays until the new one is whole.
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
        if (const Expected<void> written = writeFile(file_.string(), run::writtenRecording(recording)); !written) return written;
        std::error_code ignored;
        if (hasWritten_ && underway_ != file_) std::filesystem::remove(underway_, ignored);
        return {};
    }
    std::string underway() const { return underway_.string(); }

private:
    std::filesystem::path file_, underway_;
    bool hasWritten_ = false;
};

// A time, or that there can be none.
bool isMeasured(const run::HardwareRecording& recording) {
    return std::ranges::any_of(recording.runs, [](const run::RecordedRun& run) { return run.measured.timing || run.ending != run::Ending::Whole; });
}

Json jsonOf(const run::HardwareRecording& recording, const cuda::DriverInfo& info, const std::string& file, const Json& leftOut) {
    const Json written = Json::parse(run::writtenRecording(recording));
    return {{"file", file}, {"device", recording.device}, {"compute_capability", recording.computeCapability}, {"driver", info.version},
            {"driver_release", info.release}, {"date", recording.date}, {"runs", written["runs"]}, {"left_out", leftOut}};
}

Expected<int> execute(const Arguments& arguments, Session& session) {
    if (arguments.out.empty())
        return fail(FaultKind::Usage, "say where the recording is to go: --out FOLDER");
    if (const Expected<void> name = checkName(arguments.name); !name) return Unexpected{name.error()};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (!catalog) return Unexpected{catalog.error()};
    const run::Resources& resources = **session.resources();
    const auto subjects = subjectsOf(arguments, **catalog, resources);
    if (!subjects) return Unexpected{subjects.error()};
    const Expected<cuda::DriverInfo> info = session.gpuWorker().devices();
    if (!info) return Unexpected{info.error()};
    if (arguments.device >= info->devices.size())
        return fail(FaultKind::Usage, "--device " + std::to_string(arguments.device) +
                                          ": there is no such GPU (lockstep doctor lists them)");
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
    for (const std::filesystem::path& written : {file, std::filesystem::path(arguments.json == "-" ? "" : arguments.json)})
        if (const Expected<void> place = canBeWritten(written); !written.empty() && !place) return Unexpected{place.error()};

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
        // A size that this variant cannot take, as its family.toml says: the next one.
        if (!experiment) {
            session.tell(name + ": " + describe(experiment.error()));
            continue;
        }
        Expected<run::Recorded> recorded = run::record(std::move(*experiment), options);
        if (progress.cancelled) break;
        if (!recorded) {
            // A machine that refuses one kernel is no reason to lose the others.
            session.tell(name + " is left out: " + describe(recorded.error()));
            leftOut.push_back({{"kernel", name}, {"why", describe(recorded.error())}});
            continue;
        }
        for (const Fault& note : recorded->notes) session.tell(describe(note));
        if (prints) printOut("{:>4}/{} {}  {}\n", number, subjects->size(), describeRun(recorded->run), outcomeOf(recorded->run));
        std::fflush(stdout);
        recording.runs.push_back(std::move(recorded->run));
        if (!isMeasured(recording)) continue;
        if (const Expected<void> written = growing.write(recording); !written) return Unexpected{written.error()};
    }
    const bool isWhole = !progress.cancelled;
    if (!isMeasured(recording)) {
        session.tell("nothing was measured, so that " + file.string() + " is not written");
        return kKernelIsWrong;
    }
    if (!isWhole) session.tell(fmt::format("interrupted at {} of {}: what was measured is in {}", number, subjects->size(), growing.underway()));
    else if (const Expected<void> written = growing.finish(recording); !written) return Unexpected{written.error()};
    const std::string where = isWhole ? file.string() : growing.underway();
    if (prints) printOut("{} runs of {} in {}\n", recording.runs.size(), recording.device, where);
    if (!arguments.json.empty())
        if (const Expected<void> written = writeJson(jsonOf(recording, *info, where, leftOut), arguments.json); !written) return Unexpected{written.error()};
    return isWhole && leftOut.empty() ? kDone : kKernelIsWrong;
}

}  // namespace

Action addRecord(CLI::App& command, Session& session) {
    const auto arguments = std::make_shared<Arguments>();
    command.add_option("kernels", arguments->kernels, "FAMILY/VARIANT; none: the whole catalogue");
    command.add_option("--sizes", arguments->sizes, "default, or a parameter and its values: name=v1,v2,...");
    command.add_option("--out", arguments->out, "the folder that the recording is written to");
    command.add_option("--name", arguments->name, "the recording's name (default: the GPU's)");
    command.add_option("--device", arguments->device, "which GPU, from 0, as lockstep doctor lists them");
    command.add_option("--l2", arguments->l2, "warm or cold: the second-level cache when a timed run begins")
        ->check(CLI::IsMember({"warm", "cold"}));
    command.add_option("--limit", arguments->limitSeconds, "seconds after which one kernel is given up")
        ->check(CLI::PositiveNumber);
    command.add_option("--json", arguments->json, "write what was recorded as JSON to this file (-: standard output)");
    return [arguments, &session] { return execute(*arguments, session); };
}

}  // namespace lockstep::cli
