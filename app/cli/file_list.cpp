#include "app/cli/file_list.h"

#include "run/own_kernel.h"

#include <fmt/format.h>

namespace lockstep::cli {
namespace {

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json launchJson(const run::ProposedLaunch& launch) {
    Json arguments = Json::array(), unknown = Json::array();
    for (const std::string& argument : launch.arguments)
        arguments.push_back(textOrNull(argument));
    for (const Fault& fault : launch.unknown)
        unknown.push_back(describe(fault));
    return {{"file", launch.file},
            {"line", launch.line},
            {"text", launch.title},
            {"grid", textOrNull(launch.grid)},
            {"block", textOrNull(launch.block)},
            {"shared", textOrNull(launch.shared)},
            {"arguments", arguments},
            {"options",
             launch.isWhole() ? Json("--entry '" + launch.entry + "' " + launch.asOptions()) : Json(nullptr)},
            {"unknown", unknown}};
}

}  // namespace

Expected<Json> fileListJson(const FileListOptions& options) {
    std::vector<std::filesystem::path> folders(options.includes.begin(), options.includes.end());
    const Expected<run::FileContents> contents = run::contentsOf(options.file, options.defines, {}, folders);
    if (!contents) return Unexpected{contents.error()};
    Json kernels = Json::array(), notes = Json::array();
    for (const run::KernelInFile& kernel : contents->kernels) {
        Json launches = Json::array();
        for (const run::ProposedLaunch& launch : kernel.launches)
            launches.push_back(launchJson(launch));
        kernels.push_back({{"entry", kernel.entry},
                           {"signature", kernel.signature},
                           {"parameters", kernel.names},
                           {"launches", launches}});
    }
    for (const Fault& note : contents->notes)
        notes.push_back(describe(note));
    return Json{{"file", options.file}, {"kernels", kernels}, {"notes", notes}};
}

void printFileList(const Json& list) {
    const auto text = [](const Json& value) { return value.get<std::string>(); };
    for (const Json& kernel : list["kernels"]) {
        printOut("{}\n", text(kernel["signature"]));
        if (kernel["launches"].empty()) printOut("    not launched by this file\n");
        for (const Json& launch : kernel["launches"]) {
            printOut("    line {}: {}\n", launch["line"].get<u32>(), text(launch["text"]));
            if (!launch["options"].is_null()) printOut("        {}\n", text(launch["options"]));
            for (const Json& sentence : launch["unknown"])
                printOut("        {}\n", text(sentence));
        }
    }
    if (list["kernels"].empty()) printOut("no kernel in {}\n", text(list["file"]));
    for (const Json& note : list["notes"])
        printOut("note: {}\n", text(note));
}

}  // namespace lockstep::cli
