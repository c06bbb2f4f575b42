#include "witness/record/times.h"

#include "witness/tokens.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace lockstep::witness {
namespace {

// Sums of products of names and numbers in brackets, with one choice by type: all that family.toml says of
// work.
class Work {
public:
    Work(std::string text, const Settings& settings, const catalog::Family& family)
        : text_(std::move(text)), settings_(settings), family_(family) {
        std::erase(text_, ' ');
        const std::string choice = "(type==i64||type==f64?8:4)";
        if (const std::size_t at = text_.find(choice); at != std::string::npos) {
            const std::string type = named("type");
            text_.replace(at, choice.size(), type == "i64" || type == "f64" ? "8" : "4");
        }
    }
    f64 value() {
        if (text_.empty()) return 0;
        f64 sum = product();
        while (at_ < text_.size() && text_[at_] == '+')
            ++at_, sum += product();
        return at_ == text_.size() ? sum : 0;
    }

private:
    std::string named(const std::string& name) const {
        for (const auto& [parameter, value] : settings_)
            if (parameter == name) return value;
        const catalog::Parameter* parameter = family_.findParameter(name);
        if (!parameter) return {};
        return parameter->isChoice() ? parameter->choices[std::size_t(parameter->defaultValue)]
                                     : std::to_string(parameter->defaultValue);
    }
    f64 product() {
        f64 value = one();
        while (at_ < text_.size() && text_[at_] == '*')
            ++at_, value *= one();
        return value;
    }
    f64 one() {
        const std::size_t from = at_;
        while (at_ < text_.size() && (std::isalnum(u8(text_[at_])) || text_[at_] == '_'))
            ++at_;
        std::string word = text_.substr(from, at_ - from);
        if (word.empty()) return 0;
        if (!std::isdigit(u8(word[0]))) word = named(word);
        return word.empty() ? 0 : std::strtod(word.c_str(), nullptr);
    }
    std::string text_;
    const Settings& settings_;
    const catalog::Family& family_;
    std::size_t at_ = 0;
};

f64 workOf(const catalog::Family& family, const catalog::Variant& variant, const Settings& settings) {
    return Work(variant.work.operations.empty() ? variant.work.bytes : variant.work.operations, settings,
                family)
        .value();
}

std::string shown(const catalog::Parameter& parameter, s64 value) {
    return parameter.isChoice() ? parameter.choices[std::size_t(value)] : std::to_string(value);
}

Settings settingsOf(const catalog::Experiment& experiment) {
    Settings settings;
    for (const std::string& name : experiment.variant->parameters)
        settings.emplace_back(name,
                              shown(*experiment.family->findParameter(name), experiment.values.at(name)));
    return settings;
}

// Nothing that both name differs; and if they are to be of one kind, one has all names of the other.
bool agree(const Settings& a, const Settings& b, bool ofOneKind) {
    std::size_t common = 0;
    for (const auto& [name, value] : a)
        for (const auto& [otherName, other] : b)
            if (name == otherName) {
                if (value != other) return false;
                ++common;
            }
    return !ofOneKind || common == std::min(a.size(), b.size());
}

bool tellsTime(const run::RecordedRun& run) {
    return run.measured.timing || run.ending != run::Ending::Whole;
}

}  // namespace

bool isRecordedSize(const World& world, const std::string& family, const Settings& settings) {
    for (const run::RecordedMachine& machine : world.machines)
        for (const run::RecordedRun& run : machine.recording.runs)
            if (run.kernel.starts_with(family + "/") && std::ranges::all_of(settings, [&](const auto& pair) {
                    return std::ranges::find(run.parameters, pair) != run.parameters.end();
                }))
                return true;
    return false;
}

const RecordedTime* RecordedTimes::of(const catalog::Variant* variant) const {
    const auto found = std::ranges::find(times, variant, &RecordedTime::variant);
    return found == times.end() ? nullptr : &*found;
}
const RecordedTime* RecordedTimes::changedBy(const RecordedTime& time) const {
    for (const RecordedTime& other : times)
        if (time.variant && other.variant && other.variant->name == time.variant->after && other.ended())
            return &other;
    return nullptr;
}
const RecordedTime* RecordedTimes::fastest() const {
    const RecordedTime* best = nullptr;
    for (const RecordedTime& time : times)
        if (time.variant && time.ended() && time.run->correct.value_or(true) &&
            (!best || time.milliseconds < best->milliseconds))
            best = &time;
    return best;
}

const RecordedTime* RecordedTimes::fastestLike(const RecordedTime& like) const {
    const RecordedTime* best = nullptr;
    for (const RecordedTime& time : times)
        if (time.variant && time.ended() && time.run->correct.value_or(true) && like.work > 0 &&
            time.work == like.work && (!best || time.milliseconds < best->milliseconds))
            best = &time;
    return best;
}

bool areUnlike(const RecordedTime& a, const RecordedTime& b) {
    const bool isAlone = a.run->measured.timing->batch == 1,
               isOtherAlone = b.run->measured.timing->batch == 1;
    return isAlone != isOtherAlone && (isAlone ? a : b).milliseconds < 0.05;
}

std::optional<RecordedTimes> recordedTimes(const World& world, const run::Run& run) {
    if (!run.catalog) return std::nullopt;
    const catalog::Family& family = *run.catalog->family;
    const catalog::Variant& variant = *run.catalog->variant;
    RecordedTimes times;
    for (const run::RecordedMachine& machine : world.machines) {
        for (const run::RecordedRun& recorded : machine.recording.runs)
            if (recorded.kernel == family.name + "/" + variant.name && tellsTime(recorded) &&
                std::ranges::find(times.sizes, recorded.parameters) == times.sizes.end())
                times.sizes.push_back(recorded.parameters);
        if (times.sizes.empty()) continue;
        times.recording = &machine.recording;
        break;
    }
    if (!times.recording) return std::nullopt;
    const Settings& own = times.own = settingsOf(*run.catalog);
    for (const Settings& size : times.sizes)
        if (agree(own, size, false)) {
            times.size = size, times.isTheRuns = true;
            break;
        }
    f64 least = INFINITY;
    for (const Settings& size : times.sizes) {
        if (times.isTheRuns) break;
        f64 unlike = 0;
        for (const auto& [name, value] : own)
            if (std::ranges::find(size, std::pair(name, value)) == size.end()) unlike += 1e6;
        const f64 mine = workOf(family, variant, own), its = workOf(family, variant, size);
        if (mine > 0 && its > 0) unlike += std::fabs(std::log(its) - std::log(mine));
        if (unlike < least) least = unlike, times.size = size;
    }
    times.countsOperations = !variant.work.operations.empty();
    const f64 amount = workOf(family, variant, times.size);
    const run::RecordedRun* loop = nullptr;
    std::optional<RecordedTime> first;
    f64 loopWork = 0;
    for (const catalog::Variant& one : family.variants) {
        RecordedTime& time = times.times.emplace_back(RecordedTime{.variant = &one});
        for (const run::RecordedRun& recorded : times.recording->runs)
            if (recorded.kernel == family.name + "/" + one.name && tellsTime(recorded) &&
                agree(times.size, recorded.parameters, amount <= 0) &&
                workOf(family, one, recorded.parameters) == amount) {
                time.run = &recorded;
                break;
            }
        if (!time.ended()) continue;
        time.milliseconds = time.run->measured.timing->kernel.median;
        time.work = workOf(family, one, time.run->parameters);
        if (const RecordedTime* changed = times.changedBy(time); changed && !areUnlike(*changed, time))
            time.step = changed->milliseconds / time.milliseconds;
        if (!first)
            first = time;
        else if (!areUnlike(*first, time))
            time.total = first->milliseconds / time.milliseconds;
        if (!loop && time.run->cpuMilliseconds) loop = time.run, loopWork = time.work;
    }
    if (loop)
        times.times.push_back(
            {.variant = nullptr, .run = loop, .milliseconds = *loop->cpuMilliseconds, .work = loopWork});
    for (const run::RecordedRun& recorded : times.recording->runs)
        for (const catalog::Family& other : world.catalog.families())
            for (const catalog::Variant& copy : other.variants)
                if (copy.work.isLimit && recorded.kernel == other.name + "/" + copy.name &&
                    recorded.measured.timing)
                    times.copyRate =
                        std::max(times.copyRate, workOf(other, copy, recorded.parameters) /
                                                     recorded.measured.timing->kernel.median * 1000);
    return times;
}

const run::RecordedRun* recordedOf(const World& world, const run::Run& run) {
    if (!run.catalog) return nullptr;
    const Settings own = settingsOf(*run.catalog);
    for (const run::RecordedMachine& machine : world.machines)
        for (const run::RecordedRun& recorded : machine.recording.runs)
            if (recorded.kernel == run.catalog->family->name + "/" + run.catalog->variant->name &&
                recorded.parameters == own)
                return &recorded;
    return nullptr;
}

}  // namespace lockstep::witness
