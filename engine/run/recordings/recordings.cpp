#include "run/recordings/recordings.h"

#include "base/files/text_file.h"
#include "catalog/prebuilt.h"
#include "run/gpu/driver_text.h"
#include "run/machine/machine_run.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace lockstep::run {
namespace {

using Json = nlohmann::ordered_json;
constexpr s64 kVersion = 1;

// Errors in a user's file, found while reading; the first is reported.
class Reader {
public:
    Message mistake;

    const Json* member(const Json& json, const char* key) {
        const Json* value = found(json, key);
        if (!value) complain(Message(english("'{0}' is missing"), key));
        return value;
    }
    f64 number(const Json& json, const char* key) {
        const Json* value = member(json, key);
        return value ? numberIn(*value, key) : 0;
    }
    f64 numberIn(const Json& value, const std::string& key) {
        if (!value.is_number()) return complain(Message(english("'{0}' must be a number"), key)), 0;
        const f64 number = value.get<f64>();
        if (!std::isfinite(number) || number < 0)
            return complain(Message(english("'{0}' must not be negative"), key)), 0;
        return number;
    }
    f64 above0(const Json& json, const char* key) {
        const f64 value = number(json, key);
        if (value <= 0) complain(Message(english("'{0}' must be above 0"), key));
        return value;
    }
    // most: the largest value that both the type and an f64 represent exactly.
    u64 whole(const Json& json, const char* key, f64 most) {
        const f64 value = number(json, key);
        if (value > most || value != std::floor(value))
            return complain(Message(english("'{0}' must be a whole number"), key)), 0;
        return u64(value);
    }
    u32 count(const Json& json, const char* key) { return u32(whole(json, key, 4294967295.0)); }
    u64 bytes(const Json& json, const char* key) { return whole(json, key, 9007199254740992.0); }
    std::string text(const Json& json, const char* key) {
        const Json* value = member(json, key);
        if (!value) return {};
        if (!value->is_string()) return complain(Message(english("'{0}' must be a text"), key)), "";
        return plain(value->get<std::string>(), key);
    }
    // Shown in terminals and pictures unchanged.
    std::string plain(std::string value, const std::string& key) {
        if (std::ranges::any_of(value, [](char c) { return (c >= 0 && c < ' ') || c == 0x7f; }))
            complain(Message(english("'{0}' has a control character"), key));
        return value;
    }
    // An optional object; null if missing.
    const Json* optional(const Json& json, const char* key, bool (Json::*isForm)() const noexcept,
                         const Words& form) {
        const Json* value = found(json, key);
        if (!value) return nullptr;
        if (!(value->*isForm)()) return complain(Message(form, key)), nullptr;
        return value;
    }
    void complain(Message what) {
        if (mistake.empty()) mistake = std::move(what);
    }

private:
    static const Json* found(const Json& json, const char* key) {
        const auto value = json.find(key);
        return value == json.end() ? nullptr : &*value;
    }
};

// Six digits: more than any measurement is repeatable to.
f64 rounded(f64 value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return std::strtod(text, nullptr);
}

Json spreadJson(const Spread& spread) {
    return {{"median", rounded(spread.median)},
            {"lower_quartile", rounded(spread.lowerQuartile)},
            {"upper_quartile", rounded(spread.upperQuartile)},
            {"min", rounded(spread.least)},
            {"max", rounded(spread.most)},
            {"runs", spread.runs}};
}
Spread readSpread(const Json& json, Reader& reader) {
    const Spread spread{.median = reader.above0(json, "median"),
                        .lowerQuartile = reader.number(json, "lower_quartile"),
                        .upperQuartile = reader.number(json, "upper_quartile"),
                        .least = reader.number(json, "min"),
                        .most = reader.number(json, "max"),
                        .runs = reader.count(json, "runs")};
    if (spread.least > spread.lowerQuartile || spread.lowerQuartile > spread.median ||
        spread.median > spread.upperQuartile || spread.upperQuartile > spread.most)
        reader.complain(english("'kernel_ms' must ascend from 'min' over 'median' to 'max'"));
    if (spread.runs == 0) reader.complain(english("'runs' of 'kernel_ms' must be above 0"));
    return spread;
}
Json copyJson(const KernelTiming::Copy& copy) {
    return {{"bytes", copy.bytes}, {"ms", rounded(copy.milliseconds)}};
}
std::optional<KernelTiming::Copy> readCopy(const Json& json, const char* key, Reader& reader) {
    if (!json.contains(key)) return {};
    return KernelTiming::Copy{reader.bytes(json[key], "bytes"), reader.number(json[key], "ms")};
}

Json timingJson(const KernelTiming& timing) {
    Json json{{"kernel_ms", spreadJson(timing.kernel)},
              {"batch", timing.batch},
              {"l2", timing.coldCache ? "cold" : "warm"},
              {"sm_mhz", rounded(timing.smMegahertz)}};
    if (timing.toDevice) json["host_to_device"] = copyJson(*timing.toDevice);
    if (timing.toHost) json["device_to_host"] = copyJson(*timing.toHost);
    return json;
}
KernelTiming readTiming(const Json& json, Reader& reader) {
    KernelTiming timing;
    if (const Json* kernel = reader.member(json, "kernel_ms")) timing.kernel = readSpread(*kernel, reader);
    timing.batch = reader.count(json, "batch");
    const std::string cache = reader.text(json, "l2");
    if (cache != "cold" && cache != "warm") reader.complain(english("'l2' must be cold or warm"));
    timing.coldCache = cache == "cold";
    timing.smMegahertz = reader.number(json, "sm_mhz");
    timing.toDevice = readCopy(json, "host_to_device", reader);
    timing.toHost = readCopy(json, "device_to_host", reader);
    return timing;
}

constexpr std::array kEndings{"whole", "hangs", "stopped"};  // in Ending's order

void writeEnding(const RecordedRun& run, Json& json) {
    json["ending"] = kEndings[std::size_t(run.ending)];
    json["why"] = {{"en", run.why.en}, {"zh", run.why.zh}};
}
void readEnding(const Json& json, RecordedRun& run, Reader& reader) {
    if (!json.contains("ending")) return;
    const auto ending = std::ranges::find(kEndings, reader.text(json, "ending"));
    if (ending == kEndings.end()) return reader.complain(english("'ending' must be whole, hangs or stopped"));
    run.ending = Ending(ending - kEndings.begin());
    if (run.ending == Ending::Whole) return;
    if (const Json* why = reader.member(json, "why"))
        run.why = {reader.text(*why, "en"), reader.text(*why, "zh")};
}

Json runJson(const RecordedRun& run) {
    Json json{{"kernel", run.kernel}, {"parameters", Json::object()}, {"ptx", run.ptxHash}};
    for (const auto& [name, value] : run.parameters)
        json["parameters"][name] = value;
    json["correct"] = run.correct ? Json(*run.correct) : Json(nullptr);
    if (run.ending != Ending::Whole) {
        writeEnding(run, json);
        return json;
    }
    json["registers"] = run.measured.registers;
    json["blocks_per_sm"] = run.measured.blocksPerSm;
    if (run.measured.timing) json["timing"] = timingJson(*run.measured.timing);
    if (run.host)
        json["host_clock"] = {{"first_ms", rounded(run.host->firstMs)},
                              {"warm_ms", rounded(run.host->warmMs)}};
    if (run.cpuMilliseconds) json["cpu_ms"] = rounded(*run.cpuMilliseconds);
    if (!run.measured.counters.empty()) {
        json["counter_readings"] = run.measured.counterReadings;
        json["counters"] = Json::object();
        for (const auto& [name, value] : run.measured.counters)
            json["counters"][name] = value == std::floor(value) ? Json(s64(value)) : Json(value);
    }
    return json;
}

RecordedRun readRun(const Json& json, Reader& reader) {
    RecordedRun run;
    run.kernel = reader.text(json, "kernel");
    run.ptxHash = reader.text(json, "ptx");
    if (const Json* parameters = reader.member(json, "parameters"); parameters && !parameters->is_object())
        reader.complain(english("'parameters' must be an object"));
    else if (parameters)
        for (const auto& [name, value] : parameters->items()) {
            if (!value.is_string())
                reader.complain(Message(english("the parameter '{0}' must be a text"), name));
            else
                run.parameters.emplace_back(reader.plain(name, "parameters"),
                                            reader.plain(value.get<std::string>(), name));
        }
    if (json.is_object() && json.contains("correct") && !json["correct"].is_null())
        if (const Json* correct = reader.optional(json, "correct", &Json::is_boolean,
                                                  english("'{0}' must be true, false or null")))
            run.correct = correct->get<bool>();
    readEnding(json, run, reader);
    if (run.ending != Ending::Whole) return run;
    if (const Json* list =
            reader.optional(json, "registers", &Json::is_array, english("'{0}' must be a list")))
        for (const Json& registers : *list) {
            if (!registers.is_number_unsigned() || registers.get<u64>() > 0xffff)
                reader.complain(english("'registers' must be whole numbers"));
            else
                run.measured.registers.push_back(registers.get<u32>());
        }
    run.measured.blocksPerSm = reader.count(json, "blocks_per_sm");
    if (const Json* timing =
            reader.optional(json, "timing", &Json::is_object, english("'{0}' must be an object")))
        run.measured.timing = readTiming(*timing, reader);
    if (const Json* host =
            reader.optional(json, "host_clock", &Json::is_object, english("'{0}' must be an object")))
        run.host = RecordedRun::HostClock{reader.above0(*host, "first_ms"), reader.above0(*host, "warm_ms")};
    if (json.contains("cpu_ms")) run.cpuMilliseconds = reader.above0(json, "cpu_ms");
    if (const Json* counters =
            reader.optional(json, "counters", &Json::is_object, english("'{0}' must be an object"))) {
        run.measured.counterReadings =
            json.contains("counter_readings") ? reader.count(json, "counter_readings") : 1;
        for (const auto& [name, value] : counters->items())
            run.measured.counters[reader.plain(name, "counters")] = reader.numberIn(value, name);
    }
    return run;
}

// The recording has this kernel at this size, but no figures for the run: its source differs, or it did not
// complete.
Fault whyNotMeasured(const RecordedRun& run, const HardwareRecording& recording, bool isOfThisCode) {
    const std::string on = recording.device + " (" + recording.date + ")";
    return fail(FaultKind::Gpu,
                isOfThisCode
                    ? Message(english("there are no figures measured on {0}: {1}"), on, run.why)
                    : Message(
                          english(
                              "the figures measured on {0} are of other code, for this kernel's source has "
                              "been edited or recompiled since: they are left out"),
                          on))
        .value();
}

// Without the lines that hold a run of another kernel: writtenRecording() gives each a line of its own.
std::string withRunsOf(std::string_view kernel, std::string_view text) {
    constexpr std::string_view kRun = "    {\"kernel\":\"", kEndOfRuns = "  ]";
    std::string kept;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
        text.remove_prefix(line.size());
        const std::string_view name = line.starts_with(kRun) ? line.substr(kRun.size()) : std::string_view();
        if (!name.empty() && name.substr(0, name.find('"')) != kernel) continue;
        if (line.starts_with(kEndOfRuns) && kept.ends_with(",\n")) kept.erase(kept.size() - 2, 1);
        kept += line;
    }
    return kept;
}

std::string kernelOf(const trace::Recording& recording) { return recording.family + "/" + recording.variant; }

}  // namespace

const RecordedRun* HardwareRecording::findRun(
    const std::string& kernel, const std::vector<std::pair<std::string, std::string>>& parameters) const {
    const auto found = std::ranges::find_if(
        runs, [&](const RecordedRun& run) { return run.kernel == kernel && run.parameters == parameters; });
    return found == runs.end() ? nullptr : &*found;
}

std::optional<Measured> HardwareRecording::find(const trace::Recording& of) const {
    const RecordedRun* run = findRun(kernelOf(of), of.parameters);
    if (!run || run->ending != Ending::Whole || run->ptxHash != catalog::hashOf(of.ptx)) return {};
    Measured measured = run->measured;
    measured.recording = name;
    measured.device = device;
    measured.driver = driver;
    measured.computeCapability = computeCapability;
    measured.date = date;
    return measured;
}

std::string writtenRecording(const HardwareRecording& recording) {
    const DriverVersions driver = driverVersions(recording.driver);
    Json head{{"format", kRecordingFormat},
              {"version", kVersion},
              {"device", recording.device},
              {"compute_capability", recording.computeCapability},
              {"driver", driver.cuda}};
    if (!driver.release.empty()) head["driver_release"] = driver.release;
    head.update({{"date", recording.date},
                 {"memory_bytes", recording.memoryBytes},
                 {"multiprocessors", recording.multiprocessors},
                 {"l2_bytes", recording.l2Bytes},
                 {"cpu_threads", recording.cpuThreads}});
    if (recording.pitchBytes) head["pitch_bytes"] = recording.pitchBytes;
    if (recording.contextMs > 0) head["context_ms"] = rounded(recording.contextMs);
    // One line per run: readable, and a changed run is one changed line.
    std::string text = head.dump(2);
    text.resize(text.size() - 2);
    text += ",\n  \"runs\": [\n";
    for (std::size_t i = 0; i < recording.runs.size(); ++i)
        text += "    " + runJson(recording.runs[i]).dump() + (i + 1 < recording.runs.size() ? ",\n" : "\n");
    return text + "  ]\n}\n";
}

Expected<HardwareRecording> parseRecording(const std::string& text, const std::string& file) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return fail(FaultKind::Syntax, english("is not JSON; give a file that lockstep record has written"),
                    {.file = file});
    Reader reader;
    HardwareRecording recording;
    recording.name = std::filesystem::path(file).stem().string();
    if (reader.text(json, "format") != kRecordingFormat || reader.count(json, "version") != kVersion)
        return fail(FaultKind::Damaged,
                    english("is no recording of this version; give a file that lockstep record has written"),
                    {.file = file});
    recording.device = reader.text(json, "device");
    recording.computeCapability = reader.text(json, "compute_capability");
    recording.driver = reader.text(json, "driver");
    recording.date = reader.text(json, "date");
    if (json.contains("driver_release"))
        recording.driver = driverText({recording.driver, reader.text(json, "driver_release")});
    recording.memoryBytes = reader.bytes(json, "memory_bytes");
    recording.multiprocessors = reader.count(json, "multiprocessors");
    recording.l2Bytes = reader.bytes(json, "l2_bytes");
    recording.cpuThreads = reader.count(json, "cpu_threads");
    if (json.contains("pitch_bytes")) recording.pitchBytes = reader.bytes(json, "pitch_bytes");
    if (json.contains("context_ms")) recording.contextMs = reader.number(json, "context_ms");
    const Json* runs = reader.member(json, "runs");
    if (runs && !runs->is_array()) reader.complain(english("'runs' must be a list"));
    for (std::size_t i = 0; runs && runs->is_array() && i < runs->size() && reader.mistake.empty(); ++i) {
        recording.runs.push_back(readRun((*runs)[i], reader));
        if (!reader.mistake.empty())
            reader.mistake = recording.runs.back().kernel.empty()
                                 ? Message(english("{0} in run {1}"), reader.mistake, i + 1)
                                 : Message(english("{0} in run {1} ({2})"), reader.mistake, i + 1,
                                           recording.runs.back().kernel);
    }
    if (!reader.mistake.empty())
        return fail(FaultKind::Damaged,
                    Message(english("{0}; record it again with lockstep record"), reader.mistake),
                    {.file = file});
    return recording;
}

Expected<std::string> textOfRecording(const std::filesystem::path& file) {
    return readTextFile(file, english("give a file that lockstep record has written"));
}

Expected<HardwareRecording> readRecording(const std::filesystem::path& file) {
    const Expected<std::string> text = textOfRecording(file);
    if (!text) return Unexpected{text.error()};
    return parseRecording(*text, file.string());
}

std::vector<std::filesystem::path> shippedRecordingFiles(const Resources& resources) {
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (const auto& item : std::filesystem::directory_iterator(resources.assets() / "recordings", error))
        if (item.path().extension() == ".json" && item.path().filename() != "sizes.json")
            files.push_back(item.path());
    std::ranges::sort(files);
    return files;
}

Expected<std::vector<HardwareRecording>> shippedRecordings(const Resources& resources,
                                                           std::string_view kernel) {
    std::vector<HardwareRecording> recordings;
    for (const std::filesystem::path& file : shippedRecordingFiles(resources)) {
        Expected<std::string> text = textOfRecording(file);
        if (!text) return Unexpected{text.error()};
        if (!kernel.empty()) text = withRunsOf(kernel, *text);
        Expected<HardwareRecording> recording = parseRecording(*text, file.string());
        if (!recording) return Unexpected{recording.error()};
        recordings.push_back(std::move(*recording));
    }
    return recordings;
}

void attachRecorded(Run& run, std::span<const HardwareRecording> recordings) {
    for (const HardwareRecording& recording : recordings) {
        if (run.measured) return;
        run.measured = recording.find(run.recording);
        if (run.measured) remakeOccupancy(run);
        const RecordedRun* known = recording.findRun(kernelOf(run.recording), run.recording.parameters);
        if (!run.measured && known)
            run.notes.push_back(
                whyNotMeasured(*known, recording, known->ptxHash == catalog::hashOf(run.recording.ptx)));
    }
}

}  // namespace lockstep::run
