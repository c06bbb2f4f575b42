#include "program/read_code.h"

#include "program/code_lines.h"

#include <cstdlib>
#include <sstream>
#include <vector>

namespace lockstep::program {
namespace {

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(std::move(line));
    return lines;
}

// What a line says behind its directive; empty: it is another.
std::string behind(const std::string& line, std::string_view directive) {
    const std::size_t at = line.find_first_not_of("\t ");
    if (at == std::string::npos || line.compare(at, directive.size(), directive) != 0) return {};
    return line.substr(at + directive.size());
}

// The fault, with the line of the source that the PTX there says it is from.
Message whyOf(const std::vector<std::string>& lines, const Fault& fault) {
    for (std::size_t i = std::min<std::size_t>(fault.place.line, lines.size()); i-- > 0;) {
        if (lines[i] == "{") break;
        const std::string place = behind(lines[i], ".loc");
        if (place.empty()) continue;
        std::istringstream words(place);
        u32 file = 0, line = 0;
        words >> file >> line;
        for (const std::string& other : lines) {
            const std::string named = behind(other, ".file");
            char* name = nullptr;
            if (named.empty() || std::strtoul(named.c_str(), &name, 10) != file) continue;
            const std::string quoted = name;
            const std::size_t begin = quoted.find('"'), end = quoted.rfind('"');
            if (begin >= end) break;
            return Message(english("{0}:{1}: {2}"), fromHere(quoted.substr(begin + 1, end - begin - 1)), line,
                           fault.message);
        }
        break;
    }
    return fault.message;
}

// Empties the kernel that this line (from 1) is in, whose braces stand at the beginnings of lines, as the
// compiler writes them. Its name; empty: it is in no kernel.
std::string emptied(std::vector<std::string>& lines, u32 number) {
    if (number == 0 || number > lines.size()) return {};
    std::size_t begin = number - 1;
    while (begin > 0 && lines[begin] != "{" && lines[begin] != "}")
        --begin;
    if (lines[begin] != "{") return {};
    std::size_t end = number - 1, head = begin;
    while (end < lines.size() && lines[end] != "}")
        ++end;
    constexpr std::string_view kEntry = ".entry ";
    while (head > 0 && lines[head] != "}" && lines[head].find(kEntry) == std::string::npos)
        --head;
    const std::size_t at = lines[head].find(kEntry);
    if (end == lines.size() || at == std::string::npos) return {};
    const std::string rest = lines[head].substr(at + kEntry.size());
    for (std::size_t i = begin + 1; i < end; ++i)
        if (lines[i].empty() || lines[i].back() != ':') lines[i].clear();  // debug information names labels
    lines[begin] = "{ ret;";
    return rest.substr(0, rest.find_first_of("( \t"));
}

}  // namespace

ReadCode readCode(std::string text) {
    constexpr std::size_t kMostRefused = 100;
    for (ReadCode read;;) {
        Expected<ptx::Module> module = ptx::parse(text, "program.ptx");
        if (module) {
            read.module = std::make_unique<ptx::Module>(std::move(*module));
            return read;
        }
        std::vector<std::string> lines = linesOf(text);
        Message why = whyOf(lines, module.error());
        const std::string name = emptied(lines, module.error().place.line);
        if (name.empty() || read.refused.contains(name) || read.refused.size() == kMostRefused)
            return {.module = nullptr, .whyNot = std::move(why), .refused = {}};
        read.refused.emplace(name, std::move(why));
        text.clear();
        for (const std::string& line : lines)
            text += line + '\n';
    }
}

}  // namespace lockstep::program
