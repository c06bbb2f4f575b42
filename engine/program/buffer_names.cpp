#include "program/buffer_names.h"

#include "ptx/demangled_parameters.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <regex>

namespace lockstep::program {
namespace {

constexpr u64 kMostOfSource = u64{16} << 20;  // that is looked at
constexpr u64 kMostOfLine = 1000;             // std::regex goes as deep as a line is long

// Empty: the line takes no variable's address.
std::string variableIn(const std::string& line) {
    static const std::regex kName(
        R"(\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*([A-Za-z_][A-Za-z0-9_]*(?:(?:\.|->)[A-Za-z_][A-Za-z0-9_]*|\[[A-Za-z0-9_]+\])*))");
    std::smatch found;
    const std::size_t from = line.find("cuda");
    const std::string rest = from == std::string::npos ? line : line.substr(from);
    return std::regex_search(rest, found, kName) ? found[1] : std::string();
}

}  // namespace

const std::string* BufferNames::lineAt(const CodePlace& place) {
    if (!place.line) return nullptr;
    const auto [at, isNew] = sources_.try_emplace(place.file);
    std::vector<std::string>& lines = at->second;
    std::error_code error;  // the program's word for it: "/dev/zero" has no end
    if (isNew && std::filesystem::is_regular_file(place.file, error) &&
        std::filesystem::file_size(place.file, error) <= kMostOfSource) {
        std::ifstream file(place.file);
        for (std::string line; std::getline(file, line);)
            lines.push_back(line.substr(0, kMostOfLine));
    }
    return place.line <= lines.size() ? &lines[place.line - 1] : nullptr;
}

std::string BufferNames::at(const CodePlace& place) {
    const std::string* const line = lineAt(place);
    return line ? variableIn(*line) : std::string();
}

std::string BufferNames::of(const HeapBlock& block) {
    if (block.module)
        return std::string(ptx::shortName(modules_.find(*block.module)->variables[block.variable].name));
    if (block.isKernelHeap) return "heap";
    const CodePlace place = lines_.at(block.caller);
    if (!lineAt(place)) return fmt::format("memory at {:#x}", block.address);
    const std::string name = at(place);
    return name.empty() ? fmt::format("memory of line {}", place.line) : name;
}

}  // namespace lockstep::program
