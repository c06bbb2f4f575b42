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
