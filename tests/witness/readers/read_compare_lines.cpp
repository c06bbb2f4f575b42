// Lines of code that only one of two runs has.
#include "witness/readers/compare.h"

#include <algorithm>
#include <cctype>

namespace lockstep::witness {
namespace {

struct Code {
    u32 line;
    std::string text;
};

// Lines of the kernel's file that say something, without blanks, comments and the kernel's name.
std::vector<Code> codeOf(const RunFacts& facts) {
    std::vector<Code> lines;
    const ptx::Module& module = *facts.run().module;
    std::string_view rest;
    for (const std::string& source : module.sources)
        if (!source.empty()) rest = source;
    for (u32 number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string text(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (const std::size_t comment = text.find("//"); comment != std::string::npos) text.resize(comment);
        if (const std::size_t kernel = text.find("__global__"); kernel != std::string::npos) {
            const std::size_t end = std::min(text.find('(', kernel), text.size());
            std::size_t begin = end;
            while (begin > kernel && (std::isalnum(u8(text[begin - 1])) || text[begin - 1] == '_'))
                --begin;
            const std::string name = text.substr(begin, end - begin);
            for (std::size_t at; !name.empty() && (at = text.find(name)) != std::string::npos;)
                text.erase(at, name.size());
        }
        std::erase_if(text, [](char c) { return std::isspace(u8(c)); });
        if (!text.empty()) lines.push_back({number, std::move(text)});
    }
    return lines;
}

// How many lines the two can have in common, in order.
u64 commonOf(const std::vector<Code>& a, const std::vector<Code>& b) {
    std::vector<u64> above(b.size() + 1), row(b.size() + 1);
    for (const Code& code : a) {
        for (std::size_t j = 0; j < b.size(); ++j)
            row[j + 1] = code.text == b[j].text ? above[j] + 1 : std::max(above[j + 1], row[j]);
        std::swap(above, row);
    }
    return above.back();
}

}  // namespace

u64 CompareReader::onlyIn(const Side& side) const {
    if (!common_) common_ = commonOf(codeOf(a_.facts()), codeOf(b_.facts()));
    return codeOf(side.facts()).size() - *common_;
}

// As many lines are in common without it.
bool CompareReader::mayBeOnlyIn(const Side& side, const Side& other, u32 line) const {
    const std::vector<Code> theirs = codeOf(other.facts());
    std::vector<Code> ours = codeOf(side.facts());
    const u64 common = commonOf(ours, theirs);
    return std::erase_if(ours, [&](const Code& code) { return code.line == line; }) == 1 &&
           commonOf(ours, theirs) == common;
}

}  // namespace lockstep::witness
