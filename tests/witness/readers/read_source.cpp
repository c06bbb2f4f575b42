// The source view: lines of the .cu or of the PTX with their shares of what the grid costs, and the values of
// the lanes at the cursor.
#include "base/text/trimmed.h"
#include "viz/view_options.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind;

namespace {

constexpr f32 kFigureBehindHead =
    34;  // a share stands behind its bar, which begins where the column's head does

// "Line 9: ...", "第 9 行：...", perhaps below the line's code.
std::optional<u32> lineOfHover(std::string_view hover, bool english) {
    hover = hover.substr(hover.rfind('\n') + 1);
    const std::string_view before = english ? "Line " : "第 ", behind = english ? ": " : " 行：";
    if (!hover.starts_with(before)) return std::nullopt;
    std::size_t end = before.size();
    while (end < hover.size() && std::isdigit(u8(hover[end])))
        ++end;
    if (end == before.size() || !hover.substr(end).starts_with(behind)) return std::nullopt;
    return u32(std::stoul(std::string(hover.substr(before.size(), end - before.size()))));
}

bool isNumber(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}
constexpr std::array kCosts{&PcSums::sectors, &PcSums::wavefronts, &PcSums::executions};

}  // namespace

std::string shareOf(u64 part, u64 whole) {
    const u64 percent = whole ? (200 * part + whole) / (2 * whole) : 0;
    if (percent < 100 || part == whole) return percent ? std::to_string(percent) + "%" : "<1%";
    for (int decimals = 1;; ++decimals)  // not all of it: as many as say so
        if (std::string text = fmt::format("{:.{}f}%", 100.0 * f64(part) / f64(whole), decimals);
            !text.starts_with("100"))
            return text;
}

std::string_view withoutDots(std::string_view text) {
    constexpr std::string_view kDots = "…";
    if (text.starts_with(kDots)) text.remove_prefix(kDots.size());
    if (text.ends_with(kDots)) text.remove_suffix(kDots.size());
    return trimmed(text, kAllBlanks);
}

bool Reader::isPtx() const { return picture_.tab == viz::SourceTab::Ptx; }
const std::map<u32, PcSums>& Reader::costs() const { return isPtx() ? run_.ofPtxLine() : run_.ofLine(); }
std::string_view Reader::codeOf(u32 line) const {
    if (isPtx()) return run_.ptxLine(line);
    return run_.sourceOf(line);
}
// The tooltip names the line, or the PTX instruction there.
std::optional<u32> Reader::lineTold(std::string_view hover) const {
    if (const std::optional<u32> line = lineOfHover(hover, english())) return line;
    const std::string_view before = english() ? "Instruction " : "指令 ";
    hover = hover.substr(hover.rfind('\n') + 1);
    if (!isPtx() || !hover.starts_with(before)) return std::nullopt;
    const u32 pc = u32(std::atoi(hover.data() + before.size()));
    const ptx::Module& module = *run_.run().module;
    return pc < module.instructions.size() ? std::optional(module.instructions[pc].line) : std::nullopt;
}

// Numbers, shares and code of each line: the tooltip says which line it is.
void Reader::sourcePicture() {
    const std::array<std::optional<Head>, 3> heads{head({"sectors", "transactions", "扇区", "事务"}),
                                                   head({"wavefronts", "波前"}),
                                                   head({"instructions", "指令"})};
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isCaption || said.isSentence) continue;
        const std::optional<u32> line = lineTold(said.hover);
        if (!line || said.text.find_first_of("0123456789") == std::string::npos) continue;
        const auto found = costs().find(*line);
        const PcSums sums = found == costs().end() ? PcSums{} : found->second;
        const auto column = std::ranges::find_if(heads, [&](const std::optional<Head>& head) {
            return head && std::fabs(said.left - head->said->left - kFigureBehindHead) < 2;
        });
        if (said.text.ends_with('%') && column != heads.end()) {
            const auto cost = kCosts[std::size_t(column - heads.begin())];
            take(said);
            if (const std::string share = shareOf(sums.*cost, run_.total().*cost); said.text != share)
                fail(said, said.text, fmt::format("line {} has {}", *line, share));
        } else if (isNumber(said.text) && heads[0] && said.left < heads[0]->said->left) {
            take(said);
            if (said.text != std::to_string(*line))
                fail(said, said.text, fmt::format("it is line {}", *line));
        } else {
            rowTexts_.insert(&said);
            if (!contains(squeezed(codeOf(*line)), squeezed(withoutDots(said.text))))
                fail(said, said.text, fmt::format("it is no text of line {}", *line));
        }
    }
}

// "Line 9: 8 warp instructions, 4 sectors, ...": of that line in the grid.
void Reader::lineHover(const Said& said) {
    if (!said.isHover || picture_.view != "source") return;
    const std::optional<u32> named = lineOfHover(text_, english());
    if (!named) return;
    const u32 line = *named;
    const std::size_t from = text_.rfind('\n') + 1;  // npos + 1: 0
    std::size_t i = 0;
    for (; i < tokens_->size() && (*tokens_)[i].begin < from; ++i)
        done_[i] = true;
    if (from && withoutDots(text_.substr(0, from - 1)) != trimmed(codeOf(line), kAllBlanks))
        fail(said, text_, fmt::format("it is not the text of line {}", line));
    const auto found = costs().find(line);
    if (i < tokens_->size()) done_[i++] = true;
    const PcSums sums = found == costs().end() ? PcSums{} : found->second;
    if (i == tokens_->size() && sums.executions > 0)
        fail(said, text_, fmt::format("line {} has {} instructions", line, sums.executions));
    for (const u64 figure : {sums.executions, sums.sectors, sums.wavefronts, sums.divergent}) {
        if (i == tokens_->size()) break;
        const Token& token = (*tokens_)[i];
        done_[i++] = true;
        if (!agrees(token, f64(figure)))
            fail(said, written(token), fmt::format("line {} has {}", line, figure));
    }
}

void Reader::sourceText(const Said& said) {
    const bool isMost = is("most *: line*, #%*", "*最多：第 *") || is("most *: line*, <#%*", "-"),
               areMany = is("most *: # lines alike, *", "*最多：# 行并列，各 *");
    if (is("of # *, # wavefront* and # instruction* in the whole grid",
           "占整个网格 # 个*、# 个波前、# 条指令的比例"))
        expectAll(said,
                  {f64(run_.total().sectors), f64(run_.total().wavefronts), f64(run_.total().executions)});
    // "most sectors: line 8, 97%", "most sectors: lines 7 and 10, 50% each"
    if (isMost || areMany) {
        const auto cost = says(text_, {"wavefront", "波前"})     ? &PcSums::wavefronts
                          : says(text_, {"instruction", "指令"}) ? &PcSums::executions
                                                                 : &PcSums::sectors;
        u64 most = 0;
        std::vector<f64> lines;
        for (const auto& [line, sums] : costs())
            if (line && sums.*cost > 0 && sums.*cost >= most) {
                if (sums.*cost > most) lines.clear();
                most = sums.*cost, lines.push_back(line);
            }
        // The first two, and how many more there are.
        std::vector<std::optional<f64>> values(lines.begin(),
                                               lines.begin() + s64(std::min<std::size_t>(2, lines.size())));
        if (lines.size() > 2) values.emplace_back(f64(lines.size() - 2));
        if (areMany) values = {f64(lines.size())};
        const std::string share = shareOf(most, run_.total().*cost);
        if (!contains(text_, share)) fail(said, text_, "the share is " + share);
        values.emplace_back(std::atof(share.c_str() + (share[0] == '<')));
        if (values.size() != tokens_->size()) fail(said, text_, "another number of lines has as much");
        expectAll(said, values);
    }
    // "Cursor on line 7: for (int k = ..."
    if (is("Cursor on line #: *", "光标在第 # 行：*")) {
        expectAll(said, {f64(line_)});
        done_.assign(tokens_->size(), true);
        const std::string_view colon = english() ? ": " : "：";
        const std::string_view code =
            std::string_view(said.text).substr(said.text.find(colon) + colon.size());
        if (withoutDots(code) != trimmed(run_.sourceOf(line_), kAllBlanks) &&
            !(said.text.ends_with("…") && contains(run_.sourceOf(line_), withoutDots(code))))
            fail(said, code, fmt::format("it is not the text of line {}", line_));
    }
    // "f32 × 4": what the access at the cursor moves.
    if (access_ && (is("f# × #", "f# × #") || is("i# × #", "i# × #") || is("u# × #", "u# × #"))) {
        done_.assign(tokens_->size(), true);
        for (const Array& array : run_.arrays()) {
            if (run_.nameOf(access_->addresses[access_->active.lowest().value], access_->space)
                    .rfind(array.name + "[", 0) != 0)
                continue;
            const std::string wanted = fmt::format("{}{} × {}", array.type, 8 * array.componentBytes(),
                                                   access_->widthBytes / array.componentBytes());
            if (said.text != wanted) fail(said, said.text, "the access moves " + wanted);
        }
    }
}

// "Instruction 12: issued 8 times, 256 thread instructions.": of the PTX.
void Reader::ptxHover(const Said& said) {
    if (!said.isHover ||
        !is("*nstruction #: issued # time*, # thread instruction*", "*指令 #：发射 # 次，共 # 条线程指令。"))
        return;
    std::size_t i = 0;
    const std::size_t from = text_.rfind('\n') + 1;
    for (; i < tokens_->size() && (*tokens_)[i].begin < from; ++i)
        done_[i] = true;
    if (i + 3 > tokens_->size()) return;
    const Pc pc{u32((*tokens_)[i].value)};
    const ptx::Module& module = *run_.run().module;
    if (pc.value >= module.instructions.size())
        return fail(said, written((*tokens_)[i]), "there is no such instruction");
    const auto sumsOf = [&](u32 at) {
        const auto found = run_.ofPc().find(at);
        return found == run_.ofPc().end() ? PcSums{} : found->second;
    };
    const bool isBranch = module.at(pc).form.starts_with("bra") && module.at(pc).guard.present;
    const u64 lanes = isBranch ? run_.lanesComingTo(pc) : sumsOf(pc.value).activeLanes;
    for (const f64 figure : {f64(pc.value), f64(sumsOf(pc.value).executions), f64(lanes)}) {
        const Token& token = (*tokens_)[i];
        done_[i++] = true;
        if (token.value != figure) fail(said, written(token), fmt::format("it is {}", figure));
    }
}

// "atomicAdd on counts[3] with operand 1; old value 4, new value 5.", "...; the old value is not used."
void Reader::atomicLane(const Said& said) {
    if (!is("Lane #, thread *: atomic* on *", "通道 #，线程 *：对 * 执行 atomic*")) return;
    const Token* lane = firstId("lane");
    const auto element = std::ranges::find(*tokens_, Kind::Element, &Token::kind);
    if (!lane || element == tokens_->end() || lane->value > 31) return;
    const Array* array = run_.array(element->name, cursor_.launch);
    const Lane of{u32(lane->value)};
    // Of the access at the cursor; where the view leads to another, of one that is near.
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    std::vector<u32> steps = nearestAccesses();
    if (access_) steps.insert(steps.begin(), cursor_.step);
    if (const std::optional<u32> strip = picture_.view == "stage" ? stripStep() : std::nullopt;
        strip && warp.steps[*strip].access != trace::Step::kNone)
        steps.insert(steps.begin(), *strip);
    const auto step = std::ranges::find_if(steps, [&](u32 s) {
        const trace::StoredAccess& stored = warp.accesses[warp.steps[s].access];
        return array && stored.space == array->space && stored.active.has(of) &&
               run_.addressOf(*array, element->indices) == warp.address(stored, of);
    });
    if (step == steps.end()) return fail(said, written(*element), "the lane accesses something else");
    const trace::StoredAccess& stored = warp.accesses[warp.steps[*step].access];
    const f64 recorded = block_.read(*array, warp.value(stored, of).data());
    const bool isUnused = stored.kind == AccessKind::Reduction;
    if (isUnused != says(said.text, {"unused", "不取返回值"}))
        fail(said, text_, "the old value is used, or is not");
    // The figures behind the element: operand, old value, new value; a reduction is recorded with its
    // operand.
    std::vector<const Token*> figures;
    for (const Token& token : *tokens_)
        if (token.kind != Kind::Element && token.kind != Kind::Pair && token.begin > lane->end &&
            token.noun != "thread" && &token != lane)
            figures.push_back(&token);
    std::ranges::for_each(figures, [&](const Token* token) { mark(*token); });
    if (isUnused && figures.size() == 1 && !agrees(*figures[0], recorded))
        fail(said, written(*figures[0]), fmt::format("the operand is {}", recorded));
    if (isUnused || figures.size() < 2) return;
    if (!agrees(*figures[figures.size() - 2], recorded))
        fail(said, written(*figures[1]), fmt::format("the old value is {}", recorded));
    if (figures.size() == 3 && contains(text_, "atomicAdd") &&
        !agrees(*figures[2], figures[0]->value + figures[1]->value))
        fail(said, written(*figures[2]), "the new value is the sum of the two");
}

}  // namespace lockstep::witness
