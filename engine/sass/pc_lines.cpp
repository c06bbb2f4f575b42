#include "sass/pc_lines.h"

#include <functional>

namespace lockstep::sass {
namespace {

bool isLineTable(std::string_view line) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos) return false;
    line.remove_prefix(start);
    return line.starts_with(".loc\t") || line.starts_with(".loc ") || line.starts_with(".file\t") ||
           line.starts_with(".file ");
}

// The text without its own line table; lines keep their ends.
void appendWithoutTable(std::string& out, std::string_view text) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end == std::string_view::npos ? end : end + 1);
        if (!isLineTable(line)) out += line;
        text.remove_prefix(line.size());
    }
}

}  // namespace

std::string withPcLines(const ptx::Module& module) {
    const std::string_view text = module.text();
    std::string out;
    out.reserve(2 * text.size());
    std::size_t done = 0;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc) {
        const std::string_view instruction = module.textOf(Pc{pc});
        if (!std::less_equal<>{}(text.data(), instruction.data()) ||
            !std::less<>{}(instruction.data(), text.data() + text.size()))
            continue;  // the parser added it
        const std::size_t begin = std::size_t(instruction.data() - text.data());
        appendWithoutTable(out, text.substr(done, begin - done));
        out += "\n.loc 1 " + std::to_string(pc + 1) + " 0\n";
        done = begin;
    }
    appendWithoutTable(out, text.substr(done));
    out += "\n.file 1 \"" + std::string(kPcFile) + "\"\n";
    return out;
}

}  // namespace lockstep::sass
