// Figures of two runs: the table, what changes from one to the other, and the sentences about it.
#include "model/metrics.h"
#include "witness/readers/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {
namespace {

std::set<f64> asNumbers(const std::set<u64>& amounts) { return {amounts.begin(), amounts.end()}; }
std::set<f64> quotients(const Amounts& amounts, std::string_view a, std::string_view b) {
    std::set<f64> values;
    const auto above = amounts.find(a), below = amounts.find(b);
    if (above == amounts.end() || below == amounts.end()) return values;
    for (const u64 x : above->second)
        for (const u64 y : below->second)
            if (y) values.insert(f64(x) / f64(y));
    return values;
}
f64 rightOf(const Said& said) { return 2 * said.at.x - said.left; }

}  // namespace

std::optional<CompareReader::Both> CompareReader::timeOfBoth() const {
    const auto timeOf = [&](const Side& side) -> std::optional<std::pair<std::string, RecordedTime>> {
        const auto times = recordedTimes(w_.world_, side.run());
        if (!times || !times->isTheRuns) return std::nullopt;
        const RecordedTime* own = times->of(side.run().catalog->variant);
        if (!own || !own->run || own->milliseconds <= 0) return std::nullopt;
        return std::pair{times->recording->device, *own};
    };
    const auto a = timeOf(a_), b = timeOf(b_);
    if (!a || !b || a->first != b->first) return std::nullopt;
    return Both{.a = {a->second.milliseconds},
                .b = {b->second.milliseconds},
                .isTime = true,
                .areUnlike = areUnlike(a->second, b->second)};
}

// What a row of the table is of.
// Of what nothing predicts: as one GPU has counted it for both.
std::optional<CompareReader::Both> CompareReader::measuredOfBoth(std::string_view metric) const {
    const std::optional<run::Measured>&a = a_.run().measured, &b = b_.run().measured;
    if (!a || !b || a->device != b->device) return std::nullopt;
    const auto inA = a->counters.find(std::string(metric)), inB = b->counters.find(std::string(metric));
    if (inA == a->counters.end() || inB == b->counters.end()) return std::nullopt;
    return Both{.a = {std::round(inA->second)}, .b = {std::round(inB->second)}};
}

// "5 more values differ", and under the mouse a line for each: "global load sectors: A 129, B 128 (...)".
bool CompareReader::leftOut(const Said& said) {
    const bool en = english();
    const auto listed = [&](const std::string& line) {
        return match(line, en ? "{what:text}: A {a:text}, B {b:text} ({change:text})"
                              : "{what:text}：A {a:text}，B {b:text}（{change:text}）");
    };
    std::vector<std::string> lines;
    const auto split = [&](const std::string& text) {
        lines = linesOf(text);
        return std::ranges::all_of(
            lines, [&](const std::string& line) { return !contains(line, "。") && listed(line); });
    };
    if (const auto count = is(said, "{n} more value* differ*", "另有 {n} 个数值不同")) {
        const auto isListed = [&](const std::string& text) {
            return !text.empty() && f64(std::ranges::count(text, '\n') + 1) == (*count)["n"];
        };
        const bool holds =
            isListed(said.hover) || std::ranges::any_of(picture_.texts, [&](const Said& other) {
                return other.isHover && split(other.text) && isListed(other.text);
            });
        return expect(said, holds, "n", "as many are not listed under the mouse"), true;
    }
    if (!said.isHover || !split(said.text)) return false;
    for (const std::string& line : lines) {
        const auto slots = listed(line);
        const auto figure = both(slots->text("what"));
        if (!figure) {
            fail(said, slots->text("what"), "a figure that is not known of both");
            continue;
        }
        expect(said, isValue(slots->text("a"), figure->a, *figure), slots->text("what"), "A has another");
        expect(said, isValue(slots->text("b"), figure->b, *figure), slots->text("what"), "B has another");
        const std::string why = wrongChange(slots->text("change"), *figure);
        expect(said, why.empty(), slots->text("what"), why);
    }
    return true;
}

std::optional<CompareReader::Both> CompareReader::both(std::string_view what) const {
    const bool en = english();
    const std::string grid = en ? "whole grid · " : "整个网格 · ";
    if (what.starts_with(grid)) what.remove_prefix(grid.size());
    const Amounts &a = a_.witness.amounts(), &b = b_.witness.amounts();
    for (const model::Metric& metric : model::metrics()) {
        if (what != metric.what.in(picture_.language)) continue;
        const auto inA = a.find(metric.key), inB = b.find(metric.key);
        if (inA == a.end() || inB == b.end()) return measuredOfBoth(metric.key);
        return Both{.a = asNumbers(inA->second), .b = asNumbers(inB->second)};
    }
    const std::string items = "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                      requests = "l1tex__t_requests_pipe_lsu_mem_global_op_";
    for (const auto& [english, chinese, above, below] :
         {std::tuple{"sectors per load request", "每个读取请求的扇区数", items + "ld", requests + "ld"},
          {"sectors per store request", "每个写入请求的扇区数", items + "st", requests + "st"},
          {"active lanes per warp instruction", "每条线程束指令的平均活动通道数",
           std::string("ptx__thread_inst_executed"), std::string("ptx__inst_executed")}})
        if (what == (en ? english : chinese))
            return Both{.a = quotients(a, above, below), .b = quotients(b, above, below)};
    if (what == (en ? "resident warps per SM" : "一个多处理器可驻留的线程束数")) {
        const auto warpsOf = [&](const Side& side) {
            const Reader::Occupied occupied = Reader(side.witness, side.picture).occupied();
            u64 blocks = ~u64{0};
            for (const auto& [limit, count] : occupied.limits)
                blocks = std::min(blocks, count);
            return std::set{f64(blocks * occupied.warpsOfBlock)};
        };
        return Both{.a = warpsOf(a_), .b = warpsOf(b_)};
    }
    const Places ofA = placesOf(a_.facts()), ofB = placesOf(b_.facts());
    const auto two = [](u64 x, u64 y) { return Both{.a = {f64(x)}, .b = {f64(y)}, .isProblems = true}; };
    if (what == (en ? "findings" : "问题数"))
        return two(ofA.problems + ofA.remarks, ofB.problems + ofB.remarks);
    if (what == (en ? "cases of findings" : "问题例数"))
        return two(ofA.listed + ofA.leftOut, ofB.listed + ofB.leftOut);
    const auto &one = *a_.run().catalog, &other = *b_.run().catalog;
    const std::string on(one.family->publishedOn.in(picture_.language));
    const std::string published = en ? "time published for " : "公布的用时：";
    if (what.starts_with(published) && !on.empty() && one.variant->published && other.variant->published &&
        (what.substr(published.size()) == on ||
         on.starts_with(std::string(what.substr(published.size())) + (en ? "," : "，")) ||
         what.ends_with("…")))
        return Both{.a = {one.variant->published->milliseconds},
                    .b = {other.variant->published->milliseconds},
                    .isTime = true};
    if (what.starts_with(en ? "time on an " : "在 "))
        if (const auto times = recordedTimes(w_.world_, a_.run());
            times && contains(what, times->recording->device))
            return timeOfBoth();
    return std::nullopt;
}

std::optional<f64> CompareReader::unitOf(std::string_view unit) {
    return unit == "ms"   ? std::optional(1.0)
           : unit == "µs" ? std::optional(1e-3)
           : unit == "ns" ? std::optional(1e-6)
                          : std::nullopt;
}

bool CompareReader::isBrief(const Slots& slots, std::string_view unit, f64 milliseconds) const {
    if (!unitOf(unit) || milliseconds <= 0) return false;
    const f64 value = milliseconds / *unitOf(unit), said = slots["ms"];
    return std::fabs(said - value) <= 0.5000001 * std::pow(10.0, -f64(slots.decimals.at("ms"))) &&
           std::fabs(said / value - 1) < 0.06;
}

bool CompareReader::isValue(std::string_view text, const std::set<f64>& values, const Both& of) const {
    if (of.isTime) {
        const std::vector<Token> tokens = tokensOf(text);
        return tokens.size() == 1 && tokens[0].noun == "ms" &&
               std::ranges::any_of(values, [&](f64 value) { return rounds(tokens[0], value); });
    }
    const auto slots = match(text, "{n}");
    if (!slots) return false;
    const f64 said = (*slots)["n"];
    const bool isWhole = slots->decimals.at("n") == 0;
    return std::ranges::any_of(
        values, [&](f64 value) { return isWhole ? said == value : std::fabs(said - value) <= 0.0050001; });
}

// "8 times fewer", "12% more", "1.3 times as fast"; empty: it holds.
std::string CompareReader::wrongChange(std::string_view text, const Both& both) const {
    const bool en = english();
    const auto is = [&](std::string_view english, std::string_view chinese) {
        return match(text, en ? english : chinese);
    };
    const auto rounds = [](const Slots& slots, f64 value) {
        const f64 said = slots["n"];
        const u32 decimals = slots.decimals.at("n");
        return std::fabs(said - value) <= 0.5000001 * std::pow(10.0, -f64(decimals));
    };
    const auto holds = [&](f64 a, f64 b) {
        if (both.isTime && both.areUnlike) return is("–", "–").has_value();
        if (is("=", "=")) return std::max(a, b) / std::min(a, b) < 1.005;
        if (is("none in A", "A 中没有")) return a == 0 && b > 0;
        if (is("none in B", "B 中没有")) return b == 0 && a > 0;
        if (a <= 0 || b <= 0) return false;
        if (both.isTime) {
            if (const auto slots = is("{n} times as fast", "速度为 A 的 {n} 倍"))
                return a >= b && rounds(*slots, a / b);
            if (const auto slots = is("takes {n} times as long", "用时为 A 的 {n} 倍"))
                return b >= a && rounds(*slots, b / a);
            return false;
        }
        if (en && is("twice as many", "")) return std::fabs(b / a - 2) < 0.0500001;
        if (is("half as many", "为 A 的一半")) return std::fabs(a / b - 2) < 0.0500001;
        const auto factor = [&](const Slots& slots, f64 value) {
            // Whole where it nearly is.
            return slots.decimals.at("n")
                       ? rounds(slots, value)
                       : std::fabs(slots["n"] - value) < (value >= 99.5 ? 0.5000001 : 0.0500001);
        };
        if (const auto slots = is("{n} times as many", "为 A 的 {n} 倍")) return factor(*slots, b / a);
        if (const auto slots = is("1/{n} as many", "为 A 的 1/{n}")) return factor(*slots, a / b);
        if (const auto slots = is("{n}% more", "比 A 多 {n}%"))
            return b > a && rounds(*slots, 100 * (b / a - 1));
        if (const auto slots = is("{n}% fewer", "比 A 少 {n}%"))
            return a > b && rounds(*slots, 100 * (1 - b / a));
        return false;
    };
    for (const f64 a : both.a)
        for (const f64 b : both.b)
            if (holds(a, b)) return {};
    return both.a.empty() || both.b.empty() ? "there are no such figures"
                                            : fmt::format("from {} to {}", *both.a.begin(), *both.b.begin());
}

// Below the pictures: what, A, B, and what changes.
void CompareReader::table() {
    const bool en = english();
    const Said *head = nullptr, *a = nullptr, *b = nullptr, *change = nullptr;
    const auto isBelow = [&](const Said& said) {
        return !said.isHover && !said.isSentence && !said.isCaption && said.at.y > foot_;
    };
    for (const Said& said : picture_.texts)
        if (isBelow(said) && said.text == (en ? "whole grid" : "整个网格")) head = &said;
    if (!head) return;
    for (const Said& said : picture_.texts) {
        if (!isBelow(said) || std::fabs(said.at.y - head->at.y) > 3 || said.left <= head->left) continue;
        if (said.text == "A") a = &said;
        if (said.text == "B") b = &said;
        if (said.text == (en ? "B against A" : "B 与 A 相比")) change = &said;
    }
    if (!a || !b || !change) return fail(*head, "A", "the table has no heads");
    for (const Said& row : picture_.texts) {
        if (!isBelow(row) || std::fabs(row.left - head->left) > 1 || row.at.y < head->at.y + 8) continue;
        if (const auto slots = is(row, "{n} other value* the same", "其余 {n} 项数字相同")) {
            read_.insert(&row);
            w_.of(picture_.view).read += 1;
            const auto same = sameFigures();
            expect(row, std::ranges::find(same, u64((*slots)["n"])) != same.end(), "n",
                   fmt::format("{} figures are the same", *same.begin()));
            continue;
        }
        const auto cellOf = [&](const Said& column) {
            const auto found = std::ranges::find_if(picture_.texts, [&](const Said& said) {
                return isBelow(said) && std::fabs(said.at.y - row.at.y) < 3 &&
                       std::fabs(rightOf(said) - rightOf(column)) < 1;
            });
            return found == picture_.texts.end() ? nullptr : &*found;
        };
        const Said *ofA = cellOf(*a), *ofB = cellOf(*b), *changes = cellOf(*change);
        if (!ofA || !ofB || !changes || ofA == &row) continue;
        for (const Said* said : {&row, ofA, ofB, changes})
            read_.insert(said), w_.of(picture_.view).read += tokensOf(said->text).size();
        const auto figure = both(row.text);
        if (!figure) {
            fail(row, row.text, "a figure that is not known of both");
            continue;
        }
        expect(*ofA, isValue(ofA->text, figure->a, *figure), row.text,
               fmt::format("it is {}", figure->a.empty() ? NAN : *figure->a.begin()));
        expect(*ofB, isValue(ofB->text, figure->b, *figure), row.text,
               fmt::format("it is {}", figure->b.empty() ? NAN : *figure->b.begin()));
        const std::string why = wrongChange(changes->text, *figure);
        expect(*changes, why.empty(), row.text, why);
    }
}

// How many figures are the same and not nought; several where the compiler decides.
std::set<u64> CompareReader::sameFigures() const {
    std::set<u64> sums{0};
    const Amounts& b = b_.witness.amounts();
    for (const auto& [key, ofA] : a_.witness.amounts()) {
        const auto ofB = b.find(key);
        if (ofB == b.end()) continue;
        std::set<u64> is;
        for (const u64 x : ofA)
            for (const u64 y : ofB->second)
                is.insert(x > 0 && x == y);
        std::set<u64> all;
        for (const u64 sum : sums)
            for (const u64 one : is)
                all.insert(sum + one);
        sums = std::move(all);
    }
    return sums;
}

// "That is 12.0 KB instead of 96.0 KB.": sectors as bytes. "(Modeled.)"
bool CompareReader::priceIn(const Said& said, std::string_view rest, const Both& both) {
    const bool en = english();
    // Who counted it.
    if (const auto on = match(rest, en ? "*Counted on {device:text}." : "*在 {device:text} 上计数。"))
        return a_.run().measured && on->text("device") == a_.run().measured->device;
    auto slots = match(rest, en ? "*That is {b} {unitB:text} instead of {a} {unitA:text}.*"
                                : "*传输 {a} {unitA:text}（A）和 {b} {unitB:text}（B）。*");
    if (en && !slots)
        slots = match(rest, "*Measured in bytes: {b} {unitB:text} instead of {a} {unitA:text}.*");
    if (!slots) return !std::ranges::any_of(rest, [](char c) { return c >= '0' && c <= '9'; });
    const auto bytes = [&](std::string_view unit) {
        return unit == "B" ? 1.0 : unit == "KB" ? 1e3 : unit == "MB" ? 1e6 : unit == "GB" ? 1e9 : NAN;
    };
    const auto holds = [&](const char* number, const char* unit, f64 sectors) {
        const f64 value = 32 * sectors / bytes(slots->text(unit));
        return std::fabs((*slots)[number] - value) <=
               0.5000001 * std::pow(10.0, -f64(slots->decimals.at(number)));
    };
    for (const f64 a : both.a)
        for (const f64 b : both.b)
            if (holds("a", "unitA", a) && holds("b", "unitB", b)) return true;
    return fail(said, rest, "other bytes"), true;
}

// "Predicted: 6.2% more global store sectors in B (3,134 instead of 2,950); measured: 3.3% fewer (3,272
// instead of 3,382)." And what that is in bytes.
bool CompareReader::predictedSentence(const Said& said) {
    const bool en = english();
    const auto slots = match(said.text, en ? "Predicted: {predicted:text}; measured: {measured:text}"
                                           : "预测{predicted:text}；实测：{measured:text}");
    if (!slots) return false;
    std::string measured = slots->text("measured"), rest;
    // A period of a number ends nothing: "3.3% fewer (3,272 instead of 3,382). Measured in bytes: ..."
    const std::string_view end = en ? ". " : "。";
    if (const std::size_t at = measured.find(end); at != std::string::npos)
        rest = measured.substr(at + end.size()), measured.resize(at);
    else if (measured.ends_with('.'))
        measured.pop_back();
    // Why they go opposite ways.
    bool saysWhy = false;
    for (const std::string_view why : {en ? "Cache contents depend on timing: trust the measurement."
                                          : "缓存里有什么取决于时序：以实测为准。",
                                       en ? "The GPU executes SASS, not this PTX: trust the measurement."
                                          : "GPU 执行的是机器码而不是 PTX：以实测为准。"})
        if (rest.starts_with(why)) {
            saysWhy = true;
            rest.erase(0, why.size());
            while (rest.starts_with(' '))
                rest.erase(0, 1);
        }
    const std::string& predicted = slots->text("predicted");
    const model::Metric* metric = nullptr;
    for (const model::Metric& one : model::metrics())
        if (contains(predicted, one.what.in(picture_.language)) &&
            (!metric || metric->what.in(picture_.language).size() < one.what.in(picture_.language).size()))
            metric = &one;
    if (!metric) return fail(said, predicted, "of what is not known"), true;
    const std::string name(metric->what.in(picture_.language));
    const auto foretold = both(name);
    const auto counted = [&](const Side& side) -> std::set<f64> {
        const auto& measured = side.run().measured;
        if (!measured) return {};
        const auto found = measured->counters.find(metric->key);
        return found == measured->counters.end() ? std::set<f64>() : std::set{std::round(found->second)};
    };
    const Both gpu{.a = counted(a_), .b = counted(b_)};
    if (!foretold || gpu.a.empty() || gpu.b.empty() || a_.run().measured->device != b_.run().measured->device)
        return fail(said, predicted, "not counted on one GPU"), true;
    const bool isOpposite =
        (*foretold->b.begin() - *foretold->a.begin()) * (*gpu.b.begin() - *gpu.a.begin()) < 0;
    expect(said, saysWhy == isOpposite, "why", "whether they go opposite ways");
    const auto check = [&](const Slots& at, const Both& of) {
        expect(said, of.a.contains(at["a"]), "a", fmt::format("it is {}", *of.a.begin()));
        expect(said, of.b.contains(at["b"]), "b", fmt::format("it is {}", *of.b.begin()));
        if (!at.texts.contains("change")) return;
        const std::string why = wrongChange(at.text("change"), of);
        expect(said, why.empty(), at.text("change"), why);
    };
    if (const auto at = match(predicted, en ? "{change:text} " + name + " in B ({b} instead of {a})"
                                            : name + "：A {a}，B {b}，{change:text}"))
        check(*at, *foretold);
    else if (const auto none =
                 match(predicted, en ? "{b} instead of {a} " + name + " in B" : name + "：A {a}，B {b}"))
        check(*none, *foretold);
    else
        fail(said, predicted, "what was predicted is not known");
    if (const auto at =
            match(measured, en ? "{change:text} ({b} instead of {a})" : "A {a}，B {b}，{change:text}"))
        check(*at, gpu);
    else if (const auto same = match(measured, en ? "{a} in both" : "两者都是 {a}"))
        expect(said, gpu.a.contains((*same)["a"]) && gpu.b.contains((*same)["a"]), "a", "they differ");
    else if (const auto none = match(measured, en ? "{b} instead of {a}" : "A {a}，B {b}"))
        check(*none, gpu);
    else
        fail(said, measured, "what was measured is not known");
    if (!priceIn(said, rest, gpu)) fail(said, rest, "what follows is not known");
    return true;
}

// "1/8 as many global store sectors in B: 65,536 instead of 524,288. That is ..."
bool CompareReader::figureSentence(const Said& said) {
    const bool en = english();
    if (const auto slots = is(said, "The two differ in {n} line* of code, but in no value.",
                              "两者有 {n} 行代码不同，各项数字都相同。")) {
        const u64 lines = onlyIn(a_) + onlyIn(b_);
        return expect(said, (*slots)["n"] == f64(lines), "n", fmt::format("in {} lines", lines)), true;
    }
    if (const auto slots =
            is(said, "A: {a:text}. B: {b:text}. See Findings.", "A：{a:text}。B：{b:text}。见“问题”视图。")) {
        expect(said, slots->text("a") == tallyText(placesOf(a_.facts()), en), "A",
               "it is: " + tallyText(placesOf(a_.facts()), en));
        expect(said, slots->text("b") == tallyText(placesOf(b_.facts()), en), "B",
               "it is: " + tallyText(placesOf(b_.facts()), en));
        return true;
    }
    if (said.text.starts_with(en ? "time " : "在 ") || said.text.starts_with("公布的用时"))
        return both(said.text).has_value();
    if (predictedSentence(said)) return true;
    // What it is of: the longest name in it.
    std::vector<std::string> names;
    for (const model::Metric& metric : model::metrics())
        names.emplace_back(metric.what.in(picture_.language));
    for (const auto& [english, chinese] :
         {std::pair{"sectors per load request", "每个读取请求的扇区数"},
          {"sectors per store request", "每个写入请求的扇区数"},
          {"active lanes per warp instruction", "每条线程束指令的平均活动通道数"},
          {"resident warps per SM", "一个多处理器可驻留的线程束数"}})
        names.push_back(en ? english : chinese);
    std::string text = said.text;
    if (en && text[0] >= 'A' && text[0] <= 'Z' && !text.starts_with("No ")) text[0] = char(text[0] + 32);
    std::string_view name;
    for (const std::string& one : names)
        if (one.size() > name.size() && contains(text, one)) name = one;
    if (name.empty()) return false;
    const auto figure = both(name);
    const std::size_t at = text.find(name);
    const std::string before = text.substr(0, at), after = text.substr(at + name.size());
    if (!figure) return fail(said, name, "a figure that is not known of both"), true;
    const auto is = [&](std::string_view english, std::string_view chinese) {
        return match(after, en ? english : chinese);
    };
    const auto check = [&](const Slots& slots) {
        for (const auto& [letter, values] : {std::pair{"a", &figure->a}, {"b", &figure->b}})
            if (slots.numbers.contains(letter))
                expect(said,
                       std::ranges::any_of(*values,
                                           [&, letter = letter](f64 value) {
                                               return std::fabs(slots[letter] - value) <=
                                                      (slots.decimals.at(letter) ? 0.0050001 : 0);
                                           }),
                       letter, fmt::format("it is {}", values->empty() ? NAN : *values->begin()));
        const std::string& rest = slots.text("rest");
        if (!priceIn(said, rest, *figure)) fail(said, rest, "what follows is not known");
    };
    auto slots = is(" in B: {b} instead of {a}.{rest:text}", "：A {a}，B {b}，{change:text}。{rest:text}");
    const bool saysChange = slots.has_value();
    if (!en && !slots) slots = match(after, "：A {a}，B {b}。{rest:text}");
    if (slots) {
        check(*slots);
        std::string change = en ? before : saysChange ? slots->text("change") : std::string();
        while (change.ends_with(' '))
            change.pop_back();
        if (!change.empty()) {
            const std::string why = wrongChange(change, *figure);
            expect(said, why.empty(), change, why);
        }
        return true;
    }
    if (en) {
        if (const auto none = match(text, "{b} instead of 0 " + std::string(name) + " in B.{rest:text}"))
            return expect(said, figure->a.contains(0), "a", "there were some"), check(*none), true;
        if (const auto none = match(text, "0 instead of {a} " + std::string(name) + " in B.{rest:text}"))
            return expect(said, figure->b.contains(0), "b", "there are some"), check(*none), true;
    }
    return false;
}

}  // namespace lockstep::witness
