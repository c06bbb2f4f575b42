// The page of the issue timeline on what hides latency: the launch with all its warps and with one at a time,
// how many warps would be enough, fewer blocks, Little's law. Each number is added up once more.
#include "time/model/time_profile.h"
#include "witness/forms.h"
#include "witness/readers/reader.h"
#include "witness/record/issues.h"

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using time::Stall;

// What one page is about.
struct HidingPicture {
    HidingPicture(std::shared_ptr<const run::IssueRun> issues, const RunFacts& run, Dim3 grid, u32 warp)
        : own(std::move(issues)),
          facts(*own, run, grid),
          subcore(own->sm.warps[warp].subcore),
          blocks(grid.count()) {
        if (!own->hiding) return;
        auto changed = std::make_shared<run::IssueRun>(*own);
        changed->sm = own->hiding->alone;
        alone = std::move(changed);
        aloneFacts.emplace(*alone, run, grid);
    }

    u64 end() const { return std::max(facts.end(), aloneFacts ? aloneFacts->end() : 0); }
    // Of either record of the sub-core some warp is so.
    template <class IsIt> bool someWarp(IsIt&& isIt) const {
        for (const IssueFacts* one : {&facts, aloneFacts ? &*aloneFacts : nullptr})
            for (u32 w = 0; one && w < one->issues().sm.warps.size(); ++w)
                if (one->warp(w).subcore == subcore && isIt(*one, w)) return true;
        return false;
    }
    bool hasWaitOf(f64 cycles) const {
        return someWarp([&](const IssueFacts& of, u32 w) {
            return std::ranges::any_of(of.warp(w).waits, [&](const time::WaitRecord& wait) {
                return f64(wait.end - wait.begin) == cycles;
            });
        });
    }
    bool hasWaitFor(f64 cycles, const Numbers& place) const {
        return someWarp([&](const IssueFacts& of, u32 w) {
            const time::WarpRecord& warp = of.warp(w);
            return std::ranges::any_of(warp.waits, [&](const time::WaitRecord& wait) {
                return f64(wait.end - wait.begin) == cycles && wait.issue < warp.issues.size() &&
                       of.placeOf(warp.issues[wait.issue].instruction) == place;
            });
        });
    }

    // Cycles per issue, to a tenth, of the warps as they are.
    f64 cyclesPerIssue() const {
        u64 issues = 0, cycles = 0;
        for (u32 w = 0; w < own->sm.warps.size(); ++w) {
            const time::WarpRecord& warp = own->sm.warps[w];
            if (warp.subcore != subcore) continue;
            const CycleRange all{warp.begin, warp.end};
            issues += facts.issued(w, all), cycles += all.cycles();
            const std::map<Stall, u64> waited = facts.waited(w, all);
            if (const auto ready = waited.find(Stall::NotSelected); ready != waited.end())
                cycles -= ready->second;
        }
        return issues ? std::round(10 * f64(cycles) / f64(issues)) / 10 : 0;
    }

    std::shared_ptr<const run::IssueRun> own, alone;
    IssueFacts facts;
    std::optional<IssueFacts> aloneFacts;
    u32 subcore = 0;
    u64 blocks = 0;  // of the grid
};

namespace {

// Loads of global memory by all warps of the SM.
struct Loads {
    explicit Loads(const time::SmRecord& sm) {
        u64 first = ~u64{0}, last = 0;
        for (const time::WarpRecord& warp : sm.warps)
            first = std::min(first, warp.begin), last = std::max(last, warp.end);
        cycles = f64(last - first);
        std::vector<u64> begins, ends;
        f64 sectors = 0;
        for (const time::RequestRecord& request : sm.requests) {
            if (request.level == time::MemoryLevel::Shared || request.isStore || request.end <= request.begin)
                continue;
            begins.push_back(request.begin), ends.push_back(request.end);
            together += f64(request.end - request.begin), sectors += request.sectors;
        }
        count = f64(begins.size()), bytes = 32 * sectors / count;
        std::ranges::sort(begins), std::ranges::sort(ends);
        for (std::size_t i = 0; i < begins.size(); ++i) {
            const auto done = std::ranges::upper_bound(ends, begins[i]) - ends.begin();
            most = std::max(most, f64(i + 1) - f64(done));
        }
    }
    f64 count = 0, together = 0, cycles = 0, bytes = 0, most = 0;
    f64 latency() const { return together / count; }
};

bool isNear(f64 said, f64 value, f64 half) { return std::fabs(said - value) <= half * 1.0001; }

class HidingText {
public:
    HidingText(const HidingPicture& page, const run::Run& run, const Picture& picture)
        : p_(page), run_(run), picture_(picture), loads_(page.own->sm) {
        if (const time::TimeProfile* times = time::timeProfileOf(run.profile); times && page.own->sms) {
            share_ = 32 * times->dramSectorsPerCycle / f64(page.own->sms);
            needed_ = std::ceil(share_ * loads_.latency() / loads_.bytes);
        }
    }

    std::optional<bool> of(const Said& said) const {
        if (said.text.find('\n') != std::string::npos) return std::nullopt;
        if (const auto chip = form(said.text, "Show sub-core {s}", "显示子核心 {s}")) return (*chip)["s"] < 4;
        for (const auto part : {&HidingText::ofLaunch, &HidingText::ofLoads, &HidingText::ofRows})
            if (const std::optional<bool> holds = (this->*part)(said.text)) return holds;
        return ofBar(said);
    }

private:
    std::optional<Slots> form(std::string_view text, std::string_view en, std::string_view zh) const {
        return match(text, picture_.language == Language::English ? en : zh);
    }

    std::optional<bool> ofLaunch(std::string_view text) const {
        const std::optional<run::HidingTimes>& hiding = p_.own->hiding;
        if (const auto all = form(text, "All warps take turns: {a} cycles on this SM, {n} for the launch",
                                  "所有线程束轮流发射：在这个多处理器上 {a} 个周期，整次启动 {n} 个"))
            return hiding && (*all)["a"] == f64(p_.facts.end()) && (*all)["n"] == f64(hiding->elapsedCycles);
        const auto isFactor = [&](f64 said) {
            const f64 factor = f64(hiding->aloneCycles) / f64(hiding->elapsedCycles);
            return isNear(said, factor, factor < 9.95 ? 0.05 : 0.5);
        };
        if (const auto one = form(
                text, "One warp at a time: {a} cycles on this SM, {n} for the launch, {x} times as long**",
                "一次只执行一个线程束：在这个多处理器上 {a} 个周期，整次启动 {n} 个，是原来的 {x} 倍**"))
            return hiding && (*one)["a"] == f64(p_.aloneFacts->end()) &&
                   (*one)["n"] == f64(hiding->aloneCycles) && isFactor((*one)["x"]);
        if (const auto sentence =
                form(text,
                     "With one warp at a time the launch takes {x} times as long: {a} cycles "
                     "instead of {b}. **",
                     "一次只执行一个线程束时，这次启动用时是原来的 {x} 倍：{a} 个周期而不是 {b} 个。**"))
            return hiding && isFactor((*sentence)["x"]) && (*sentence)["a"] == f64(hiding->aloneCycles) &&
                   (*sentence)["b"] == f64(hiding->elapsedCycles);
        if (const auto same =
                form(text, "With one warp at a time the launch takes as long as it is, {a} cycles: **",
                     "一次只执行一个线程束时，这次启动同样需 {a} 个周期：**"))
            return hiding && (*same)["a"] == f64(hiding->elapsedCycles);
        if (const auto enough = form(
                text,
                "While it is resident, a warp of this sub-core issues in one of {x} cycles. So "
                "about {n} such warps issue in every cycle, **",
                "这个子核心上的线程束驻留期间，平均每 {x} 个周期发射一次。所以大约要 {n} 个这样的线程束，**"))
            return (*enough)["x"] == p_.cyclesPerIssue() && (*enough)["n"] == std::ceil(p_.cyclesPerIssue());
        if (const auto few = form(text, "The grid has {n} block* for {m} SMs: *",
                                  "网格有 {n} 个线程块，多处理器有 {m} 个：*"))
            return (*few)["n"] == f64(p_.blocks) && (*few)["m"] == f64(run_.profile.multiprocessors) &&
                   (*few)["n"] <= (*few)["m"];
        if (const auto at = form(text, "cycle {n}", "第 {n} 周期")) {
            u64 begin = ~u64{0}, end = 0;
            for (const time::WarpRecord& warp : p_.own->sm.warps)
                begin = std::min(begin, warp.begin), end = std::max(end, warp.end);
            return (*at)["n"] == f64(begin) || (*at)["n"] == f64(end);
        }
        const auto isOccupancy = [&](const Slots& said) {
            return hiding && std::ranges::any_of(hiding->occupancy, [&](const auto& one) {
                       return said["b"] == one.blocksPerSm && said["w"] == one.warpsPerSm;
                   });
        };
        for (const auto& [en, zh] :
             {std::pair("{b} block* per SM, {w} warp*", "每个多处理器 {b} 个线程块，{w} 个线程束"),
              std::pair("{b} block* per SM, {w} warp* (as it is)",
                        "每个多处理器 {b} 个线程块，{w} 个线程束（不改变时）")})
            if (const auto blocks = form(text, en, zh)) return isOccupancy(*blocks);
        for (const std::string_view en :
             {"Sub-core {s} of the SM that runs this block: {n} cycles **", "Sub-core {s}, {n} cycles **"})
            if (const auto head = match(text, en))
                return (*head)["s"] == p_.subcore && (*head)["n"] == f64(p_.facts.end());
        for (const std::string_view zh :
             {"运行此线程块的 SM 的子核心 {s}：{n} 个周期**",
              "运行此线程块的多处理器的子核心 {s}：{n} 个周期**", "子核心 {s}，{n} 个周期**"})
            if (const auto head = match(text, zh))
                return (*head)["s"] == p_.subcore && (*head)["n"] == f64(p_.facts.end());
        return std::nullopt;
    }

    std::optional<bool> ofLoads(std::string_view text) const {
        if (const auto law =
                form(text,
                     "{n} global load* of this SM / {c} cycles × {x} cycles each = {y} in flight on "
                     "average.",
                     "此多处理器的 {n} 次全局读取 / {c} 个周期 × 每次 {x} 个周期 = 平均 {y} 次在途。"))
            return (*law)["n"] == loads_.count && (*law)["c"] == loads_.cycles &&
                   isNear((*law)["x"], loads_.latency(), 0.05) &&
                   isNear((*law)["y"], loads_.together / loads_.cycles, 0.005);
        if (const auto share =
                form(text,
                     "Its share of device memory's bandwidth is {b} B per cycle: to use all of it at "
                     "this latency, {n} loads of {k} B have to be in flight.",
                     "它分到的设备内存带宽是每周期 {b} B：在这样的延迟下要用满带宽，需有 {n} 次 {k} B "
                     "的读取同时在途。"))
            return isNear((*share)["b"], share_, 0.05) && (*share)["n"] == needed_ &&
                   isNear((*share)["k"], loads_.bytes, 0.5);
        return std::nullopt;
    }

    // On the rows of warps.
    std::optional<bool> ofRows(std::string_view text) const {
        for (const auto& [en, zh] :
             {std::pair("*, {n} cycle*: value of {place:text}", "*，{n} 个周期：{place:text}的值")})
            if (const auto of = form(text, en, zh))
                return p_.hasWaitFor((*of)["n"], numbersIn(of->text("place")));
        if (const auto whole = form(text, "*, {n} cycle*", "*，{n} 个周期"))
            return p_.hasWaitOf((*whole)["n"]);
        if (const auto ends = form(text, "ended in cycle {n}", "在第 {n} 周期结束"))
            return p_.someWarp(
                [&](const IssueFacts& of, u32 w) { return f64(of.warp(w).end - 1) == (*ends)["n"]; });
        if (const auto starts = form(text, "not started before cycle {n}", "第 {n} 周期之前尚未开始"))
            return p_.someWarp(
                [&](const IssueFacts& of, u32 w) { return f64(of.warp(w).begin) == (*starts)["n"]; });
        if (text.ends_with('.')) return std::nullopt;
        if (form(text, "Warp {w}", "线程束 {w}") ||
            form(text, "Warp {w} of block **", "线程块 ** 的线程束 {w}"))
            return p_.someWarp([&](const IssueFacts& of, u32 w) {
                return sortedNumbers(of.nameOf(w)) == sortedNumbers(numbersIn(text));
            });
        return std::nullopt;
    }

    // A number alone: at the end of a bar, whose name stands left of it; a cycle of the axis; on a row.
    std::optional<bool> ofBar(const Said& said) const {
        const bool english = picture_.language == Language::English;
        const auto cycles = match(said.text, english ? "{n} cycle*" : "{n} 个周期");
        const auto alone = match(said.text, "{n}");
        if (!cycles && !alone) {
            if (const auto brief = match(said.text, "* {n}")) return p_.hasWaitOf((*brief)["n"]);
            return std::nullopt;
        }
        std::string name;
        f32 right = -1;
        for (const Said& other : picture_.texts)
            if (!other.isHover && std::fabs(other.at.y - said.at.y) < 3 && other.left < said.left &&
                other.left > right && !match(other.text, "{n}"))
                name = other.text, right = other.left;
        const std::optional<run::HidingTimes>& hiding = p_.own->hiding;
        if (cycles) {
            const auto row =
                form(name, "{b} block* per SM, {w} warp**", "每个多处理器 {b} 个线程块，{w} 个线程束**");
            return row && hiding && std::ranges::any_of(hiding->occupancy, [&](const auto& one) {
                       return one.blocksPerSm == (*row)["b"] && f64(one.elapsedCycles) == (*cycles)["n"];
                   });
        }
        const f64 number = (*alone)["n"];
        const std::vector<std::tuple<std::string_view, std::string_view, f64>> bars{
            {"warps of this sub-core at a time", "此子核心同时有的线程束",
             f64(p_.facts.warpsAtOnce(p_.subcore))},
            {"warps that it has room for", "容得下的线程束", f64(run_.profile.warpsPerSm) / 4},
            {"warps that would be enough", "够用的线程束", std::ceil(p_.cyclesPerIssue())},
            {"in flight on average", "平均在途", loads_.together / loads_.cycles},
            {"in flight at most", "最多在途", loads_.most},
            {"needed for all of the bandwidth", "用满带宽所需", needed_}};
        for (const auto& [en, zh, value] : bars)
            if (name == (english ? en : zh)) return isNear(number, value, value < 100 ? 0.005 : 0.5);
        if (name == (english ? "cycle" : "周期") || name.empty()) return number <= f64(p_.end());
        // The axis of the loads in flight.
        if (number == 0 || number == loads_.most) return true;
        return p_.hasWaitOf(number);
    }

    const HidingPicture& p_;
    const run::Run& run_;
    const Picture& picture_;
    const Loads loads_;
    f64 share_ = 0, needed_ = 0;
};

}  // namespace

void Reader::hidingText(const Said& said) {
    if (!picture_.issues || !picture_.issues->run) return issueText(said);  // why there is none
    const std::shared_ptr<const run::IssueRun>& issues = picture_.issues->run;
    if (cursor_.warp.value >= issues->warps.size() || issues->warps[cursor_.warp.value] == time::kNotRecorded)
        return;
    if (!hidingPicture_)
        hidingPicture_ =
            std::make_shared<HidingPicture>(issues, run_, launch_.grid, issues->warps[cursor_.warp.value]);
    const HidingPicture& page = *hidingPicture_;
    const auto all = [&](bool isTrue, const char* why) {
        done_.assign(tokens_->size(), true);
        if (!isTrue) fail(said, said.text, why);
    };
    // A chip with the number of a sub-core.
    if (is("#", "#") && tokens_->size() == 1 && said.at.y < 80)
        return all((*tokens_)[0].value < 4, "no such sub-core");
    if (const std::optional<bool> holds = HidingText(page, run_.run(), picture_).of(said))
        return all(*holds, "the record has it otherwise");
    if (!said.isHover) return;
    // What a part of a row tells the mouse.
    std::vector<std::string> lines = linesOf(said.text);
    if (said.leadsTo && match(lines.back(), english() ? "Go to step {n}" : "跳到第 {n} 步")) lines.pop_back();
    const auto isSome = [&](auto&& isIt) {
        return isIt(page.facts) || (page.aloneFacts && isIt(*page.aloneFacts));
    };
    // An issue, with the instruction below it.
    if (lines.size() == 2 && page.facts.isText(lines[1])) {
        const Numbers numbers = numbersIn(lines[0]);
        return all(isSome([&](const IssueFacts& facts) {
                       return std::ranges::any_of(
                           numbers, [&](f64 number) { return facts.isIssueIn(numbers, u64(number)); });
                   }),
                   "no such issue");
    }
    const auto span =
        match(lines.back(), english() ? "Cycles {a} to {b} (modeled)" : "第 {a} 到 {b} 周期（建模）");
    const auto cycle = match(lines.back(), english() ? "Cycle {a} (modeled)" : "第 {a} 周期（建模）");
    if (lines.size() < 2 || (!span && !cycle)) return;
    const CycleRange range = span ? CycleRange{u64((*span)["a"]), u64((*span)["b"]) + 1}
                                  : CycleRange{u64((*cycle)["a"]), u64((*cycle)["a"]) + 1};
    Numbers sums;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
        for (const f64 number : numbersIn(lines[i]))
            sums.push_back(number);
    const Numbers first = numbersIn(lines.front());
    all(isSome([&](const IssueFacts& facts) {
            return facts.isSums(sums, range) || facts.isWaitIn(first, range) ||
                   facts.isRequestIn(first, range);
        }),
        "no warp has such sums there");
}

}  // namespace lockstep::witness
