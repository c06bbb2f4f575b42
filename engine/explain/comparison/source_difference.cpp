// The longest common subsequence of the lines.
#include "explain/comparison/source_difference.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace lockstep::explain {
namespace {

struct Line {
    SourceLine at;
    std::string code;
};

// Without comment, blanks and the name of the kernel that it declares.
std::string codeOf(std::string_view text) {
    text = text.substr(0, text.find("//"));
    std::string name;
    if (const std::size_t kernel = text.find("__global__"); kernel != std::string_view::npos) {
        const std::size_t end = std::min(text.find('(', kernel), text.size());
        std::size_t begin = end;
        while (begin > kernel && (std::isalnum(u8(text[begin - 1])) || text[begin - 1] == '_'))
            --begin;
        name = text.substr(begin, end - begin);
    }
    std::string code;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!name.empty() && text.substr(i).starts_with(name)) i += name.size();
        if (i < text.size() && !std::isspace(u8(text[i]))) code += text[i];
    }
    return code;
}

std::vector<Line> linesOf(const Recorded& run, LaunchId launch) {
    std::vector<Line> lines;
    const ptx::Function* entry = run.module->findEntry(launchOf(run, launch).entry);
    if (!entry) return lines;
    u32 file = 0;
    for (u32 pc = entry->first.value; pc < entry->end.value && file == 0; ++pc)
        if (const SourceLine at = lineOf(*run.module, Pc{pc}); at.line) file = at.file;
    if (file >= run.module->sources.size()) return lines;
    std::string_view rest = run.module->sources[file];
    for (u32 number = 1; !rest.empty(); ++number) {
        const std::size_t end = rest.find('\n');
        if (std::string code = codeOf(rest.substr(0, end)); !code.empty())
            lines.push_back({{file, number}, std::move(code)});
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return lines;
}

}  // namespace

SourceDifference sourceDifference(const Recorded& a, LaunchId launchOfA, const Recorded& b,
                                  LaunchId launchOfB) {
    constexpr std::size_t kMostLines = 1000;  // of a file that is compared
    constexpr f64 kAlike = 0.5;               // part of the lines
    const std::vector<Line> ofA = linesOf(a, launchOfA), ofB = linesOf(b, launchOfB);
    SourceDifference difference;
    if (ofA.empty() || ofB.empty() || std::max(ofA.size(), ofB.size()) > kMostLines) return difference;
    // How many lines the rests from i and j on have in common.
    std::vector<std::vector<u32>> common(ofA.size() + 1, std::vector<u32>(ofB.size() + 1));
    for (std::size_t i = ofA.size(); i-- > 0;)
        for (std::size_t j = ofB.size(); j-- > 0;)
            common[i][j] = ofA[i].code == ofB[j].code ? common[i + 1][j + 1] + 1
                                                      : std::max(common[i + 1][j], common[i][j + 1]);
    std::size_t i = 0, j = 0;
    while (i < ofA.size() || j < ofB.size()) {
        if (i < ofA.size() && j < ofB.size() && ofA[i].code == ofB[j].code)
            ++i, ++j;
        else if (j == ofB.size() || (i < ofA.size() && common[i + 1][j] >= common[i][j + 1]))
            difference.onlyInA.push_back(ofA[i++].at);
        else
            difference.onlyInB.push_back(ofB[j++].at);
    }
    difference.areAlike = common[0][0] >= kAlike * f64(std::max(ofA.size(), ofB.size()));
    return difference;
}

}  // namespace lockstep::explain
