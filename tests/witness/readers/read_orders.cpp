// The view of orders: counts are added up once more from the results of the search, and what is said of the
// accesses that race is held against all that either log has of their address.
#include "viz/orders_on_show.h"
#include "witness/readers/reader.h"
#include "witness/record/order_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {
namespace {

using trace::AccessKind;
using Numbers = std::vector<f64>;

// The numbers of a token: of an element none, since that is held against the address.
Numbers numbersOf(const Token& token) {
    if (token.kind == Token::Kind::Element) return {};
    if (token.kind != Token::Kind::Pair) return {token.value};
    Numbers numbers;
    for (const s64 index : token.indices)
        numbers.push_back(f64(index));
    return numbers;
}

bool isAbout(const Token& token, f64 value) {
    const f64 step = std::pow(10, -f64(token.decimals)) * std::max(token.scale, 1.0);
    return std::abs(token.value - value) <= 0.501 * step + 1e-6 * std::abs(value);
}

// All tokens, once each: names as they are, the rest for values, of which those without digits have none.
bool isTold(const std::vector<const Token*>& tokens, const OrderNumbers& numbers) {
    std::vector<const Token*> left;
    Numbers names = numbers.names;
    for (const Token* token : tokens) {
        const Numbers own = numbersOf(*token);
        const bool areNames = std::ranges::all_of(own, [&](f64 value) {
            return std::ranges::count(own, value) <= std::ranges::count(names, value);
        });
        if (!areNames) {
            left.push_back(token);
            continue;
        }
        for (const f64 value : own)
            names.erase(std::ranges::find(names, value));
    }
    if (!names.empty()) return false;
    for (const f64 value : numbers.values) {
        if (!std::isfinite(value)) continue;
        const auto told =
            std::ranges::find_if(left, [&](const Token* token) { return isAbout(*token, value); });
        if (told == left.end()) return false;
        left.erase(told);
    }
    return left.empty();
}

// A value may be a name, too: the values first.
bool isToldInAnyTurn(const std::vector<const Token*>& tokens, const OrderNumbers& numbers) {
    if (isTold(tokens, numbers)) return true;
    std::vector<const Token*> reversed(tokens.rbegin(), tokens.rend());
    return isTold(reversed, numbers);
}

bool isAmong(const std::vector<const Token*>& tokens, const std::vector<OrderNumbers>& all) {
    return std::ranges::any_of(all, [&](const OrderNumbers& one) { return isToldInAnyTurn(tokens, one); });
}

// What stands in the name of an order, as a list of numbers: "priorities are drawn, and lowered 3 times; lane
// 5 of each warp apart".
Numbers numbersOf(const simt::Order& order, const RunFacts& run) {
    using simt::Order;
    Numbers numbers;
    if (order.turns == Order::Turns::Priorities) numbers.push_back(order.changes);
    if (order.delayed != kNoPc) numbers.push_back(run.lineOf(order.delayed));
    if (order.parts == Order::Parts::OneLane) numbers.push_back(order.lane);
    return numbers;
}

std::optional<AccessKind> kindTold(std::string_view text) {
    if (says(text, {" reads ", "读取"})) return AccessKind::Load;
    if (says(text, {" writes ", "写入"})) return AccessKind::Store;
    if (says(text, {" updates ", "更新"})) return AccessKind::Atomic;
    return std::nullopt;
}

bool isKind(AccessKind kind, AccessKind told) {
    return kind == told || (told == AccessKind::Atomic && kind == AccessKind::Reduction);
}

// "P[0][1]: 12 instead of 10", unlike the sentence of where the runs part.
bool isOfElements(std::string_view text) {
    return says(text, {" instead of ", "，而不是 "}) && !text.ends_with('.') && !text.ends_with("。");
}

OrderFacts::Said wordsOf(std::string_view text) {
    using Said = OrderFacts::Said;
    if (says(text, {" stays instead of ", "留下的是"})) return Said::LastStore;
    if (says(text, {" did last in the recorded order", "最后写它的是"})) return Said::OtherWins;
    if (says(text, {", not before: ", "而不是之前"})) return Said::After;
    if (says(text, {" before ", "之前"})) return Said::Before;
    return Said::Plain;
}

// Of the results, the hidden ones: the recorded one is always first, the others by how often.
u64 sumOfRarest(const run::OrderSearch& search, std::size_t count) {
    std::vector<u64> counts;
    for (std::size_t i = 1; i < search.results.size(); ++i)
        counts.push_back(search.results[i].count);
    std::ranges::sort(counts);
    u64 sum = 0;
    for (std::size_t i = 0; i < count && i < counts.size(); ++i)
        sum += counts[i];
    return sum;
}

bool hasCount(const run::OrderSearch& search, std::string_view name, f64 count) {
    for (const run::OrderResult& result : search.results) {
        const bool isRecorded = &result == search.results.data();
        const auto begins = [&](std::string_view english, std::string_view chinese) {
            return name.starts_with(english) || name.starts_with(chinese);
        };
        if (f64(result.count) != count) continue;
        if (!result.ended ? !begins("does not end", "不会结束")
            : isRecorded  ? !begins("recorded result", "所记录的结果")
                          : !begins("another result", "另一种结果"))
            continue;
        if (result.ended && result.correct &&
            *result.correct != (name.ends_with("right") || name.ends_with("正确")))
            continue;
        return true;
    }
    return false;
}

}  // namespace

// Sums of the search: "3 of 1,000 orders changed the result", "100 orders, 4 results", the counts of results.
bool Reader::orderCounts(const Said& said, const run::OrderSearch& search) {
    u64 tried = 0, changed = 0;
    for (const run::OrderResult& result : search.results)
        tried += result.count, changed += result.changed ? result.count : 0;
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
        return true;
    };
    const auto number = [&](std::size_t i) { return i < tokens_->size() ? (*tokens_)[i].value : -1; };
    const std::size_t second = english() ? 1 : 0;  // Chinese says the whole before the part
    if (is("# of # order* changed the result.", "# 种执行顺序中有 # 种改变了结果。"))
        return all(number(1 - second) == f64(changed) && number(second) == f64(tried), "other orders did");
    if (is("None of # order* changed the result*", "# 种执行顺序都没有改变结果*"))
        return all(number(0) == f64(tried) && changed == 0, "some did, or others were tried");
    if (is("*# order*, # result*", "*# 种执行顺序，# 种结果")) {
        // Of a head the end; in front of it stand the kernel and its parameters.
        const std::size_t last = tokens_->size() - 1;
        done_[last - 1] = done_[last] = true;
        if (number(last - 1) != f64(tried) || number(last) != f64(search.results.size()))
            fail(said, said.text, "they are others");
        return last == 1;
    }
    if (is("Results of # order* of #", "# 种执行顺序中已试 # 种的结果"))
        return all(number(1 - second) == f64(tried) && number(second) == f64(search.wanted),
                   "they are others");
    if (is("Results of # order*", "# 种执行顺序的结果"))
        return all(number(0) == f64(tried) && tried == search.wanted, "other orders were tried");
    if (is("# more result*: # order*", "另有 # 种结果：# 种顺序")) {
        const std::size_t hidden = std::size_t(std::max(0.0, number(0)));
        return all(hidden < search.results.size() && number(1) == f64(sumOfRarest(search, hidden)),
                   "the rarest results have other counts");
    }
    if (is("Of launch # *", "启动 #：*")) {
        Numbers wanted, told;
        for (const auto& [launch, blocks] : search.chosen)
            wanted.push_back(launch), wanted.push_back(f64(blocks.size()));
        for (const Token& token : *tokens_)
            told.push_back(token.value);
        return all(told == wanted, "other blocks were run in other orders");
    }
    return false;
}

// A number alone: how many orders led to a result, in the row of its name; how many can be tried; a line, or
// a warp above its column.
bool Reader::orderFigure(const Said& said, const run::OrderSearch& search) {
    if (said.isHover || said.isSentence || said.isCaption || !is("#", "#")) return false;
    const f64 value = tokens_->front().value;
    done_[0] = true;
    if (!said.hover.empty()) {
        if (!inHover(said, tokens_->front())) fail(said, said.text, "the mouse is told another number there");
        return true;
    }
    const Said* name = nullptr;
    for (const Said& other : picture_.texts)
        if (!other.isHover && !other.isSentence && !other.isCaption && &other != &said &&
            std::abs(other.top - said.top) < 3 && other.left < said.left &&
            (!name || other.left > name->left))
            name = &other;
    if (name && says(name->text, {"result", "does not end", "结果", "不会结束"})) {
        if (!hasCount(search, name->text, value)) fail(said, said.text, "no such result has so many orders");
        return true;
    }
    const bool isWarp = search.bad && search.bad->parting && [&] {
        const OrderFacts facts(*search.bad, run_);
        for (const bool isChanged : {false, true})
            for (const LoggedTurn& turn : facts.side(isChanged).turns)
                if (turn.warp == value) return true;
        return false;
    }();
    if (!isWarp) fail(said, said.text, "no warp that has a turn");
    return true;
}

// A row of one of the orders: how many accesses of which warp, its lines, and of one that races the words.
void Reader::orderTurn(const Said& said, const OrderFacts& facts) {
    // Line by line: the turn, the lines of code, the access, where a click leads.
    std::vector<std::vector<const Token*>> lines(1);
    std::vector<std::string_view> texts;
    for (std::size_t from = 0; from <= text_.size();) {
        const std::size_t end = std::min(text_.find('\n', from), text_.size());
        texts.push_back(std::string_view(text_).substr(from, end - from));
        from = end + 1;
    }
    lines.resize(texts.size());
    for (const Token& token : *tokens_) {
        std::size_t line = 0;
        while (line + 1 < texts.size() && token.begin >= std::size_t(texts[line + 1].data() - text_.data()))
            ++line;
        lines[line].push_back(&token);
    }
    if (texts.back().starts_with("Go to step ") || texts.back().starts_with("跳到第 ")) {
        if (!said.leadsTo || lines.back().size() != 1 ||
            lines.back()[0]->value != f64(said.leadsTo->step + 1))
            fail(said, texts.back(), "a click leads elsewhere");
        texts.pop_back(), lines.pop_back();
    }
    bool isThere = false;
    for (const bool isChanged : {false, true})
        for (const LoggedTurn& turn : facts.side(isChanged).turns) {
            OrderNumbers head{facts.coordinates(turn.block, facts.launch().grid), {}};
            head.names.push_back(turn.warp), head.names.push_back(f64(turn.accesses));
            if (!isTold(lines[0], head)) continue;
            OrderNumbers code{{f64(turn.firstLine)}, {}};
            if (turn.lastLine > turn.firstLine) code.names.push_back(turn.lastLine);
            if (lines.size() > 1 && !isTold(lines[1], code)) continue;
            if (lines.size() < 3) {
                isThere = true;
                continue;
            }
            const std::optional<AccessKind> kind = kindTold(texts[2]);
            for (const LaneTouch& touch : facts.side(isChanged).touches) {
                if (!turn.isRacing || touch.at != turn.first || !kind || !isKind(touch.kind, *kind)) continue;
                OrderNumbers own = facts.numbersOf(touch, false);
                own.values = touch.values;
                isThere = isThere || isToldInAnyTurn(lines[2], own);
            }
        }
    done_.assign(tokens_->size(), true);
    if (!isThere) fail(said, said.text, "neither log has such a turn");
}

void Reader::ordersText(const Said& said) {
    if (!picture_.orders || !picture_.orders->search || tokens_->empty()) return;
    const run::OrderSearch& search = *picture_.orders->search;
    // The sentence, cut where it has no room: the whole one is read, too.
    constexpr std::string_view kDots = "…";
    if (!said.isHover && text_.ends_with(kDots)) {
        const std::string_view begins =
            std::string_view(said.text).substr(0, said.text.size() - kDots.size());
        if (std::ranges::any_of(picture_.texts, [&](const Said& other) {
                return other.isSentence && other.text.starts_with(begins);
            }))
            return done_.assign(tokens_->size(), true);
    }
    if (orderCounts(said, search) || orderFigure(said, search) || !search.bad) return;
    const run::BadOrder& bad = *search.bad;
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
    };
    std::vector<const Token*> tokens;
    for (const Token& token : *tokens_)
        tokens.push_back(&token);
    const auto own = [&] {
        Numbers numbers = numbersOf(bad.order, run_);
        numbers.push_back(bad.number);
        return OrderNumbers{numbers, {}};
    };
    u32 first = ~0u;
    for (const run::OrderResult& result : search.results)
        if (result.changed) first = std::min(first, result.first);
    if (is("Order # *", "顺序 # *") || is("Order #: *", "顺序 #：*"))
        return all(isTold(tokens, own()) && first == bad.number,
                   "the first order that changes it is another");
    if (is("# more element* changed", "另有 # 个元素改变"))
        return all(tokens[0]->value == f64(bad.changedElements) - f64(elementsShown()), "others changed");
    if (!said.isHover && isOfElements(text_)) return changedElements(said, bad);
    if (!bad.parting) return;
    const OrderFacts facts(bad, run_);
    for (const Token* token : tokens)
        if (token->kind == Token::Kind::Element && !facts.isElement(token->name, token->indices))
            fail(said, written(*token), "the accesses that race are to another element");
    if (said.isHover && tokens.size() >= 3 && says(text_, {" in a row.", "：连续 "}))
        return orderTurn(said, facts);
    // As the picture's sentence, or below it.
    if (text_.ends_with('.') || text_.ends_with("。"))
        return all(isAmong(tokens, facts.partings(wordsOf(text_))), "the runs do not part so");
    if (says(text_, {"hread "}) || text_.starts_with("线程 ")) {
        const std::optional<AccessKind> kind = kindTold(text_);
        const bool isChanged = isOfChangedOrder(said);
        std::vector<OrderNumbers> known;
        if (kind) known = facts.accesses(isChanged, *kind);
        if (kind == AccessKind::Atomic)
            for (OrderNumbers& one : facts.accesses(isChanged, AccessKind::Reduction))
                known.push_back(std::move(one));
        return all(isAmong(tokens, known), "this order has no such access");
    }
    orderRest(said, facts);
}

// It stands below the title of the changed order, to the right of the recorded one.
bool Reader::isOfChangedOrder(const Said& said) const {
    const auto title = std::ranges::find_if(picture_.texts, [](const Said& other) {
        return !other.isHover && !other.isSentence && !other.isCaption &&
               (other.text.starts_with("Order ") || other.text.starts_with("顺序 "));
    });
    return title != picture_.texts.end() && said.left > title->left - 12;
}

// "P[0][1]: 12 instead of 10", for some elements, and how many more there are: what is recorded is read from
// the buffer at the end.
void Reader::changedElements(const Said& said, const run::BadOrder& bad) {
    done_.assign(tokens_->size(), true);
    std::size_t at = 0;
    for (; at + 2 < tokens_->size() && (*tokens_)[at].kind == Token::Kind::Element; at += 3) {
        const Token& element = (*tokens_)[at];
        const Array* const array = run_.array(element.name, cursor_.launch);
        const std::optional<u64> address = array ? run_.addressOf(*array, element.indices) : std::nullopt;
        const std::optional<f64> recorded = address ? run_.final(*array, *address) : std::nullopt;
        const bool isThere = recorded && isAbout((*tokens_)[at + 2], *recorded) &&
                             std::ranges::any_of(bad.elements, [&](const run::ChangedElement& e) {
                                 return e.buffer == element.name &&
                                        array->address + e.index * array->elementBytes == *address &&
                                        isAbout((*tokens_)[at + 1], e.changed) && e.changed != *recorded;
                             });
        if (!isThere) fail(said, written(element), "this element does not differ so");
    }
    if (at == tokens_->size()) return;
    if (at + 1 != tokens_->size() || (*tokens_)[at].value != f64(bad.changedElements) - f64(elementsShown()))
        fail(said, said.text, "others changed");
}

// Elements whose values stand in the picture, in one text or in several.
std::size_t Reader::elementsShown() const {
    std::size_t shown = 0;
    for (const Said& said : picture_.texts)
        if (!said.isHover && isOfElements(said.text))
            shown += std::size_t(std::ranges::count(tokensOf(said.text), Token::Kind::Element, &Token::kind));
    return shown;
}

// Heads of columns, and what was left out.
void Reader::orderRest(const Said& said, const OrderFacts& facts) {
    const f64 value = tokens_->front().value;
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
    };
    const auto hasTurn = [&](auto&& isIt) {
        for (const bool isChanged : {false, true})
            if (std::ranges::any_of(facts.side(isChanged).turns, isIt)) return true;
        return false;
    };
    if (is("warp #", "线程束 #"))
        return all(hasTurn([&](const LoggedTurn& turn) { return turn.warp == value; }), "it has no turn");
    if (text_.starts_with("block ") || text_.starts_with("线程块 ") || text_.starts_with("x")) {
        std::vector<const Token*> tokens;
        for (const Token& token : *tokens_)
            tokens.push_back(&token);
        return all(hasTurn([&](const LoggedTurn& turn) {
                       return isTold(tokens, {facts.coordinates(turn.block, facts.launch().grid), {}});
                   }),
                   "it has no turn");
    }
    const std::vector<LoggedTurn>& turns = facts.side(isOfChangedOrder(said)).turns;
    if (is("# turn* of other warps", "其他线程束的 # 个轮次"))
        return all(value < f64(turns.size()), "there are not so many turns");
    if (is("# earlier turn*", "此前的 # 个轮次")) {
        // Those with a row, and those of warps without a column, are shown.
        std::size_t shown = 0;
        bool hasHovers = false;
        for (const Said& other : picture_.texts) {
            if (isOfChangedOrder(other) != isOfChangedOrder(said)) continue;
            const bool isRow = other.isHover && says(other.text, {" in a row.", "：连续 "});
            hasHovers |= isRow, shown += isRow;
            if (!other.isHover && says(other.text, {" of other warps", "其他线程束的 "}))
                shown += std::size_t(tokensOf(other.text).front().value);
        }
        const f64 left = f64(turns.size()) - f64(shown);
        return all(hasHovers ? value == left : value <= left, "others of the turns are shown");
    }
    if (is("# more warp* not shown", "另有 # 个线程束未显示")) {
        const auto shown = std::ranges::count_if(picture_.texts, [&](const Said& other) {
            return !other.isHover && std::abs(other.top - said.top) < 3 &&
                   isOfChangedOrder(other) == isOfChangedOrder(said) &&
                   (other.text.starts_with("warp ") || other.text.starts_with("线程束 "));
        });
        return all(value == f64(facts.warps()) - f64(shown), "there are not so many warps");
    }
}

}  // namespace lockstep::witness
