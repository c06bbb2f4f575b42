// The chart: every point, and the sentence, from the recording's run at that value or from what this run
// comes to.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lockstep::witness {
namespace {

// What the chart shows, told by its caption.
struct Shown {
    std::string_view en, zh;
    std::vector<std::string_view> sum, per{};  // of ncu's counters; neither: the time
};
const std::vector<Shown>& allShown() {
    constexpr std::string_view kLoads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld",
                               kStores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st",
                               kLoadRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld",
                               kStoreRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_st",
                               kLoadConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld",
                               kStoreConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st";
    static const std::vector<Shown> all{
        {"kernel time", "核函数用时", {}},
        {"sectors per global request",
         "每个全局请求的扇区数",
         {kLoads, kStores},
         {kLoadRequests, kStoreRequests}},
        {"extra wavefronts from bank conflicts", "因存储体冲突多出的波前", {kLoadConflicts, kStoreConflicts}},
        {"divergent PTX branches", "PTX 中的分化次数", {"ptx__branches_divergent"}},
        {"PTX thread instructions", "PTX 线程指令", {"ptx__thread_inst_executed"}}};
    return all;
}

template <class Find> std::optional<f64> sumOf(const std::vector<std::string_view>& keys, Find&& find) {
    std::optional<f64> sum;
    for (const std::string_view key : keys)
        if (const std::optional<f64> value = find(key)) sum = sum.value_or(0) + *value;
    return sum;
}

template <class Find> std::optional<f64> figureOf(const Shown& shown, Find&& find) {
    const std::optional<f64> sum = sumOf(shown.sum, find);
    if (!sum || shown.per.empty()) return sum;
    const std::optional<f64> per = sumOf(shown.per, find);
    return per && *per > 0 ? std::optional(*sum / *per) : std::nullopt;
}

}  // namespace

// The run of a recording that stands at this value of the parameter, else as the one on show.
const run::RecordedRun* Reader::recordedAt(const std::string& kernel, std::string_view parameter, s64 value,
                                           bool withCpu) const {
    const catalog::Experiment& own = *run_.run().catalog;
    for (const run::RecordedMachine& machine : w_.world_.machines)
        for (const run::RecordedRun& run : machine.recording.runs) {
            const std::size_t slash = run.kernel.find('/');
            if (run.kernel.substr(0, slash) != own.family->name ||
                (!kernel.empty() && run.kernel != kernel) || run.ending != run::Ending::Whole ||
                (withCpu && !run.cpuMilliseconds))
                continue;
            const bool hasIt = std::ranges::any_of(
                run.parameters, [&](const auto& setting) { return setting.first == parameter; });
            const bool isLike = std::ranges::all_of(run.parameters, [&](const auto& setting) {
                const catalog::Parameter& of = *own.family->findParameter(setting.first);
                return setting.second == (setting.first == parameter
                                              ? std::to_string(value)
                                              : of.shown(own.values.at(setting.first)));
            });
            if (hasIt && isLike) return &run;
        }
    return nullptr;
}

// "Tiles, no bounds checks, width = 64: 2.86 µs; recorded on NVIDIA H200, 2026-11-25.", and the sentence:
// "..., kernel time: 2.86 µs at width = 64, 16.9 ms at width = 4,096 (recorded on ...)."
void Reader::chartText(const Said& said) {
    if (!run_.run().catalog || !says(said.text, {" = "})) return;
    const catalog::Experiment& own = *run_.run().catalog;
    const auto caption = std::ranges::find_if(picture_.texts, &Said::isCaption);
    if (caption == picture_.texts.end()) return;
    const auto shown = std::ranges::find_if(
        allShown(), [&](const Shown& one) { return caption->text == (english() ? one.en : one.zh); });
    if (shown == allShown().end()) return;
    // What is on the second line says at which other parameters the point was made.
    const std::string_view text = std::string_view(said.text).substr(0, said.text.find('\n'));
    std::string_view parameter;
    for (const std::string& name : own.variant->parameters)
        if (contains(text, " " + name + " = ") || contains(text, "，" + name + " = ") ||
            contains(text, "：" + name + " = ") || contains(text, "，" + name + " ="))
            parameter = name;
    if (parameter.empty()) return;
    const bool isRecorded = contains(text, english() ? "recorded on " : "上记录"),
               isCounted = contains(text, english() ? "counted by the emulator" : "由模拟器按");
    if (!isRecorded && !isCounted) return;
    const catalog::Variant* variant = nullptr;
    for (const catalog::Variant& one : own.family->variants) {
        const std::string title = one.title.in(picture_.language);
        if (text.starts_with(title) &&
            (!variant || title.size() > variant->title.in(picture_.language).size()))
            variant = &one;
    }
    // With one variant alone its series are named by what they are.
    const bool isCpu = text.starts_with(english() ? "CPU loop" : "CPU 循环"),
               isWithCopies = text.starts_with(english() ? "kernel + transfers" : "核函数 + 传输"),
               isFirst = text.starts_with(english() ? "first launch" : "第一次启动");
    if (!variant && !isCpu) variant = own.variant;
    const auto recordedFigure = [&](const run::RecordedRun& run) -> std::optional<f64> {
        if (!shown->sum.empty())
            return figureOf(*shown, [&](std::string_view key) -> std::optional<f64> {
                const auto found = run.measured.counters.find(std::string(key));
                return found == run.measured.counters.end() ? std::nullopt : std::optional(found->second);
            });
        if (!run.measured.timing) return std::nullopt;
        const run::KernelTiming& timing = *run.measured.timing;
        if (isFirst) return run.host ? std::optional(run.host->firstMs) : std::nullopt;
        if (isWithCopies)
            return timing.kernel.median + timing.toDevice->milliseconds + timing.toHost->milliseconds;
        return timing.kernel.median;
    };
    // Where no run is as the one on show, one with other parameters beside this value stands there.
    const auto runsAt = [&](s64 value) {
        std::vector<const run::RecordedRun*> runs;
        const std::string kernel = own.family->name + "/" + variant->name;
        if (const run::RecordedRun* run = recordedAt(kernel, parameter, value, false)) return runs = {run};
        for (const run::RecordedMachine& machine : w_.world_.machines)
            for (const run::RecordedRun& run : machine.recording.runs)
                if (run.kernel == kernel && run.ending == run::Ending::Whole &&
                    std::ranges::count(run.parameters,
                                       std::pair(std::string(parameter), std::to_string(value))))
                    runs.push_back(&run);
        return runs;
    };
    const run::RecordedRun* first = nullptr;  // that the first value is of
    const auto figuresAt = [&](s64 value) {
        std::vector<f64> figures;
        if (isCounted) {
            if (variant != own.variant || own.values.at(std::string(parameter)) != value) return figures;
            const std::optional<f64> is = figureOf(*shown, [&](std::string_view key) -> std::optional<f64> {
                const auto found = w_.amounts().find(key);
                if (found == w_.amounts().end() || found->second.empty()) return std::nullopt;
                return f64(*found->second.begin());
            });
            if (is) figures.push_back(*is);
        } else if (isCpu) {
            for (const run::RecordedMachine& machine : w_.world_.machines)
                for (const run::RecordedRun& run : machine.recording.runs)
                    if (run.cpuMilliseconds && run.kernel.starts_with(own.family->name + "/") &&
                        std::ranges::count(run.parameters,
                                           std::pair(std::string(parameter), std::to_string(value))))
                        figures.push_back(*run.cpuMilliseconds);
        } else {
            for (const run::RecordedRun* run : runsAt(value))
                if (const std::optional<f64> is = recordedFigure(*run)) figures.push_back(*is);
        }
        return figures;
    };
    // Pairs of a value and a figure; the English sentence has the figure first.
    const std::vector<Token>& tokens = *tokens_;
    const bool figureFirst = english() && !said.isHover;
    for (std::size_t i = 0; i + 1 < tokens.size(); i += 2) {
        const Token &value = tokens[figureFirst ? i + 1 : i], &figure = tokens[figureFirst ? i : i + 1];
        const std::string before = text_.substr(0, value.begin);
        if (!before.ends_with(" = ") || value.begin >= text.size()) break;
        done_[i] = done_[i + 1] = true;
        const std::vector<f64> figures = figuresAt(s64(value.value));
        if (figures.empty())
            fail(said, written(value), "nothing is known there");
        else if (std::ranges::none_of(figures, [&](f64 is) { return rounds(figure, is); }))
            fail(said, written(figure), fmt::format("it is {}", figures.front()));
        if (i == 0 && !isCounted && variant && !isCpu)
            for (const run::RecordedRun* run : runsAt(s64(value.value)))
                if (const std::optional<f64> is = recordedFigure(*run); is && rounds(figure, *is) && !first)
                    first = run;
    }
    if (tokens.empty() || text.size() == said.text.size()) return;
    const run::RecordedRun* const run = first;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].begin < text.size()) continue;
        done_[i] = true;
        std::string_view name = std::string_view(text_).substr(0, tokens[i].begin);
        if (!name.ends_with(" = ")) continue;  // a label: "float4"
        name.remove_suffix(3);
        for (const char* before : {" ", "：", "、"})
            if (const std::size_t at = name.rfind(before); at != std::string_view::npos)
                name.remove_prefix(at + std::string_view(before).size());
        const catalog::Parameter* of = own.family->findParameter(std::string(name));
        std::string value = of && own.values.contains(of->name) ? of->shown(own.values.at(of->name)) : "";
        if (run)
            for (const auto& [known, is] : run->parameters)
                if (known == name) value = is;
        if (!isCounted && !run) continue;
        if (value != written(tokens[i])) fail(said, written(tokens[i]), fmt::format("{} is {}", name, value));
    }
}

}  // namespace lockstep::witness
