// The view read: what authors wrote, held against claims.txt, and code, against the files that it is from.
#include "witness/claims.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>

namespace lockstep::witness {
namespace {

std::string withoutBlanks(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (c != ' ' && c != '\n') out += c;
    return out;
}

// Of the host's code beside a kernel, and of the processor's loops.
const std::set<std::string>& linesOfCode() {
    static const std::set<std::string> kLines = [] {
        std::set<std::string> lines;
        for (const char* folder : {"/kernels", "/engine/catalog"})
            for (const auto& entry :
                 std::filesystem::recursive_directory_iterator(std::string(LOCKSTEP_SOURCE_DIR) + folder)) {
                const std::string name = entry.path().filename().string();
                if (!name.ends_with(".cu") && !name.ends_with(".cpp")) continue;
                std::ifstream file(entry.path());
                for (std::string line; std::getline(file, line);)
                    lines.insert(withoutBlanks(line));
            }
        return lines;
    }();
    return kLines;
}

// A line, or a part of one that was too long.
bool isLineOfCode(const std::string& code) {
    static std::mutex mutex;
    static std::map<std::string, bool> known;
    const std::lock_guard lock(mutex);
    const auto [found, isNew] = known.try_emplace(code);
    if (isNew)
        found->second =
            linesOfCode().contains(code) ||
            std::ranges::any_of(linesOfCode(), [&](const std::string& line) { return contains(line, code); });
    return found->second;
}

}  // namespace

// Every text of the variant, also what lies below the page's end: once, at the default size.
void Reader::authoredWhole() {
    if (!run_.run().catalog || w_.trial_.size != "default" || !w_.authored_.insert(picture_.language).second)
        return;
    for (const Authored& one : authoredTexts(*run_.run().catalog->family, *run_.run().catalog->variant)) {
        const Claimed& result = claimed(w_.world_, one, picture_.language);
        w_.of(picture_.view).read += result.numbers;
        Said said;
        said.text = one.name + ": " + one.text.in(picture_.language);
        for (const auto& [number, why] : result.wrong)
            fail(said, number, why);
    }
}

// A paragraph of the page is a part of one of the texts: what that says is held against its claims. True: it
// is.
bool Reader::authoredText(const Said& said) {
    if (!run_.run().catalog) return false;
    if (said.face == viz::Face::Mono) {
        const std::string code = withoutBlanks(said.text);
        if (!isLineOfCode(code)) fail(said, said.text, "no file has such a line of code");
        return true;
    }
    const std::string own = withoutBlanks(said.text);
    for (const Authored& one : authoredTexts(*run_.run().catalog->family, *run_.run().catalog->variant)) {
        if (one.isNote || !contains(withoutBlanks(one.text.in(picture_.language)), own)) continue;
        for (const auto& [number, why] : claimed(w_.world_, one, picture_.language).wrong)
            if (contains(said.text, number)) fail(said, number, why);
        return true;
    }
    return false;
}

// "Go to step 33 of warp 0", "line 17": where the words lead.
void Reader::readLink(const Said& said) {
    if (!said.isHover || !said.leadsTo || !is("Go to step # of warp #", "跳到线程束 # 的第 # 步")) return;
    const f64 step = said.leadsTo->step + 1.0, warp = said.leadsTo->warp.value;
    english() ? expectAll(said, {step, warp}) : expectAll(said, {warp, step});
}

}  // namespace lockstep::witness
