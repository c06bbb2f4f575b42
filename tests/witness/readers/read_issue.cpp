// The issue timeline: each number of a sentence is one of the record that was kept of the SM, found by its
// cycles; sums, stretches without an issue and what pipes hold are added up once more. Which cycles a picture
// shows is read off its axis.
#include "time/model/time_profile.h"
#include "witness/forms.h"
#include "witness/readers/reader.h"
#include "witness/record/issues.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using time::Stall;

namespace {

// Of the record that was read last: many pictures show the same one.
std::shared_ptr<const IssueFacts> factsOf(const std::shared_ptr<const run::IssueRun>& issues,
                                          const RunFacts& run, Dim3 grid) {
    thread_local std::shared_ptr<const run::IssueRun> of;  // held, so that no other one has its address
    thread_local std::shared_ptr<const IssueFacts> facts;
    if (of != issues) of = issues, facts = std::make_shared<const IssueFacts>(*issues, run, grid);
    return facts;
}

}  // namespace

// What one picture is about.
struct IssuePicture {
    IssuePicture(const run::IssueRun& issues, const RunFacts& run, Dim3 grid, const Picture& picture,
                 const viz::Cursor& cursor)
        : held(factsOf(picture.issues->run, run, grid)), facts(*held) {
        if (cursor.warp.value >= issues.warps.size() || issues.warps[cursor.warp.value] == time::kNotRecorded)
            return;
        warp = issues.warps[cursor.warp.value];
        subcore = facts.warp(*warp).subcore;
        step = cursor.step;
        warpOfBlock = cursor.warp.value;
        if (const time::TimeProfile* times = time::timeProfileOf(run.run().profile))
            launchCycles = times->launchCycles;
        warpsThatFit = f64(run.run().profile.warpsPerSm) / 4;
        const std::vector<u32>& steps = issues.steps[cursor.warp.value];
        for (u32 i = 0; i < steps.size(); ++i)
            if (steps[i] == cursor.step) marked = i;
        isCertain = marked.has_value();
        if (!isCertain) marked = markedIn(picture);
        shown = rangeOf(picture);
        idle = facts.idle(subcore, shown);
        without = facts.without(subcore, shown);
        occupied = facts.occupied(subcore, shown);
    }

    // Of a step that no issue stands for, the one that the picture says is at the cursor.
    std::optional<u32> markedIn(const Picture& picture) const {
        const bool english = picture.language == Language::English;
        const std::vector<time::IssueRecord>& issues = facts.warp(*warp).issues;
        for (const Said& said : picture.texts) {
            const std::string& card = said.isHover ? said.text : said.hover;
            const auto at = match(card, english ? "At the cursor: *{w}\ncycle {c}: {code:text}\n**"
                                                : "光标处：*{w}\n第 {c} 周期：{code:text}\n**");
            if (!at) continue;
            const auto found =
                std::ranges::lower_bound(issues, u64((*at)["c"]), {}, &time::IssueRecord::cycle);
            if (found != issues.end() && f64(found->cycle) == (*at)["c"]) return u32(found - issues.begin());
        }
        return std::nullopt;
    }

    // Ticks stand in the middles of their cycles; how many cycles there are, the picture says.
    CycleRange rangeOf(const Picture& picture) const {
        constexpr f32 kLeft = 132, kLabel = 20;
        const bool english = picture.language == Language::English;
        std::optional<f32> axis;
        u64 count = 0;
        for (const Said& said : picture.texts) {
            if (said.isHover) continue;
            if (said.text == (english ? "cycle" : "周期") && said.left < kLabel) axis = said.at.y;
            const auto idle = match(said.text, english ? "In {a} of {n} cycle* on show no warp issues"
                                                       : "所示 {n} 个周期中，没有线程束发射的周期有 {a} 个");
            if (idle) count = u64((*idle)["n"]);
        }
        std::vector<std::pair<f64, f64>> ticks;  // cycle, place
        for (const Said& said : picture.texts)
            if (axis && !said.isHover && said.face == viz::Face::Mono && std::fabs(said.at.y - *axis) < 3)
                if (const auto tick = match(said.text, "{n}")) ticks.emplace_back((*tick)["n"], said.at.x);
        if (ticks.size() < 2 || !count) return {};
        std::ranges::sort(ticks);
        const f64 pixels = (ticks.back().second - ticks.front().second) /
                           (ticks.back().first - ticks.front().first),
                  from = ticks.front().first + 0.5 - (ticks.front().second - f64(kLeft)) / pixels;
        const u64 begin = u64(std::max(0.0, std::floor(from + 0.05)));
        return {begin, begin + count};
    }

    // What the marked issue waited for.
    CycleRange gap() const {
        const time::WarpRecord& own = facts.warp(*warp);
        return {*marked > 0 ? own.issues[*marked - 1].cycle + 1 : own.begin, own.issues[*marked].cycle};
    }

    std::shared_ptr<const IssueFacts> held;
    const IssueFacts& facts;
    f64 warpsThatFit = 0;             // on a sub-core
    std::optional<u32> launchCycles;  // elapsed beside those in which an SM is active
    std::optional<u32> warp, marked;  // of the SM; of its issues: at the cursor's step
    u32 step = 0, warpOfBlock = 0;    // the cursor's
    bool isCertain = false;
    u32 subcore = 0;
    CycleRange shown;
    std::vector<CycleRange> idle, without;  // without a warp
    IssueFacts::Occupied occupied;
};

namespace {

u64 cyclesOf(const std::vector<CycleRange>& ranges) {
    u64 sum = 0;
    for (const CycleRange& range : ranges)
        sum += range.cycles();
    return sum;
}

bool isIn(const std::vector<CycleRange>& ranges, const CycleRange& one) {
    return std::ranges::any_of(
        ranges, [&](const CycleRange& range) { return range.begin == one.begin && range.end == one.end; });
}

Numbers valuesOf(const std::map<Stall, u64>& sums) {
    Numbers values;
    for (const auto& [reason, cycles] : sums)
        values.push_back(f64(cycles));
    return sortedNumbers(values);
}

u64 largestOf(const std::map<Stall, u64>& sums) {
    u64 most = 0;
    for (const auto& [reason, cycles] : sums)
        most = std::max(most, cycles);
    return most;
}

bool isOneOf(const std::set<u64>& values, f64 value) { return value >= 0 && values.contains(u64(value)); }

bool isPercentOf(f64 said, f64 share) {
    return std::fabs(said - 100 * share) <= (100 * share < 10 ? 0.0501 : 0.501);
}

// Whether a text holds for one picture; none: it has none of the forms that are known.
class IssueText {
public:
    IssueText(IssuePicture& picture, Language language)
        : p_(picture), f_(picture.facts), language_(language) {}

    std::optional<bool> ofLine(const std::string& line);
    std::optional<bool> ofCell(const std::string& text, const std::string& hover) const;

private:
    std::optional<Slots> form(std::string_view text, std::string_view en, std::string_view zh) const {
        return match(text, language_ == Language::English ? en : zh);
    }
    std::optional<bool> ofCursor(const std::string& line);
    std::optional<bool> ofIdle(const std::string& line) const;
    std::optional<bool> ofHelp(const std::string& line) const;
    bool isPlaceOfMost(const Numbers& place) const;
    std::optional<bool> ofRows(const std::string& line) const;
    std::optional<bool> ofStrips(const std::string& line) const;
    template <class IsIt> bool someWarp(IsIt&& isIt) const {
        for (u32 w = 0; w < f_.issues().sm.warps.size(); ++w)
            if (f_.warp(w).subcore == p_.subcore && isIt(w, f_.warp(w))) return true;
        return false;
    }
    // The part of a warp's time that is on show.
    CycleRange seenOf(const time::WarpRecord& warp) const {
        return {std::max(warp.begin, p_.shown.begin), std::min(warp.end, p_.shown.end)};
    }
    const time::IssueRecord& marked() const { return f_.warp(*p_.warp).issues[*p_.marked]; }

    IssuePicture& p_;
    const IssueFacts& f_;
    Language language_;
};

std::optional<bool> IssueText::ofLine(const std::string& line) {
    for (const auto part : {&IssueText::ofIdle, &IssueText::ofHelp, &IssueText::ofRows, &IssueText::ofStrips})
        if (const std::optional<bool> holds = (this->*part)(line)) return holds;
    return ofCursor(line);
}

std::optional<bool> IssueText::ofCursor(const std::string& line) {
    if (const auto head = form(line, "At the cursor: warp {w}", "光标处：线程束 {w}"))
        return (*head)["w"] == f64(f_.warp(*p_.warp).warpOfBlock);
    if (const auto now = form(line, "cycle {c}: {code:text}", "第 {c} 周期：{code:text}")) {
        const time::WarpRecord& own = f_.warp(*p_.warp);
        for (u32 i = 0; i < own.issues.size(); ++i)
            if (f64(own.issues[i].cycle) == (*now)["c"]) {
                return p_.marked == i &&
                       f_.issues().code[own.issues[i].instruction].text == now->text("code");
            }
        return false;
    }
    if (!p_.marked) return std::nullopt;
    if (const auto step = form(line, "Step {n} has no instruction of its own *: this is the nearest.",
                               "第 {n} 步没有自己的指令*：这是最近的一条。"))
        return !p_.isCertain && (*step)["n"] == f64(p_.step + 1);
    if (const auto kind = form(line, "*, in {n} lane*", "*，{n} 个通道"))
        return (*kind)["n"] == f64(LaneMask{marked().lanes}.count());
    if (const auto before = form(line, "Just before: waited {n} cycle*", "此前：等待了 {n} 个周期")) {
        u64 sum = 0;
        for (const auto& [reason, cycles] : f_.waited(*p_.warp, p_.gap()))
            sum += cycles;
        return (*before)["n"] == f64(sum);
    }
    if (const auto several = form(line, "The step's {n} machine instructions issue in cycles {a} to {b}: *",
                                  "这一步的 {n} 条机器指令在第 {a} 到 {b} 周期发射*")) {
        const std::vector<u32>& steps = f_.issues().steps[p_.warpOfBlock];
        const time::WarpRecord& warp = f_.warp(*p_.warp);
        std::vector<f64> cycles;
        for (u32 i = 0; i < steps.size(); ++i)
            if (steps[i] == p_.step) cycles.push_back(f64(warp.issues[i].cycle));
        return f64(cycles.size()) == (*several)["n"] && cycles.front() == (*several)["a"] &&
               cycles.back() == (*several)["b"];
    }
    if (const auto place = form(line, "line {n}: {code:text}", "第 {n} 行：{code:text}"))
        return Numbers{(*place)["n"]} == f_.placeOf(marked().instruction);
    if (form(line, "line {n}", "第 {n} 行") || form(line, "instruction {n}", "指令 {n}"))
        return numbersIn(line) == f_.placeOf(marked().instruction);
    std::string_view sentence = line;
    for (const std::string_view head :
         {std::string_view("Its last wait before that: "),
          std::string_view("Its last wait of 10 cycles or more before that: "),
          std::string_view("此前最近的一次等待："), std::string_view("此前最近一次不少于 10 个周期的等待："),
          std::string_view("Then: "), std::string_view("Its next wait of 10 cycles or more: "),
          std::string_view("Its next wait of 100 cycles or more: "), std::string_view("随后："),
          std::string_view("接下来一次不少于 10 个周期的等待："),
          std::string_view("接下来一次不少于 100 个周期的等待：")})
        if (sentence.starts_with(head)) sentence.remove_prefix(head.size());
    const Numbers numbers = numbersIn(sentence);
    if (f_.isWait(numbers) || f_.isRequest(numbers)) return true;
    // "long scoreboard 300 · LG throttle 3"
    const bool isList = line.find_first_of(".:") == std::string::npos && !contains(line, "：");
    if (isList && sortedNumbers(numbers) == valuesOf(f_.waited(*p_.warp, p_.gap()))) return true;
    return std::nullopt;
}

std::optional<bool> IssueText::ofIdle(const std::string& line) const {
    if (const auto all = form(line, "In {a} of {n} cycle* on show no warp issues",
                              "所示 {n} 个周期中，没有线程束发射的周期有 {a} 个"))
        return (*all)["a"] == f64(cyclesOf(p_.idle)) && (*all)["n"] == f64(p_.shown.cycles());
    // Of the stretches that are on show, in whole or in part, the longest; with what is shown of it.
    const std::vector<CycleRange> all = f_.idle(p_.subcore, {0, f_.end()});
    const auto partOf = [&](const CycleRange& range) {
        const u64 begin = std::max(range.begin, p_.shown.begin), end = std::min(range.end, p_.shown.end);
        return end > begin ? end - begin : 0;
    };
    u64 whole = 0;
    for (const CycleRange& range : all)
        if (partOf(range)) whole = std::max(whole, range.cycles());
    const auto someLongest = [&](auto&& isIt) {
        return std::ranges::any_of(all, [&](const CycleRange& range) {
            return partOf(range) && range.cycles() == whole && isIt(range);
        });
    };
    if (const auto span =
            form(line, "longest: cycles {a} to {b} ({n} cycle*)", "最长：第 {a} 到 {b} 周期（{n} 个周期）"))
        return (*span)["n"] == f64(whole) && someLongest([&](const CycleRange& range) {
                   return f64(range.begin) == (*span)["a"] && f64(range.end - 1) == (*span)["b"];
               });
    if (const auto cut = form(line, "longest: cycles {a} to {b} ({n} cycle*, {k} on show)",
                              "最长：第 {a} 到 {b} 周期（{n} 个周期，显示 {k} 个）"))
        return (*cut)["n"] == f64(whole) && someLongest([&](const CycleRange& range) {
                   return f64(range.begin) == (*cut)["a"] && f64(range.end - 1) == (*cut)["b"] &&
                          f64(partOf(range)) == (*cut)["k"] && partOf(range) < whole;
               });
    if (const auto part = form(line, "{a} of {n} cycle* on show: *", "{n} 个周期中显示 {a} 个：*"))
        return (*part)["n"] == f64(whole) && someLongest([&](const CycleRange& range) {
                   return f64(partOf(range)) == (*part)["a"] && partOf(range) < whole;
               });
    if (const auto without =
            form(line, "In {n} more cycle* the sub-core has no warp.", "另有 {n} 个周期子核心没有线程束。"))
        return (*without)["n"] == f64(cyclesOf(p_.without));
    if (const auto without =
            form(line, "The sub-core has no warp for {n} cycle*.", "子核心有 {n} 个周期没有线程束。"))
        return std::ranges::any_of(
            p_.without, [&](const CycleRange& range) { return f64(range.cycles()) == (*without)["n"]; });
    if (const auto with = form(line, "{a} of {n} with a warp", "{n} 个中 {a} 个（有线程束）"))
        return (*with)["a"] == f64(cyclesOf(p_.idle)) &&
               (*with)["n"] == f64(p_.shown.cycles() - cyclesOf(p_.without));
    if (const auto one = form(line, "longest: cycle {a} alone", "最长：仅第 {a} 周期"))
        return whole == 1 &&
               someLongest([&](const CycleRange& range) { return f64(range.begin) == (*one)["a"]; });
    const auto why = form(line, "*, for {k} of {n} warp*. {wait:text}",
                          "*：{n} 个线程束中有 {k} 个在等。{wait:text}"),
               bare = form(line, "*, for {k} of {n} warp*.", "*：{n} 个线程束中有 {k} 个在等。");
    if (why || bare) {
        const Slots& said = bare ? *bare : *why;
        for (const CycleRange& range : p_.idle) {
            if (!someLongest([&](const CycleRange& longest) {
                    return longest.begin <= range.begin && longest.end >= range.end;
                }))
                continue;
            std::map<Stall, u64> sums, warps;
            u64 resident = 0;
            (void)someWarp([&](u32 w, const time::WarpRecord& warp) {
                resident += warp.end > range.begin && warp.begin < range.end;
                for (const auto& [reason, cycles] : f_.waited(w, range))
                    sums[reason] += cycles, ++warps[reason];
                return false;
            });
            for (const auto& [reason, cycles] : sums)
                if (cycles == largestOf(sums) && f64(warps[reason]) == said["k"] &&
                    f64(resident) == said["n"] && (bare || f_.isWait(numbersIn(said.text("wait")))))
                    return true;
        }
        return false;
    }
    if (const auto hover = form(line, "No warp of the sub-core issues for {n} cycle*.",
                                "{n} 个周期内子核心中没有线程束发射。"))
        return std::ranges::any_of(
            p_.idle, [&](const CycleRange& range) { return f64(range.cycles()) == (*hover)["n"]; });
    if (const auto bar = form(line, "{n} cycle*: *", "{n} 个周期：*")) return (*bar)["n"] == f64(whole);
    return std::nullopt;
}

// Of the waits for which most of its idle cycles are, half lie there.
bool IssueText::isPlaceOfMost(const Numbers& place) const {
    const std::map<Stall, u64>& exposed = f_.exposed(p_.subcore);
    return std::ranges::any_of(exposed, [&](const auto& sum) {
        if (sum.second != largestOf(exposed)) return false;
        const bool isOfValue = sum.first == Stall::LongScoreboard || sum.first == Stall::ShortScoreboard;
        u64 all = 0, there = 0;
        (void)someWarp([&](u32, const time::WarpRecord& warp) {
            for (const time::WaitRecord& wait : warp.waits) {
                if (wait.reason != sum.first) continue;
                u32 instruction = isOfValue && wait.issue < warp.issues.size()
                                      ? warp.issues[wait.issue].instruction
                                      : wait.instruction;
                if (sum.first == Stall::Drain)  // for what it stored last
                    for (const time::IssueRecord& issue : warp.issues)
                        if (f_.issues().code[issue.instruction].isStore) instruction = issue.instruction;
                all += wait.end - wait.begin;
                if (f_.placeOf(instruction) == place) there += wait.end - wait.begin;
            }
            return false;
        });
        return there > 0 && 2 * there >= all;
    });
}

std::optional<bool> IssueText::ofHelp(const std::string& line) const {
    const run::IssueRun& issues = f_.issues();
    std::optional<f64> best;
    if (issues.changes)
        for (const run::ChangedTime& changed : issues.changes->changes)
            if (!changed.why)
                best = std::max(best.value_or(-1e9),
                                1 - f64(changed.elapsedCycles) / f64(issues.changes->elapsedCycles));
    if (const auto saves =
            form(line, "with “{change:text}”: {n}% less time", "若“{change:text}”：时间减少 {n}%"))
        return best && isPercentOf((*saves)["n"], *best);
    if (contains(line, language_ == Language::English ? "saves more than 1%" : "能节省超过 1%"))
        return !best || *best <= 0.01;
    if (const auto model =
            form(line,
                 "It saves {a} of the launch's {n} modeled cycles ({error:text}), of which its start and "
                 "its end take {k}.",
                 "整次启动 {n} 个周期（模型值，{error:text}）中，它节省 {a} 个；其中启动和收尾占 {k} 个。"))
        return issues.changes && (*model)["n"] == f64(issues.changes->elapsedCycles) && p_.launchCycles &&
               std::ranges::any_of(issues.changes->changes,
                                   [&](const run::ChangedTime& changed) {
                                       return !changed.why && f64(changed.elapsedCycles) + (*model)["a"] ==
                                                                  f64(issues.changes->elapsedCycles);
                                   }) &&
               (*model)["k"] == f64(*p_.launchCycles) &&
               model->text("error") == issues.errorBrief.in(language_);
    if (const auto largest = form(line, "The largest saving in the model: “**”, {n}% less time.",
                                  "模型中节省最多的一项：“**”，时间减少 {n}%。"))
        return best && isPercentOf((*largest)["n"], *best) && issues.errorPercent &&
               100 * *best <= *issues.errorPercent;
    if (const auto few = form(line,
                              "This sub-core has {a} warp* at a time, and room for {n}: while * no other can "
                              "issue.",
                              "这个子核心容得下 {n} 个线程束，同时却至多有 {a} 个：*"))
        return (*few)["a"] == f64(f_.warpsAtOnce(p_.subcore)) && (*few)["n"] == p_.warpsThatFit;
    if (const auto most = form(line,
                               "Of the {n} cycles in which this sub-core has warps, none issues in {b}. What "
                               "most warps wait for then: {rest:text}",
                               "这个子核心有线程束的 {n} 个周期中，有 {b} 个没有线程束发射，其间多数线程束在"
                               "等：{rest:text}")) {
        // The two reasons with most cycles, and all others together.
        const std::string rest(most->text("rest"));
        const Numbers told = numbersIn(rest.substr(0, std::min(rest.find(". "), rest.find("。"))));
        std::vector<f64> expected;
        f64 left = (*most)["b"];
        for (const auto& [reason, cycles] : f_.exposed(p_.subcore))
            expected.push_back(f64(cycles));
        std::ranges::sort(expected, std::ranges::greater{});
        expected.resize(std::min<std::size_t>(expected.size(), 2));
        for (const f64 cycles : expected)
            left -= cycles;
        if (left > 0) expected.push_back(left);
        bool holds = std::ranges::equal(told, expected) &&
                     (*most)["n"] == f64(f_.end() - cyclesOf(f_.without(p_.subcore, {0, f_.end()}))) &&
                     (*most)["b"] == f64(cyclesOf(f_.idle(p_.subcore, {0, f_.end()})));
        if (const auto other = form(most->text("rest"), "**“**” saves {x}%.", "**“**”节省 {x}%。"))
            holds = holds && issues.changes &&
                    std::ranges::any_of(issues.changes->changes, [&](const run::ChangedTime& changed) {
                        return !changed.why && isPercentOf((*other)["x"], issues.changes->saved(changed));
                    });
        return holds;
    }
    for (const auto& [en, zh] :
         {std::pair("Most of these waits are for the value of {place:text}",
                    "这些等待大部分在等这里的值：{place:text}"),
          std::pair("Most of these waits are for the store of {place:text}",
                    "这些等待大部分在等这里的写入：{place:text}"),
          std::pair("Most of these waits are at {place:text}", "这些等待大部分在{place:text}")})
        if (const auto at = form(line, en, zh)) {
            const std::string_view place = at->text("place");
            return isPlaceOfMost(numbersIn(place.substr(0, std::min(place.find(": "), place.find("：")))));
        }
    return std::nullopt;
}

std::optional<bool> IssueText::ofRows(const std::string& line) const {
    const auto someWait = [&](auto&& isIt) {
        return someWarp([&](u32, const time::WarpRecord& warp) {
            return std::ranges::any_of(warp.waits, [&](const time::WaitRecord& wait) {
                const u64 begin = std::max(wait.begin, p_.shown.begin),
                          end = std::min(wait.end, p_.shown.end);
                return end > begin && isIt(wait.end - wait.begin, end - begin);
            });
        });
    };
    // Of a wait or a stretch without an issue that the picture cuts: how much of it is seen.
    if (const auto part = form(line, "{a} of {n}", "{n} 个中的 {a} 个")) {
        if (someWait([&](u64 whole, u64 shown) {
                return f64(whole) == (*part)["n"] && f64(shown) == (*part)["a"];
            }))
            return true;
        return std::ranges::any_of(f_.idle(p_.subcore, {0, f_.end()}), [&](const CycleRange& range) {
            const u64 begin = std::max(range.begin, p_.shown.begin), end = std::min(range.end, p_.shown.end);
            return end > begin && f64(range.cycles()) == (*part)["n"] && f64(end - begin) == (*part)["a"];
        });
    }
    // "long scoreboard, 372 of 536 cycles on show: value of line 13"
    for (const auto& [en, zh] :
         {std::pair("*, {n} cycle*: value of {place:text}", "*，{n} 个周期：{place:text}的值"),
          std::pair("*, {a} of {n} cycle* on show: value of {place:text}",
                    "*，{n} 个周期中显示 {a} 个：{place:text}的值")})
        if (const auto of = form(line, en, zh))
            return someWarp([&](u32, const time::WarpRecord& warp) {
                return std::ranges::any_of(warp.waits, [&](const time::WaitRecord& wait) {
                    const u64 begin = std::max(wait.begin, p_.shown.begin),
                              end = std::min(wait.end, p_.shown.end);
                    return end > begin && f64(wait.end - wait.begin) == (*of)["n"] &&
                           (!of->numbers.contains("a") || f64(end - begin) == (*of)["a"]) &&
                           wait.issue < warp.issues.size() &&
                           f_.placeOf(warp.issues[wait.issue].instruction) == numbersIn(of->text("place"));
                });
            });
    if (const auto part = form(line, "*, {a} of {n} cycle* on show", "*，{n} 个周期中显示 {a} 个"))
        return someWait(
            [&](u64 all, u64 seen) { return f64(all) == (*part)["n"] && f64(seen) == (*part)["a"]; });
    if (const auto whole = form(line, "*, {n} cycle*", "*，{n} 个周期"))
        return someWait([&](u64 all, u64) { return f64(all) == (*whole)["n"]; });
    if (const auto most = form(line, "{a} of {n} cycle*", "{n} 个周期中的 {a} 个")) {
        if ((*most)["a"] == f64(cyclesOf(p_.idle)) &&
            (*most)["n"] == f64(p_.shown.cycles() - cyclesOf(p_.without)))
            return true;
        return someWarp([&](u32 w, const time::WarpRecord& warp) {
            const CycleRange seen = seenOf(warp);
            return seen.end > seen.begin && f64(seen.cycles()) == (*most)["n"] &&
                   f64(largestOf(f_.waited(w, seen))) == (*most)["a"];
        });
    }
    if (!line.ends_with('.') && form(line, "Warp {w} of block **", "线程块 ** 的线程束 {w}"))
        return someWarp([&](u32 w, const time::WarpRecord&) {
            return sortedNumbers(f_.nameOf(w)) == sortedNumbers(numbersIn(line));
        });
    if (const auto starts = form(line, "not started before cycle {n}", "第 {n} 周期之前尚未开始"))
        return someWarp([&](u32, const time::WarpRecord& warp) { return f64(warp.begin) == (*starts)["n"]; });
    if (const auto ends = form(line, "ended in cycle {n}", "在第 {n} 周期结束"))
        return someWarp([&](u32, const time::WarpRecord& warp) { return f64(warp.end - 1) == (*ends)["n"]; });
    return std::nullopt;
}

std::optional<bool> IssueText::ofStrips(const std::string& line) const {
    const auto lanesOf = [&](u32 w, f64 whole, f64 all) {
        u64 issues = 0, full = 0;
        for (const time::IssueRecord& issue : f_.warp(w).issues)
            if (issue.cycle >= p_.shown.begin && issue.cycle < p_.shown.end)
                ++issues, full += issue.lanes == ~u32{0};
        return f64(issues) == all && f64(full) == whole;
    };
    if (const auto name = form(line, "lanes, warp {w}", "通道，线程束 {w}"))
        return (*name)["w"] == f64(f_.warp(*p_.warp).warpOfBlock);
    if (const auto sum = form(line, "all lanes in {a} of {n}", "{n} 次中 {a} 次全部通道"))
        return lanesOf(*p_.warp, (*sum)["a"], (*sum)["n"]);
    if (const auto hover =
            form(line,
                 "Which lanes of warp {w} take part in each of its {n} issue* on show: all 32 in "
                 "{a} of them.",
                 "线程束 {w} 在所示的 {n} 次发射中各有哪些通道参与：其中 {a} 次全部 32 个通道都参与。"))
        return (*hover)["w"] == f64(f_.warp(*p_.warp).warpOfBlock) &&
               lanesOf(*p_.warp, (*hover)["a"], (*hover)["n"]);
    if (const auto most = form(line, "at most {n} at a time", "同时最多 {n} 个"))
        return isOneOf(p_.occupied.most, (*most)["n"]);
    if (const auto places = form(line, "at most {a} of {n} places", "最多占 {n} 个位置中的 {a} 个"))
        return isOneOf(p_.occupied.most, (*places)["a"]) && (*places)["a"] <= (*places)["n"];
    if (const auto busy = form(line, "busy {a} of {n} cycle*", "{n} 个周期中忙 {a} 个"))
        return isOneOf(p_.occupied.busy, (*busy)["a"]) && (*busy)["n"] == f64(p_.shown.cycles());
    if (const auto requests = form(line, "**: at most {n} request* of sub-core {s} at a time in these cycles",
                                   "**：在这些周期中，子核心 {s} 同时最多有 {n} 个请求"))
        return (*requests)["s"] == p_.subcore && isOneOf(p_.occupied.most, (*requests)["n"]);
    if (const auto pipe = form(line, "** of sub-core {s}: busy in {a} of {n} cycle* on show",
                               "子核心 {s} 的**：所示 {n} 个周期中有 {a} 个忙"))
        return (*pipe)["s"] == p_.subcore && isOneOf(p_.occupied.busy, (*pipe)["a"]) &&
               (*pipe)["n"] == f64(p_.shown.cycles());
    if (const auto queue = form(line, "** of sub-core {s}: at most {a} of {n} places taken in these cycles",
                                "子核心 {s} 的**：在这些周期中，{n} 个位置最多占用 {a} 个"))
        return (*queue)["s"] == p_.subcore && isOneOf(p_.occupied.most, (*queue)["a"]) &&
               (*queue)["a"] <= (*queue)["n"];
    if (const auto off =
            form(line,
                 "{warp:text}: {place:text} accesses no memory in cycle {c}: it is predicated off "
                 "in all lanes.",
                 "{warp:text}：{place:text}在第 {c} 周期不访问内存：所有通道的谓词都为假。"))
        return someWarp([&](u32 w, const time::WarpRecord& warp) {
            return std::ranges::any_of(warp.issues, [&](const time::IssueRecord& issue) {
                return f64(issue.cycle) == (*off)["c"] && !issue.lanes &&
                       f_.nameOf(w) == numbersIn(off->text("warp")) &&
                       f_.placeOf(issue.instruction) == numbersIn(off->text("place"));
            });
        });
    return std::nullopt;
}

// A cell of the table of issues, whose row says at the mouse which issue it is of.
std::optional<bool> IssueText::ofCell(const std::string& text, const std::string& hover) const {
    const std::vector<std::string> lines = linesOf(hover);
    if (lines.size() < 2 || !f_.isText(lines[1]) || !p_.warp) return std::nullopt;
    const Numbers issue = sortedNumbers(numbersIn(lines[0])), cell = sortedNumbers(numbersIn(text));
    const time::WarpRecord& own = f_.warp(*p_.warp);
    for (std::size_t i = 0; i < own.issues.size(); ++i) {
        const time::IssueRecord& one = own.issues[i];
        if (sortedNumbers(f_.numbersOf(*p_.warp, one)) != issue) continue;
        if (cell == Numbers{f64(one.cycle)} || cell == Numbers{f64(LaneMask{one.lanes}.count())}) return true;
        const u64 from = i > 0 ? own.issues[i - 1].cycle + 1 : own.begin;
        if (cell == valuesOf(f_.waited(*p_.warp, {from, one.cycle}))) return true;
        if (const auto source = match(text, "{n}  {code:text}"))
            return Numbers{(*source)["n"]} == f_.placeOf(one.instruction);
        const std::string cut = text.ends_with("…") ? text.substr(0, text.size() - 3) : text;
        return lines[1].starts_with(cut);
    }
    return false;
}

}  // namespace

// Why there is no time, in the model's words, or a line of them.
void Reader::noTime(const Said& said, const std::optional<Fault>& why) {
    std::string_view text = said.text;
    for (const std::string_view head : {std::string_view("No time: "), std::string_view("没有时间：")})
        if (text.starts_with(head)) text.remove_prefix(head.size());
    if (why && contains(describe(*why, picture_.language), text)) done_.assign(tokens_->size(), true);
}

void Reader::issueText(const Said& said) {
    if (!picture_.issues) return;
    if (!picture_.issues->run) return noTime(said, picture_.issues->why);
    const run::IssueRun& issues = *picture_.issues->run;
    if (!issuePicture_)
        issuePicture_ = std::make_shared<IssuePicture>(issues, run_, launch_.grid, picture_, cursor_);
    IssuePicture& own = *issuePicture_;
    if (!own.warp) return;
    const IssueFacts& facts = own.facts;
    IssueText texts(own, picture_.language);
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
    };
    std::vector<std::string> lines = linesOf(said.text);
    // "Go to step 12": where a click leads.
    if (const auto goes = match(lines.back(), english() ? "Go to step {n}" : "跳到第 {n} 步");
        goes && lines.size() > 1) {
        if (said.isHover && (!said.leadsTo || (*goes)["n"] != f64(said.leadsTo->step + 1)))
            return all(false, "a click leads elsewhere");
        lines.pop_back();
    }
    const auto cycles =
        match(lines.back(), english() ? "Cycles {a} to {b} (modeled)" : "第 {a} 到 {b} 周期（建模）");
    const auto cycle = match(lines.back(), english() ? "Cycle {a} (modeled)" : "第 {a} 周期（建模）");
    if (lines.size() > 1 && (cycles || cycle)) {
        const CycleRange range = cycles ? CycleRange{u64((*cycles)["a"]), u64((*cycles)["b"]) + 1}
                                        : CycleRange{u64((*cycle)["a"]), u64((*cycle)["a"]) + 1};
        const Numbers first = numbersIn(lines.front());
        if (facts.isWaitIn(first, range) || facts.isRequestIn(first, range)) return all(true, "");
        if (lines.size() == 2)
            if (const std::optional<bool> holds = texts.ofLine(lines.front()))
                return all(*holds && (isIn(own.idle, range) || isIn(own.without, range)),
                           "there is no such stretch");
        Numbers sums = first;
        for (std::size_t i = 1; i + 1 < lines.size(); ++i)
            for (const f64 number : numbersIn(lines[i]))
                sums.push_back(number);
        return all(facts.isSums(sums, range), "no warp has such a span, or such sums");
    }
    // An issue, with the instruction below it.
    if (lines.size() == 2 && facts.isText(lines[1])) {
        const Numbers numbers = numbersIn(lines[0]);
        return all(
            std::ranges::any_of(numbers, [&](f64 number) { return facts.isIssueIn(numbers, u64(number)); }),
            "no such issue");
    }
    // As painted below the picture, too.
    const bool isSentence = said.isSentence || std::ranges::any_of(picture_.texts, [&](const Said& other) {
                                return other.isSentence && other.text == said.text;
                            });
    if (isSentence) {
        if (!own.marked) return;
        const u32 w = *own.warp;
        const Numbers issue = facts.numbersOf(w, facts.warp(w).issues[*own.marked]);
        const Numbers told = sortedNumbers(numbersIn(said.text));
        bool holds = told == sortedNumbers(issue);
        for (const time::WaitRecord& wait : facts.warp(w).waits)
            if (wait.begin < own.gap().end && wait.end > own.gap().begin) {
                Numbers both = facts.numbersOf(w, wait);
                both.insert(both.end(), issue.begin(), issue.end());
                holds |= told == sortedNumbers(both);
            }
        return all(holds, "the cursor's step has no such issue");
    }
    if (said.isCaption) return;
    // Heads.
    for (const std::string_view head :
         {std::string_view(english() ? "Sub-core {s} of the SM that runs this block: {n} cycles **"
                                     : "运行此线程块的多处理器的子核心 {s}：{n} 个周期**"),
          std::string_view(english() ? "Sub-core {s} of the SM that runs this block: {n} cycles **"
                                     : "运行此线程块的 SM 的子核心 {s}：{n} 个周期**"),
          std::string_view(english() ? "Sub-core {s}, {n} cycles **" : "子核心 {s}，{n} 个周期**")})
        if (const auto found = match(said.text, head))
            return all((*found)["s"] == f64(own.subcore) && (*found)["n"] == f64(facts.end()) &&
                           (contains(said.text, issues.error.in(picture_.language)) ||
                            contains(said.text, issues.errorBrief.in(picture_.language))),
                       "it is another time");
    if (!said.isHover && !said.hover.empty())
        if (const std::optional<bool> holds = texts.ofCell(said.text, said.hover))
            return all(*holds, "the issue of this row has no such number");
    // Cards and their hovers, rows and strips: line by line. A line that is cut stands whole in its hover.
    if (!said.isHover && said.text.ends_with("…")) {
        const std::string begin = said.text.substr(0, said.text.size() - 3);
        for (const std::string& line : linesOf(said.hover))
            if (line.starts_with(begin)) return all(true, "");
    }
    bool isKnown = true, holds = true;
    for (const std::string& line : lines) {
        if (tokensOf(line).empty()) continue;
        const std::optional<bool> one = texts.ofLine(line);
        isKnown = isKnown && one.has_value();
        holds = holds && one.value_or(true);
    }
    if (isKnown) return all(holds, "the record has it otherwise");
    if (said.isHover) return;
    // On a row: "long scoreboard 531", or the cycles alone.
    if (const auto brief = match(said.text, "* {n}");
        brief && facts.isSomeWait(own.subcore, own.shown, (*brief)["n"]))
        return all(true, "");
    // A chip with the number of a sub-core, a cycle of the axis, the end of a scale.
    if (tokens_->size() == 1 && is("#", "#"))
        return all((*tokens_)[0].value <= f64(facts.end()), "the launch has ended by then");
    // Below a row that is low: "long scoreboard 531".
    if (const auto most = match(said.text, "{reason:text} {n}"); most && !said.hover.empty()) {
        for (const std::string& line : linesOf(said.hover))
            if (const auto sum = match(line, english() ? "{reason:text}: {n}" : "{reason:text}：{n}");
                sum && sum->text("reason") == most->text("reason"))
                return all((*sum)["n"] == (*most)["n"], "the row has another sum");
    }
}

}  // namespace lockstep::witness
