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

// Of the line's number-th call that takes one; of a line with only one, of that. Empty: it takes no
// variable's address, or it has fewer.
std::string variableIn(const std::string& line, std::size_t number) {
    static const std::regex kName(
        R"(\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*([A-Za-z_][A-Za-z0-9_]*(?:(?:\.|->)[A-Za-z_][A-Za-z0-9_]*|\[[A-Za-z0-9_]+\])*))");
    const std::size_t from = line.find("cuda");
    const std::string rest = from == std::string::npos ? line : line.substr(from);
    std::vector<std::string> names;
    for (std::sregex_iterator at(rest.begin(), rest.end(), kName), end; at != end; ++at)
        names.push_back((*at)[1]);
    if (names.size() == 1) return names.front();
    return number < names.size() ? names[number] : std::string();
}

}  // namespace

BufferNames::BufferNames(const Modules& modules, const CodeLines& lines, std::span<const HeapBlock> blocks)
    : modules_(modules), lines_(lines) {
    for (const HeapBlock& block : blocks)
        if (const CodePlace place = lines_.at(block.caller); place.line)
            callers_[{place.file, place.line}].insert(block.caller);
}

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

std::string BufferNames::at(const CodePlace& place) { return nameAt(place, 0); }

std::string BufferNames::nameAt(const CodePlace& place, std::size_t number) {
    const std::string* const line = lineAt(place);
    return line ? variableIn(*line, number) : std::string();
}

// The calls of a line come one after another, and so does their code.
std::size_t BufferNames::numberOf(const CodePlace& place, u64 caller) const {
    const auto callers = callers_.find({place.file, place.line});
    if (callers == callers_.end()) return 0;
    return std::size_t(std::distance(callers->second.begin(), callers->second.lower_bound(caller)));
}

std::string BufferNames::of(const HeapBlock& block) {
    if (block.module)
        return std::string(ptx::shortName(modules_.find(*block.module)->variables[block.variable].name));
    if (block.isKernelHeap) return "heap";
    const CodePlace place = lines_.at(block.caller);
    if (!lineAt(place)) return fmt::format("memory at {:#x}", block.address);
    const std::string name = nameAt(place, numberOf(place, block.caller));
    return name.empty() ? fmt::format("memory of line {}", place.line) : name;
}

}  // namespace lockstep::program
