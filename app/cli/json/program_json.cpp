#if LOCKSTEP_EXEC

#include "app/cli/json/program_json.h"

namespace lockstep::cli {
namespace {

using program::CodePlace;
using program::ProgramFinding;

void addPlace(Json& json, const CodePlace& place) {
    json["file"] = place.line ? Json(place.file) : Json(nullptr);
    json["line"] = place.line ? Json(place.line) : Json(nullptr);
}

Json findingJson(const ProgramFinding& finding) {
    Json json{{"kind", finding.kind},
              {"message", finding.message.english()},
              {"count", finding.count},
              {"remark", finding.isRemark},
              {"kernel", finding.kernel.empty() ? Json(nullptr) : Json(finding.kernel)}};
    addPlace(json, finding.place);
    return json;
}

Json findingsJson(const std::vector<ProgramFinding>& findings) {
    Json list = Json::array();
    for (const ProgramFinding& finding : findings)
        list.push_back(findingJson(finding));
    return list;
}

const char* nameOf(program::End end) {
    constexpr const char* kNames[] = {"exited", "crashed", "time_limit", "output_limit", "canceled"};
    return kNames[std::size_t(end)];
}

// ---- Operations, and the memory that they use.
Json text(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

const char* nameOf(operations::Kind kind) {
    constexpr const char* kNames[] = {"launch",      "copy",        "fill",         "event_record",
                                      "stream_wait", "synchronize", "host_function"};
    return kNames[std::size_t(kind)];
}

Json sideJson(const std::optional<operations::Side>& side) {
    if (!side) return nullptr;
    return {{"buffer", side->buffer ? Json(*side->buffer) : Json(nullptr)}, {"offset", side->offset}};
}

Json operationJson(const operations::Operation& operation) {
    Json json{{"kind", nameOf(operation.kind)},
              {"function", operation.function},
              {"stream", operation.stream ? Json(*operation.stream) : Json(nullptr)},
              {"event", operation.event ? Json(*operation.event) : Json(nullptr)},
              {"asynchronous", operation.isAsynchronous},
              {"error", text(operation.error)},
              {"findings", operation.findings}};
    addPlace(json, operation.place);
    using enum operations::Kind;
    if (operation.kind == Launch) {
        json["launch"] = operation.launch;
        json["grid"] = triple(operation.grid);
        json["block"] = triple(operation.block);
        json["given"] = operation.given;
        json["written"] = operation.written;
    }
    if (operation.kind == Copy || operation.kind == Fill) {
        json["bytes"] = operation.bytes;
        json["to"] = sideJson(operation.to);
    }
    if (operation.kind == Copy) json["from"] = sideJson(operation.from);
    return json;
}

Json useJson(const std::optional<operations::Use>& use) {
    if (!use) return nullptr;
    Json json{{"operation", use->operation},
              {"kind", nameOf(use->kind)},
              {"function", use->function},
              {"launch", use->launch ? Json(use->launch) : Json(nullptr)}};
    addPlace(json, use->place);
    return json;
}

Json bufferJson(const operations::Buffer& buffer) {
    constexpr const char* kMemories[] = {"device", "managed", "pinned", "registered", "variable"};
    Json freed = nullptr;
    if (buffer.end) {
        freed = {{"before_operation", *buffer.end}};
        addPlace(freed, buffer.freed);
    }
    Json json{{"name", buffer.name},
              {"memory", kMemories[std::size_t(buffer.memory)]},
              {"bytes", buffer.bytes},
              {"before_operation", buffer.begin},
              {"freed", freed},
              {"last_written", useJson(buffer.lastWritten)},
              {"last_copied_to_host", useJson(buffer.lastCopiedToHost)}};
    addPlace(json, buffer.allocated);
    return json;
}

template <class T> Json listJson(const std::vector<T>& all, Json (*one)(const T&)) {
    Json list = Json::array();
    for (const T& each : all)
        list.push_back(one(each));
    return list;
}

Json streamJson(const operations::Stream& stream) {
    constexpr const char* kKinds[] = {"default", "per_thread", "made"};
    Json json{{"kind", kKinds[std::size_t(stream.kind)]}, {"name", text(stream.name)}};
    addPlace(json, stream.made);
    return json;
}
Json eventJson(const operations::Event& event) {
    Json json{{"name", text(event.name)}};
    addPlace(json, event.made);
    return json;
}

}  // namespace

Json programJson(const program::ProgramRecord& record) {
    Json launches = Json::array();
    for (const program::LaunchRecord& launch : record.launches) {
        Json json{{"kernel", launch.kernel},
                  {"grid", triple(launch.grid)},
                  {"block", triple(launch.block)},
                  {"dynamic_shared_bytes", launch.dynamicSharedBytes},
                  {"arguments", launch.arguments},
                  {"error", launch.error.empty() ? Json(nullptr) : Json(launch.error)},
                  {"seconds", launch.seconds},
                  {"findings", findingsJson(launch.findings)},
                  {"counters", Json::object()}};
        for (const auto& [metric, value] : launch.counters)
            json["counters"][metric] = value;
        addPlace(json, launch.place);
        launches.push_back(std::move(json));
    }
    Json failed = Json::array();
    for (const program::FailedCall& call : record.failed) {
        Json json{{"function", call.function},
                  {"error", call.error},
                  {"count", call.count},
                  {"stays", call.isRepeated},
                  {"asked", call.isAsked}};
        addPlace(json, call.place);
        failed.push_back(std::move(json));
    }
    return {{"launches", launches},
            {"launch_count", record.launchCount},
            {"operations", listJson(record.operations.list, operationJson)},
            {"operation_count", record.operations.count},
            {"buffers", listJson(record.operations.buffers, bufferJson)},
            {"streams", listJson(record.operations.streams, streamJson)},
            {"events", listJson(record.operations.events, eventJson)},
            {"failed_calls", failed},
            {"findings", findingsJson(record.findings)},
            {"end", nameOf(record.end)},
            {"status", record.status},
            {"message", record.ending.empty() ? Json(nullptr) : Json(record.ending.english())},
            {"sandbox", record.isSandboxed},
            {"emulated_seconds", record.emulatedSeconds}};
}

}  // namespace lockstep::cli

#endif
