// Sentences of findings: one of the run must have all that the sentence says.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::Space;

bool Reader::isFinding(std::string_view text) {
    return says(text,
                {"with nothing to order them", "without synchronization",
                 "assumes warp-synchronous execution", "no thread has written yet", "the run goes on",
                 "the GPU stops the kernel", "二者之间没有任何同步", "依赖隐式线程束同步", "没有任何线程写过",
                 "运行继续", "warp-synchronous", "has written it: the value is", "读到的值不确定"}) &&
           !says(text, {"(warp-synchronous)", "Fastest: of the variants",
                        "“最快”只在"});  // a variant's name, among times
}

void Reader::finding(const Said& said, const std::string& line) {
    const std::vector<Token> tokens = tokensOf(line);
    if (tokens.empty() || !isFinding(line)) return;
    std::size_t best = 0;
    std::string what = "nothing";
    for (const trace::Finding& finding : run_.run().recording.findings) {
        const Launch& launch = run_.run().recording.launches[finding.launch.value];
        std::size_t explained = 0;
        std::vector<Dim3> threads{finding.who.thread}, blocks{finding.who.block};
        std::set<u32> lines = run_.linesNear(finding.who.pc);
        if (finding.other) {
            threads.push_back(finding.other->thread), blocks.push_back(finding.other->block);
            lines.merge(run_.linesNear(finding.other->pc));
        }
        // Of a read before the write: who writes there, as a race tells.
        if (finding.kind == trace::FindingKind::UninitializedRead)
            for (const trace::Finding& race : run_.run().recording.findings) {
                if (race.kind != trace::FindingKind::Race || !race.other || race.launch != finding.launch ||
                    race.space != finding.space || race.address != finding.address ||
                    race.who.block != finding.who.block)
                    continue;
                const trace::Culprit& writer = trace::writes(race.who.kind) ? race.who : *race.other;
                threads.push_back(writer.thread);
                lines.merge(run_.linesNear(writer.pc));
            }
        const auto is = [](const std::vector<Dim3>& places, Dim3 extents, const Token& token) {
            return std::ranges::any_of(places, [&](Dim3 at) {
                if (token.kind != Kind::Pair) return f64(linearOf(at, extents)) == token.value;
                const std::map<char, s64> by{{'x', at.x}, {'y', at.y}, {'z', at.z}};
                const std::string axes = token.axes.size() == token.indices.size() ? token.axes
                                         : token.indices.size() == 3               ? "zyx"
                                                                                   : "yx";
                for (std::size_t i = 0; i < axes.size(); ++i)
                    if (by.at(axes[i]) != token.indices[i]) return false;
                return true;
            });
        };
        for (const Token& token : tokens) {
            bool good = false;
            if (token.kind == Kind::Element) {
                const Array* array = run_.array(token.name, finding.launch);
                const std::optional<u64> address =
                    array ? run_.addressOf(*array, token.indices) : std::nullopt;
                const u64 at = finding.buffer >= 0 && array ? array->address + u64(finding.offsetBytes)
                               : finding.strayed()          ? finding.address
                                                            : u64(finding.offsetBytes);
                good = address && (array->space == Space::Global) == (finding.buffer >= 0) && *address == at;
            } else if (token.noun == "thread")
                good = is(threads, launch.block, token);
            else if (token.noun == "block")
                good = is(blocks, launch.grid, token);
            else if (token.noun == "line")
                good = lines.contains(u32(token.value));
            else if (token.noun == "element")
                good = finding.buffer >= 0 &&
                       f64(run_.arrays()[std::size_t(finding.buffer)].elements()) == token.value;
            else if (token.noun == "byte") {
                const s64 over = finding.offsetBytes - s64(finding.sizeBytes);
                good = token.value == f64(finding.widthBytes) || token.value == f64(finding.sizeBytes) ||
                       token.value == f64(over) || token.value == -f64(finding.offsetBytes) ||
                       token.value == f64(over + finding.widthBytes) ||
                       token.value == f64(finding.offsetBytes);
            } else if (std::string_view(line).substr(0, token.begin).ends_with("所有位为 "))
                good = token.value == 1;
            else if (token.noun == "times" || token.noun == "execution")
                good = token.value == f64(finding.count);
            explained += good;
        }
        if (explained > best)
            best = explained, what = fmt::format("{} of {} numbers", explained, tokens.size());
        if (explained == tokens.size()) return;
    }
    fail(said, line.substr(0, 60), "no finding of the run has all that is said: " + what);
}

Places placesOf(const RunFacts& run) {
    Places places;
    const auto lineOrPc = [&](Pc pc) {
        const u32 line = pc == kNoPc ? 0 : run.lineOf(pc);
        return line ? fmt::format("line {}", line) : fmt::format("pc {}", pc.value);
    };
    std::set<std::string> problems, remarks;
    for (const trace::Finding& finding : run.run().recording.findings) {
        if (finding.kind == trace::FindingKind::Truncated) {
            places.leftOut = finding.count;
            continue;
        }
        // That the run was stopped is said, and is no problem of the kernel's.
        const bool isStop = finding.kind == trace::FindingKind::Limit &&
                            (finding.detail.empty() || finding.detail == "cancelled");
        places.listed += !isStop;
        // A race between lanes of one warp is the same mistake as that between warps.
        const auto kind =
            finding.kind == trace::FindingKind::WarpSynchronous ? trace::FindingKind::Race : finding.kind;
        std::set<std::string> lines{lineOrPc(finding.who.pc)};
        std::string other = lineOrPc(finding.who.pc);
        if (finding.other) lines.insert(other = lineOrPc(finding.other->pc));
        std::string key =
            fmt::format("{} {} {} ", int(kind), finding.buffer, finding.strayed() ? finding.detail : "");
        for (const std::string& line : lines)
            key += line + ", ";
        key += finding.other ? "two" : "one";
        if (++places.sizes[key] == 1) places.lines.push_back(lines);
        if (trace::isRemark(finding.kind))
            remarks.insert(key);
        else if (!isStop)
            problems.insert(key);
    }
    places.problems = problems.size();
    for (const std::string& key : remarks)
        places.remarks += !problems.contains(key);
    return places;
}

// "3 problems and 1 warning: 1,537 cases, 1,000 of them listed".
std::string tallyText(const Places& places, bool english) {
    const auto several = [](u64 n, const char* one) {
        return fmt::format("{} {}{}", withCommas(n), one, n == 1 ? "" : "s");
    };
    const u64 all = places.listed + places.leftOut;
    if (places.problems + places.remarks == 0) return english ? "no findings" : "没有问题，也没有提示";
    std::string text;
    if (places.problems || !places.remarks)
        text = english ? several(places.problems, "problem") : withCommas(places.problems) + " 处问题";
    if (places.remarks) {
        if (!text.empty()) text += english ? " and " : "和 ";
        text += english ? several(places.remarks, "warning") : withCommas(places.remarks) + " 条提示";
    }
    if (all != places.problems + places.remarks)
        text += english ? ": " + several(all, "case") : fmt::format("：共 {} 例", withCommas(all));
    if (places.leftOut)
        text += english ? fmt::format(", {} of them listed", withCommas(places.listed))
                        : fmt::format("，列出其中 {} 例", withCommas(places.listed));
    return text;
}

// The code below a finding, with the number of its line.
void Reader::findingsPicture() {
    for (const Said& number : picture_.texts) {
        if (number.isHover || number.face != viz::Face::Mono || number.text.empty() ||
            number.text.find_first_not_of("0123456789") != std::string::npos)
            continue;
        for (const Said& code : picture_.texts)
            if (!code.isHover && code.face == viz::Face::Mono && std::fabs(code.top - number.top) < 2 &&
                code.left > number.left + 8) {
                take(number);
                std::string text = code.text;
                if (text.ends_with("…")) text.resize(text.size() - std::string_view("…").size());
                if (!contains(squeezed(run_.sourceLine(u32(std::stoul(number.text)))), squeezed(text)))
                    fail(number, number.text, "the code beside it is of another line");
                break;
            }
    }
}

void Reader::tally(const Said& said, const Places& places) {
    const std::string text = tallyText(places, english());
    const std::size_t at = said.text.find(text);
    if (at == std::string::npos || (at + text.size() < said.text.size() &&
                                    says(said.text.substr(at + text.size(), 3), {",", ":", ";", "，", "："})))
        return fail(said, said.text, "it is: " + text);
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].begin >= at && (*tokens_)[i].end <= at + text.size()) done_[i] = true;
}

void Reader::findingsText(const Said& said) {
    const Places places = placesOf(run_);
    const auto v = [](u64 value) { return std::optional(f64(value)); };
    const u64 shown = u64(std::ranges::count_if(picture_.texts, [&](const Said& other) {
        const std::string form = formOf(other.text);
        return !other.isHover && (form == "line #" || form == "第 # 行");
    }));
    if (is("*# problem*", "*# 处问题*") || is("*# warning*", "*# 条提示*"))
        tally(said, places);
    else if (is("# more case* not listed.", "另有 # 例未列出。"))
        expectAll(said, {v(places.leftOut)});
    else if (is("# more case* at this place: *", "此处另有 # 例，涉及*") ||
             is("# more case* listed at this place: *", "列出的问题中，此处另有 # 例，涉及*")) {
        for (const auto& [key, size] : places.sizes)
            if (tokens_->front().value == f64(size - 1)) done_[0] = true;
        if (says(said.text, {"listed", "列出"}) != (places.leftOut > 0))
            fail(said, said.text, "whether some were left out");
    } else if (is("# more below: scroll*", "下面还有 # 处，请滚动*")) {
        // Behind the last one that is seen, whose lines are told; some may be above.
        const Said* last = nullptr;
        for (const Said& other : picture_.texts)
            if (!other.isHover && (formOf(other.text) == "line #" || formOf(other.text) == "第 # 行"))
                last = &other;
        std::set<std::string> lines;
        for (const Token& token : last ? tokensOf(last->hover) : std::vector<Token>())
            if (token.noun == "line") lines.insert(fmt::format("line {}", token.value));
        const u64 below = u64(tokens_->front().value), all = places.lines.size();
        done_[0] = true;
        if (shown + below > all || places.lines[all - 1 - below] != lines)
            fail(said, written(tokens_->front()), fmt::format("{} of {} places are seen", shown, all));
    } else if (is("line #", "第 # 行"))
        for (const trace::Finding& finding : run_.run().recording.findings)
            for (u32 line : run_.linesNear(finding.who.pc))
                if (f64(line) == tokens_->front().value) done_[0] = true;
}

}  // namespace lockstep::witness
