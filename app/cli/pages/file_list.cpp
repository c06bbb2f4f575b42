#include "app/cli/pages/file_list.h"

#include "app/cli/terminal/output.h"

#include <fmt/format.h>

namespace lockstep::cli {
namespace {

Json textOrNull(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

std::string optionsOf(const run::ProposedLaunch& launch) {
    return "--entry '" + launch.entry + "' " + launch.asOptions();
}

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
            {"options", launch.isWhole() ? Json(optionsOf(launch)) : Json(nullptr)},
            {"unknown", unknown}};
}

}  // namespace

Expected<run::FileContents> contentsOf(const FileListOptions& options) {
    std::vector<std::filesystem::path> folders(options.includes.begin(), options.includes.end());
    return run::contentsOf(options.file, options.defines, {}, folders);
}

Json fileListJson(const std::string& file, const run::FileContents& contents) {
    Json kernels = Json::array(), notes = Json::array();
    for (const run::KernelInFile& kernel : contents.kernels) {
        Json launches = Json::array();
        for (const run::ProposedLaunch& launch : kernel.launches)
            launches.push_back(launchJson(launch));
        kernels.push_back({{"entry", kernel.entry},
                           {"signature", kernel.signature},
                           {"parameters", kernel.names},
                           {"launches", launches}});
    }
    for (const Fault& note : contents.notes)
        notes.push_back(describe(note));
    return Json{{"file", file}, {"kernels", kernels}, {"notes", notes}};
}

void printFileList(const std::string& file, const run::FileContents& contents, Language language) {
    for (const run::KernelInFile& kernel : contents.kernels) {
        printOut("{}\n", kernel.signature);
        if (kernel.launches.empty())
            printOut("    {}\n", say(language, english("not launched by this file")));
        for (const run::ProposedLaunch& launch : kernel.launches) {
            printOut("    {}\n", say(language, english("line {0}: {1}"), launch.line, launch.title));
            if (launch.isWhole()) printOut("        {}\n", optionsOf(launch));
            for (const Fault& fault : launch.unknown)
                printOut("        {}\n", describe(fault, language));
        }
    }
    if (contents.kernels.empty()) printLine(language, english("no kernel in {0}"), file);
    for (const Fault& note : contents.notes)
        printLine(language, english("note: {0}"), describe(note, language));
}

}  // namespace lockstep::cli
