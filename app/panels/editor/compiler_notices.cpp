#include "app/panels/editor/compiler_notices.h"

#include "app/state/whole_path.h"
#include "run/run.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace lockstep::app {
namespace {

bool isOf(const std::string& file, const EditedText& text) { return wholePath(file) == wholePath(text.file); }

// "saxpy.cu:12:3: expected a ;": the further errors of a message, a line each.
void addFurther(const std::string& message, const std::string& file, std::vector<CompilerNotice>& notices) {
    const std::string name = std::filesystem::path(file).filename().string() + ":";
    for (std::size_t at = message.find('\n'); at != std::string::npos; at = message.find('\n', at + 1)) {
        const std::size_t end = std::min(message.find('\n', at + 1), message.size());
        const std::string line = message.substr(at + 1, end - at - 1);
        const std::size_t begin = line.find(name);
        if (begin == std::string::npos) continue;
        const std::size_t number = begin + name.size(), colon = line.find(": ", number);
        const u32 where = u32(std::strtoul(line.c_str() + number, nullptr, 10));
        if (where > 0 && colon != std::string::npos) notices.push_back({where, line.substr(colon + 2)});
    }
}

}  // namespace

std::vector<CompilerNotice> noticesOf(const State& state, const EditedText& text) {
    std::vector<CompilerNotice> notices;
    const bool isExperiment = state.editedExperiment() == &text;
    if (const std::optional<Fault>& fault = state.fault;
        fault && fault->place.line > 0 && isOf(fault->place.file, text) &&
        (!state.editor.failed || isSameText(state.editor.failed, text.text))) {
        const std::string said = fault->message.in(state.language);
        notices.push_back({fault->place.line, said.substr(0, said.find('\n'))});
        addFurther(said, text.file, notices);
    } else if (isExperiment && state.run && !state.isOfAnother() && !state.isOfEarlierText()) {
        for (const Fault& warning : state.run->warnings)
            if (warning.place.line > 0 && isOf(warning.place.file, text))
                notices.push_back({warning.place.line, warning.message.in(state.language), true});
    }
    std::ranges::stable_sort(notices, {}, &CompilerNotice::line);
    return notices;
}

}  // namespace lockstep::app
