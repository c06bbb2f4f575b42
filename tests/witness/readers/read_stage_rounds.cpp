// The stage of reductions and scans: what is added in each round, by whom, and what it comes to.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;

const Rounds* Reader::allRounds() {
    if (!roundsKnown_) {
        roundsKnown_ = true;
        const Array* shared = nullptr;
        for (const Array& array : run_.arrays())
            if (!shared && array.space == trace::Space::Shared) shared = &array;
        const bool isScan = run_.run().catalog->family->stage == "scan";
        if (shared) rounds_ = roundsOf(block_, *shared, isScan);
        if (!isScan) takeThreadRounds();
    }
    return rounds_ ? &*rounds_ : nullptr;
}

// From nought: the first that is not over, once what is there at the start is stored. Over for a warp is what
// is done in an interval once it has passed the barrier behind it.
std::optional<u32> Reader::roundNow() {
    const Rounds* all = allRounds();
    if (all && all->isByThread) return roundOfThreads();
    if (!all || std::ranges::any_of(all->starts, [&](u32 at) { return at >= order(); })) return std::nullopt;
    const u32 own = block_.phaseOf(cursor_.warp.value, cursor_.step);
    const auto isBefore = [&](u32 phase) {
        return own <= phase && own < traceOf(cursor_.warp.value).barrierSteps.size();
    };
    std::vector<u32> phases(all->rounds.size(), 0);
    for (u32 r = 0; r < all->rounds.size(); ++r)
        for (const Rounds::Addition& addition : all->rounds[r])
            phases[r] = std::max(phases[r], block_.phaseOf(addition.warp, addition.step));
    if (!all->starts.empty() && phases.front() != all->startPhase && isBefore(all->startPhase))
        return std::nullopt;
    for (u32 r = 0; r < all->rounds.size(); ++r) {
        for (const Rounds::Addition& addition : all->rounds[r])
            if (addition.order >= order()) return r;
        if ((r + 1 == all->rounds.size() || phases[r + 1] > phases[r]) && isBefore(phases[r])) return r;
    }
    return std::nullopt;
}

namespace {

std::set<u32> lanesThatAdd(const std::vector<Rounds::Addition>& round, std::optional<u32> warp) {
    std::set<u32> lanes;
    for (const Rounds::Addition& a : round)
        if (!warp || a.warp == *warp) lanes.insert(a.warp * 32 + a.lane);
    return lanes;
}

}  // namespace

void Reader::roundText(const Said& said) {
    const Rounds* all = allRounds();
    if (!all || tokens_->empty() || threadText(said)) return;
    if (is("a line every # element*", "每 # 个元素一条线")) return expectAll(said, {32.0});
    if (is("all # elements", "全部 # 个元素")) return expectAll(said, {f64(all->places)});
    if (text_.starts_with("+ ") && contains(text_, "[i")) {  // "+ sdata[i+64]", of the cursor's warp
        const std::optional<u32> now = roundNow();
        std::set<s64> strides;
        if (now)
            for (const Rounds::Addition& a : all->rounds[*now])
                for (const Rounds::Operand& operand : a.of)
                    if (a.warp == cursor_.warp.value && all->columnOf(operand.place) != all->columnOf(a.to))
                        strides.insert(s64(all->columnOf(operand.place)) - s64(all->columnOf(a.to)));
        const s64 sign = contains(text_, "[i-") ? -1 : 1;
        done_.back() = true;
        if (strides.size() != 1 || *strides.begin() != sign * s64(std::fabs(tokens_->back().value)))
            fail(said, said.text, "it stands elsewhere");
        return;
    }
    // Of a warp's additions those without room: all less those that the mouse is told are shown.
    if (is("# more", "另有 # 个")) {
        std::vector<f64> told;
        for (const Token& token : tokensOf(said.hover))
            if (told.size() < 2) told.push_back(token.value);
        if (told.size() == 2) return expectAll(said, {std::fabs(told[1] - told[0])});
    }
    // "15 of 16 rounds shown", above their names.
    if (is("# of # round* shown", "显示 # 轮中的 # 轮")) {
        f64 shown = 0;
        for (const Said& name : picture_.texts)
            shown += !name.isHover && std::fabs(name.left - said.left) < 1 && name.top > said.top &&
                     (name.text.starts_with("round ") || name.text.starts_with("第 ") ||
                      formOf(name.text).starts_with("#/#"));
        const f64 count = all->count();
        return english() ? expectAll(said, {shown, count}) : expectAll(said, {count, shown});
    }
    if (is("Not drawn: # more round*", "未画出：之后还有 # 轮*")) {
        u32 last = 0, shuffles = 0;
        for (const Rounds::Addition& a : all->rounds.back())
            last = std::max(last, a.order);
        for (u32 w = 0; w < block_.block().warps.size(); ++w) {
            u32 here = 0;
            for (const trace::Step& step : traceOf(w).steps)
                here += step.order > last && !step.active.empty() &&
                        run_.run().module->at(step.pc).form.starts_with("shfl");
            shuffles = std::max(shuffles, here);
        }
        return expectAll(said, {f64(all->inRegisters ? all->inRegisters : shuffles)});
    }
    // Of a row that only sets a place: below its name, and of a warp.
    u64 setting = 0;
    for (u32 r = 0; r < all->rounds.size(); ++r)
        if (!all->adds(r)) setting = lanesThatAdd(all->rounds[r], {}).size();
    if (is("# of # set* it", "#/# 个线程写入")) {
        const f64 threads = f64(block_.block().threads);
        return expectAll(said, {f64(setting), threads});
    }
    if (said.isHover && (is("# of # lane* of warp # set* *", "线程束 # 的 # 个通道中有 # 个执行 *") ||
                         is("# of # lane* of warp # load* a value from shared memory.",
                            "线程束 # 的 # 个通道中有 # 个从共享内存读取值。"))) {
        const u32 w = u32((*tokens_)[english() ? 2 : 0].value);
        f64 here = 0;
        for (u32 r = 0; r < all->rounds.size(); ++r)
            if (!all->adds(r)) here = f64(lanesThatAdd(all->rounds[r], w).size());
        const f64 lanes = w < block_.block().warps.size() ? f64(block_.lanesOf(w)) : -1;
        expectAll(said, english() ? std::vector<std::optional<f64>>{here, lanes, f64(w)}
                                  : std::vector<std::optional<f64>>{f64(w), lanes, here});
        done_.assign(done_.size(), true);
        return;
    }
    if (is("# of # add*", "#/# 个线程做加法*") || is("# of # combine*", "#/# 个线程做合并*") ||
        is("# add*, # cop*", "加法 #，复制 #")) {  // below the name of its round
        for (const Said& name : picture_.texts) {
            if (name.isHover || std::fabs(name.left - said.left) > 1 || name.top >= said.top ||
                said.top - name.top > 16)
                continue;
            const std::vector<Token> tokens = tokensOf(name.text);
            const u32 r = tokens.empty() || tokens.front().kind == Kind::Element
                              ? ~0u
                              : all->numbered(tokens.front().value);
            if (r >= all->rounds.size()) continue;
            const f64 adding = f64(lanesThatAdd(all->rounds[r], {}).size()),
                      threads = f64(block_.block().threads);
            const bool areCopies = all->isScan && !all->copies[r].empty();
            if (areCopies) return expectAll(said, {adding, f64(lanesThatAdd(all->copies[r], {}).size())});
            const f64 used = f64(std::ranges::count(all->rounds[r], true, &Rounds::Addition::isUsed));
            if ((tokens_->size() == 3) != (used < adding)) fail(said, said.text, "how many sums are used");
            return tokens_->size() == 3 ? expectAll(said, {adding, threads, used})
                                        : expectAll(said, {adding, threads});
        }
        return;
    }
    if (!said.isHover && tokens_->size() == 1) standingText(said);
    additionText(said);
    // "sdata[0] = 2 at the start.": the last that is stored there before anything is added.
    if (is("*[#] = # at the start.", "开始时，*[#] = #。") && said.isHover) {
        const std::optional<Place> place = placeOf(tokens_->front());
        if (!place) return;
        const u64 at = all->columnOf((place->address - all->array->address) / all->array->elementBytes);
        std::optional<f64> stands;
        for (const auto& [where, stored] : all->stores)
            if (where.second == at && std::ranges::find(all->starts, where.first) != all->starts.end())
                stands = stored;
        done_[1] = true;
        if (!stands || !agrees(tokens_->back(), *stands))
            fail(said, written(tokens_->back()), "not what is stored");
        return;
    }
    // "tree[63] = 0", of a lane that stores what it has not read there.
    for (std::size_t i = 0; i + 1 < tokens_->size(); ++i) {
        const Token &element = (*tokens_)[i], &value = (*tokens_)[i + 1];
        if (element.kind != Kind::Element || element.name != all->array->name ||
            value.kind == Kind::Element || value.begin - element.end != 3 ||
            text_.compare(element.end, 3, " = ") != 0)
            continue;
        const bool isWhole = tokens_->size() == 2 && element.begin == 0,
                   isOfLane =
                       !said.isHover && i > 0 && says(text_, {"Lane ", "通道 "}) && i + 2 == tokens_->size();
        const std::optional<Place> place = placeOf(element);
        const bool isOfCaption = said.isCaption || contains(text_, " · " + all->array->name + "[");
        if ((!isWhole && !isOfLane && !isOfCaption) || !place) continue;
        const u64 number = (place->address - all->array->address) / all->array->elementBytes;
        if (!said.isHover && !isOfLane) mark(element);
        for (const auto& round : all->rounds)
            for (const Rounds::Addition& a : round)
                if (a.of.empty() && a.to == number && agrees(value, a.sum)) done_[i + 1] = true;
    }
    const Token* round = nullptr;
    for (const Token& token : *tokens_)
        if (token.noun == "round" && token.kind == Kind::Id && !round) round = &token;
    if (!said.isHover) roundSentence(said);
    // "Block 0 · round 1 · tree[11–37] of 256"
    if (const std::size_t part = text_.find("–");
        part != std::string::npos && contains(text_, all->array->name + "[")) {
        std::vector<const Token*> numbers;
        for (const Token& token : *tokens_)
            if (token.begin > text_.rfind(all->array->name + "[")) numbers.push_back(&token);
        if (numbers.size() == 3) {
            for (const Token* number : numbers)
                mark(*number);
            if (numbers[2]->value != f64(all->places) || numbers[1]->value >= f64(all->places) ||
                numbers[0]->value > numbers[1]->value)
                fail(said, said.text, fmt::format("the array has {} places", all->places));
        }
    }
    // "... · columns 11–37 of 2 × 128", "... · 2 × 128 的第 11–37 列"
    if (const std::size_t part = text_.find("–");
        part != std::string::npos && says(text_, {" · columns ", " 的第 "})) {
        const std::size_t from = english() ? text_.find(" · columns ") : text_.rfind(" · ");
        std::vector<const Token*> numbers;
        for (const Token& token : *tokens_)
            if (token.begin > from) numbers.push_back(&token);
        for (const Token* number : numbers)
            mark(*number);
        const std::size_t rows = english() ? 2 : 0, first = english() ? 0 : 2;
        if (numbers.size() != 4 || all->second == 0 || numbers[rows]->value != 2 ||
            numbers[rows + 1]->value != f64(all->places) || numbers[first + 1]->value >= f64(all->places) ||
            numbers[first]->value > numbers[first + 1]->value)
            fail(said, said.text, fmt::format("a row has {} columns", all->places));
    }
    if (!round) {
        if (!is("#/# *", "#/# *") || said.isHover) return;
        round = &tokens_->front();  // "1/13 · stride 1"
    }
    mark(*round);
    const u32 r = all->numbered(round->value);
    if (r >= all->rounds.size())
        return fail(said, written(*round), fmt::format("there are {} rounds", all->count()));
    const bool isNow = text_.starts_with("Warp ") || (!said.isHover && says(text_, {" idle", "个空闲"})) ||
                       (text_.starts_with("线程束 ") && !said.isHover) || contains(text_, " · round ") ||
                       contains(text_, " · 第 ") || said.isCaption || said.isSentence;
    const bool isName =
        text_.starts_with("round ") || (text_.starts_with("第 ") && !said.isHover) || is("#/# *", "#/# *");
    if (isNow && !isName && roundNow() != r) fail(said, written(*round), "not the round at the cursor");
    if (isName) {
        for (const Token& token : *tokens_) {
            if (&token == round || token.kind == Kind::Element) continue;
            const std::string_view before = std::string_view(text_).substr(0, token.begin);
            const std::string_view behind = std::string_view(text_).substr(token.end);
            const bool isStride = before.ends_with("stride ") || before.ends_with("步长 ") ||
                                  before.ends_with("offset ") || before.ends_with("偏移 "),
                       isDistance = behind.ends_with(" apart") || before.ends_with("相差 ");
            if (isStride || isDistance) {
                mark(token);
                const std::optional<u64> stride = all->strideOf(r);
                if (!stride || f64(*stride) != token.value) fail(said, written(token), "another stride");
                if (isDistance != all->isPadded())
                    fail(said, said.text, "a stride counts indices, a distance padded words");
            } else if (before.ends_with("of ") || before.ends_with("共 ") || before.ends_with("/")) {
                mark(token);
                if (token.value != f64(all->count()))
                    fail(said, written(token), fmt::format("{} rounds", all->count()));
            }
        }
        return;
    }
    // "sdata[0] = 2 after round 1."
    if (is("*[#] = # after round #.", "第 # 轮之后，*[#] = #。")) {
        const auto element = std::ranges::find(*tokens_, Kind::Element, &Token::kind);
        const std::optional<Place> place = element == tokens_->end() ? std::nullopt : placeOf(*element);
        const Token& value = (*tokens_)[english() ? 1 : 2];
        if (!place) return;
        mark(value);
        u32 last = 0;
        for (const Rounds::Addition& a : all->rounds[r])
            last = std::max(last, a.order);
        std::optional<f64> stands;
        const u64 at = all->columnOf((place->address - all->array->address) / all->array->elementBytes);
        for (const auto& [where, stored] : all->stores)
            if (where.first <= last && where.second == at) stands = stored;
        if (!stands || !agrees(value, *stands))
            fail(said, written(value),
                 stands ? fmt::format("{} stands there", *stands) : "nothing stands there");
        return;
    }
    // "Round 1: 16 of 32 lanes of warp 0 add, ...", "Round 6: none of the 32 lanes of warp 1 adds; ..."
    if (!said.isHover) return;
    const Token* warp = firstId("warp");
    if (!warp || warp->value >= f64(block_.block().warps.size())) return;
    const f64 adding = f64(lanesThatAdd(all->rounds[r], u32(warp->value)).size()),
              lanes = f64(block_.lanesOf(u32(warp->value)));
    // "... 16 of these sums are used; the others are not part of the result."
    const u64 used = u64(std::ranges::count_if(
        all->rounds[r], [&](const Rounds::Addition& a) { return a.warp == u32(warp->value) && a.isUsed; }));
    if (says(text_, {" of these sum", "个和被用到"})) {
        done_.back() = true;
        if (tokens_->back().value != f64(used)) fail(said, said.text, "other sums are used");
        if (f64(used) == adding) fail(said, said.text, "all of its sums are used");
    }
    const auto expectWith = [&](std::vector<std::optional<f64>> values) {
        if (says(text_, {" of these sum", "个和被用到"})) values.emplace_back();
        expectAll(said, values);
    };
    if (is("Round #: none of the # lane* of warp # adds; *", "第 # 轮：线程束 # 的 # 个通道都不做加法，*")) {
        if (adding != 0) fail(said, said.text, "some of its lanes add");
        return english() ? expectAll(said, {{}, lanes, {}}) : expectAll(said, {{}, {}, lanes});
    }
    if (is("Round #: * # lane* of warp # add*: the warp does not diverge.*",
           "第 # 轮：线程束 # 的 # 个通道都做加法，没有分化。*")) {
        if (adding != lanes) fail(said, said.text, "not all of its lanes add");
        return english() ? expectWith({{}, lanes, {}}) : expectWith({{}, {}, lanes});
    }
    if (is("Round #: # of # lane* of warp # add*", "第 # 轮：线程束 # 的 # 个通道中有 # 个做加法*")) {
        english() ? expectWith({{}, adding, lanes, {}}) : expectWith({{}, {}, lanes, adding});
        if (adding == lanes) fail(said, said.text, "all of its lanes add");
    }
}

// A number in a cell of a round's row, whose name stands left of it: what is there after the round.
void Reader::standingText(const Said& said) {
    const std::vector<Token> about = tokensOf(said.hover);
    if (about.empty() || about.front().kind != Kind::Element || contains(said.hover, "] = ") || done_[0])
        return;
    const Rounds* all = allRounds();
    const Array* array = run_.array(about.front().name, cursor_.launch);
    const std::optional<u64> address =
        array == all->array ? run_.addressOf(*array, about.front().indices) : std::nullopt;
    if (!address) return;
    const Said* name = nullptr;
    for (const Said& other : picture_.texts) {
        const std::vector<Token> tokens = tokensOf(other.text);
        const bool isName =
            !other.isHover && !tokens.empty() &&
            (other.text.starts_with("round ") || other.text.starts_with("第 ") || contains(other.text, "/") ||
             (tokens.size() == 2 && other.text.starts_with(all->array->name + "[") &&
              contains(other.text, "] = ")));
        if (isName && other.left < said.left && other.at.y < said.at.y + 12 &&
            (!name || other.at.y > name->at.y))
            name = &other;
    }
    u32 last = 0;
    if (name) {
        const Token front = tokensOf(name->text).front();
        u32 r = front.kind == Kind::Element ? 0 : all->numbered(front.value);
        while (front.kind == Kind::Element && r < all->rounds.size() && all->adds(r))
            ++r;
        if (r >= all->rounds.size()) return;
        for (const Rounds::Addition& a : all->rounds[r])
            last = std::max(last, a.order);
    } else
        for (u32 start : all->starts)
            last = std::max(last, start);
    std::optional<f64> stands;
    const u64 at = all->columnOf((*address - all->array->address) / all->array->elementBytes);
    for (const auto& [where, stored] : all->stores)
        if (where.first <= last && where.second == at) stands = stored;
    done_[0] = true;
    if (!stands || (!agrees(tokens_->front(), *stands) && !rounds(tokens_->front(), *stands)))
        fail(said, said.text, stands ? fmt::format("{} stands there", *stands) : "nothing stands there");
}

// "tree[47] = tree[47] + tree[31]: 6 = 4 + 2": of a lane's store in some round; in a sentence, of the
// cursor's lane.
void Reader::additionText(const Said& said) {
    const Rounds* all = allRounds();
    // How many there is no room for in the table of the cursor's warp.
    if (said.isHover &&
        is("# of this warp's # addition* have room here*", "线程束的 # 次加法中这里放得下 # 次*")) {
        const Token &shown = (*tokens_)[english() ? 0 : 1], &have = (*tokens_)[english() ? 1 : 0];
        mark(shown), mark(have);
        const bool isOfARound = std::ranges::any_of(all->rounds, [&](const auto& round) {
            return f64(std::ranges::count(round, cursor_.warp.value, &Rounds::Addition::warp)) == have.value;
        });
        if (!isOfARound || shown.value >= have.value)
            fail(said, written(have), "the warp has another number of additions in every round");
        return;
    }
    for (std::size_t i = 0; i + 2 < tokens_->size(); ++i) {
        const Token& result = (*tokens_)[i];
        if (result.kind != Kind::Element || result.name != all->array->name ||
            (*tokens_)[i + 1].kind != Kind::Element || text_.compare(result.end, 3, " = ") != 0)
            continue;
        std::vector<const Token*> names, values;
        std::size_t next = i + 1;
        while (next < tokens_->size() && (*tokens_)[next].kind == Kind::Element)
            names.push_back(&(*tokens_)[next++]);
        // "tree[15] = tree[31]: 0", "tree[15] = tree[31]，即 0": what is copied is said once.
        const auto stands = [&](std::size_t at, std::string_view what) {
            return text_.compare(at, what.size(), what) == 0;
        };
        const bool isCopied = names.size() == 1 && next < tokens_->size() &&
                              (stands(names[0]->end, ": ") || stands(names[0]->end, "，即 ")) &&
                              !stands((*tokens_)[next].end, " = ");
        for (u32 n = 0; n <= (isCopied ? 0 : names.size()) && next < tokens_->size(); ++n)
            values.push_back(&(*tokens_)[next++]);
        if (isCopied && !values.empty()) values.push_back(values.front());
        if (values.size() != names.size() + 1) return;
        for (const Token* value : values)
            mark(*value);
        const auto numberOf = [&](const Token& token) {
            const std::optional<Place> place = placeOf(token);
            return place ? (place->address - all->array->address) / all->array->elementBytes : ~u64{0};
        };
        const bool isOfCursor = !said.isHover && says(text_, {"Lane ", "通道 "});
        bool found = false;
        for (u32 r = 0; r < all->rounds.size() && !found; ++r) {
            std::vector<Rounds::Addition> made = all->rounds[r];
            if (r < all->copies.size()) made.insert(made.end(), all->copies[r].begin(), all->copies[r].end());
            for (const Rounds::Addition& a : made) {
                if (a.to != numberOf(result) || !agrees(*values[0], a.sum) || a.of.size() != names.size())
                    continue;
                if (said.leadsTo &&
                    (said.leadsTo->warp.value != a.warp || said.leadsTo->lane.value != a.lane))
                    continue;
                if (isOfCursor &&
                    (roundNow() != r || a.warp != cursor_.warp.value || a.lane != cursor_.lane.value))
                    continue;
                bool isAll = true;
                for (std::size_t n = 0; n < names.size(); ++n)
                    isAll = isAll && std::ranges::any_of(a.of, [&](const Rounds::Operand& operand) {
                                return operand.place == numberOf(*names[n]) &&
                                       agrees(*values[n + 1], operand.value);
                            });
                found = found || isAll;
            }
        }
        if (!found) fail(said, text_.substr(result.begin), "no such addition");
        return;
    }
}

// "Round 3: 32 threads add and 96 are idle; in 1 of 4 warps some lanes add and some do not. Only 16 of these
// sums are used: what the other 16 threads store is read later only by ..."
void Reader::roundSentence(const Said& said) {
    const Rounds* all = allRounds();
    const std::optional<u32> now = roundNow();
    const std::size_t begin =
        english() ? text_.find("Round ")
                  : text_.find("第 ", text_.rfind("轮：") == std::string::npos ? 0 : text_.rfind("轮：") - 8);
    if (!now || begin == std::string::npos || !says(text_, {" idle", "个空闲"})) return;
    const std::vector<Rounds::Addition>& round = all->rounds[*now];
    const u64 adding = lanesThatAdd(round, {}).size();
    u64 divided = 0;
    for (u32 w = 0; w < block_.block().warps.size(); ++w) {
        const u64 lanes = lanesThatAdd(round, w).size();
        divided += lanes > 0 && lanes < block_.lanesOf(w);
    }
    u64 working = adding;
    if (*now < all->copies.size()) working += lanesThatAdd(all->copies[*now], {}).size();
    f64 number = 0;
    for (u32 r = 0; r <= *now; ++r)
        number += all->adds(r);
    std::vector<f64> wanted{number, f64(adding), f64(block_.block().threads - working)};
    const f64 warps = f64(block_.block().warps.size());
    if (divided && f64(divided) == warps) {
        if (warps > 1) wanted.push_back(warps);
        if (says(text_, {"only warp diverges", "只有一个线程束", "唯一的线程束"}) != (warps == 1))
            fail(said, text_.substr(begin), "how many warps there are");
    } else if (divided)
        wanted.insert(wanted.end(), {english() ? f64(divided) : warps, english() ? warps : f64(divided)});
    const u64 used = u64(std::ranges::count(round, true, &Rounds::Addition::isUsed));
    if (used < round.size()) wanted.push_back(f64(used));
    if (used < round.size() && !all->isByThread) wanted.push_back(f64(round.size() - used));
    if (used < round.size() && !all->isByThread &&
        says(text_, {"is never read.", "再也不会被读取"}) != (*now + 1 == all->rounds.size()))
        fail(said, text_.substr(begin), "whether a later round reads what is not used");
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        if ((*tokens_)[i].begin >= begin) numbers.push_back(i);
    if (numbers.size() != wanted.size())
        return fail(said, text_.substr(begin),
                    fmt::format("{} numbers instead of {}", numbers.size(), wanted.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        done_[numbers[i]] = true;
        if ((*tokens_)[numbers[i]].value != wanted[i])
            fail(said, written((*tokens_)[numbers[i]]), fmt::format("it is {}", wanted[i]));
    }
}

}  // namespace lockstep::witness
