#include "lessons/asked_step.h"

#include "base/nearest.h"
#include "base/text/counted.h"
#include "catalog/values/expression.h"
#include "catalog/values/number_text.h"
#include "explain/sentences/lane_lists.h"
#include "lessons/prose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace lockstep::lessons {
namespace {

constexpr Words kNone = english("an empty set of lanes or lines", "none");

using Settings = std::vector<std::pair<std::string, std::string>>;

const std::string* settingIn(const Settings& settings, std::string_view name) {
    const auto found = std::ranges::find(settings, name, &std::pair<std::string, std::string>::first);
    return found == settings.end() ? nullptr : &found->second;
}

void draw(Place& place, const std::string& name, const std::string& value) {
    if (const CursorPart* part = findCursorPart(name)) {
        part->put(place, u32(*catalog::parseWhole(value)));
        return;
    }
    std::erase_if(place.settings, [&](const auto& setting) { return setting.first == name; });
    place.settings.emplace_back(name, value);
}

// Whether another place has it from the step's own.
bool inherits(const Place& other, const Place& own, const std::string& name) {
    if (const CursorPart* part = findCursorPart(name)) return part->of(other) == part->of(own);
    const std::string *a = settingIn(other.settings, name), *b = settingIn(own.settings, name);
    return a && b ? *a == *b : !a && !b;
}

// SplitMix64: Steele, Lea, Flood 2014.
u64 mixed(u64 value) {
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

const std::string& drawnValue(const Varied& varied, u64 seed, u64 number) {
    return varied.values[seed == 0 ? 0 : mixed(mixed(seed) + number) % varied.values.size()];
}

std::string signedText(s64 value) {
    return (value < 0 ? "-" : "") + grouped(value < 0 ? 0 - u64(value) : u64(value));
}

bool isPlural(std::string_view words) {
    return words.find('|') != std::string_view::npos && std::ranges::all_of(words, [](char c) {
               return c == '|' || c == ' ' || c == '-' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                      c < 0;
           });
}

Unexpected noSuch(std::string_view name, const PlaceOnShow& place) {
    const Lane lane = place.cursor.lane;
    return fail(
        FaultKind::Usage,
        place.active().has(lane)
            ? Message(english("the place has no {0}"), name)
            : Message(english("the place has no {0}: its lane {1} is inactive there"), name, lane.value));
}

}  // namespace

Place drawnPlace(const LessonStep& step, u64 seed) {
    Place place = step.place;
    for (std::size_t i = 0; i < step.varied.size(); ++i)
        draw(place, step.varied[i].name, drawnValue(step.varied[i], seed, i));
    return place;
}

Expected<AskedStep> AskedStep::ask(const LessonStep& step, LessonRuns& runs, u64 seed) {
    if (step.hasMistake && step.place.kernel.empty())
        return fail(
            FaultKind::Usage,
            Message(english("the header of the step '{0}' has a mistake (lockstep lesson check shows it)"),
                    step.id),
            {{}, step.question.fileLine, 0});
    AskedStep asked;
    asked.step_ = &step;
    asked.place_ = drawnPlace(step, seed);
    std::map<std::string, Place, std::less<>> others = step.others;
    for (std::size_t i = 0; i < step.varied.size(); ++i)
        for (auto& [name, place] : others)
            if (inherits(place, step.place, step.varied[i].name))
                draw(place, step.varied[i].name, drawnValue(step.varied[i], seed, i));
    Expected<PlaceOnShow> on = runs.find(asked.place_);
    if (!on) return Unexpected{on.error()};
    asked.on_ = std::move(*on);
    asked.on_.round = step.question.round;
    asked.values_ = *runs.valuesOf(asked.place_);
    asked.words_ = runs.wordsOf(asked.place_);
    for (const auto& [name, place] : others) {
        Expected<PlaceOnShow> other = runs.find(place);
        if (!other) return Unexpected{other.error()};
        other->round = step.question.round;
        asked.others_.emplace(name, std::move(*other));
        asked.otherValues_.emplace(name, *runs.valuesOf(place));
        for (auto& [parameter, word] : runs.wordsOf(place))
            asked.words_.emplace(fmt::format("{}_{}", name, parameter), std::move(word));
    }
    asked.otherPlaces_ = std::move(others);
    return asked;
}

const PlaceOnShow* AskedStep::other(std::string_view name) const {
    const auto found = others_.find(name);
    return found == others_.end() ? nullptr : &found->second;
}

const Place* AskedStep::otherPlace(std::string_view name) const {
    const auto found = otherPlaces_.find(name);
    return found == otherPlaces_.end() ? nullptr : &found->second;
}

AskedStep::Named AskedStep::named(std::string_view name) const {
    if (const Quantity* quantity = findQuantity(name)) return {quantity, &on_, {}};
    const std::size_t line = name.find('_');
    if (line == std::string_view::npos) return {};
    const PlaceOnShow* place = other(name.substr(0, line));
    return {place ? findQuantity(name.substr(line + 1)) : nullptr, place, std::string(name.substr(0, line))};
}

std::vector<AskedStep::Named> AskedStep::quantitiesIn(std::string_view expression) const {
    std::vector<Named> all;
    const Expected<std::set<std::string>> names = catalog::namesIn(expression);
    if (!names) return all;
    const auto isOfName = [](char c) { return c == '_' || std::isalnum(u8(c)); };
    for (std::size_t at = 0; at < expression.size(); ++at) {
        const std::size_t begin = at;
        while (at < expression.size() && isOfName(expression[at]))
            ++at;
        const std::string name(expression.substr(begin, at - begin));
        if (!names->contains(name)) continue;
        const Named found = named(name);
        const auto isSame = [&](const Named& other) {
            return other.quantity == found.quantity && other.place == found.place;
        };
        if (found.quantity && std::ranges::none_of(all, isSame)) all.push_back(found);
    }
    return all;
}

Expected<s64> AskedStep::valueOf(const std::string& name, const Extra& extra) const {
    if (const auto found = extra.find(name); found != extra.end()) return found->second;
    if (const Named found = named(name); found.quantity) {
        const std::optional<s64> value = numberOf(*found.quantity, *found.place);
        return value ? Expected<s64>(*value) : noSuch(name, *found.place);
    }
    if (const auto found = values_.find(name); found != values_.end()) return found->second;
    if (name == "time") return place_.time;
    if (const std::size_t line = name.find('_'); line != std::string::npos)
        if (const auto other = otherValues_.find(name.substr(0, line)); other != otherValues_.end())
            if (const auto found = other->second.find(name.substr(line + 1)); found != other->second.end())
                return found->second;
    std::vector<std::string> known;
    for (const Quantity& quantity : quantities())
        known.emplace_back(quantity.name);
    for (const auto& [parameter, value] : values_)
        known.push_back(parameter);
    return fail(FaultKind::Usage, Message(english("there is no quantity or parameter '{0}'{1}"), name,
                                          didYouMean(name, known)));
}

Expected<s64> AskedStep::number(std::string_view expression, const Extra& extra) const {
    const auto names = catalog::namesIn(expression);
    if (!names) return Unexpected{names.error()};
    catalog::Values scope;
    for (const std::string& name : *names) {
        Expected<s64> value = valueOf(name, extra);
        if (!value) return value;
        scope[name] = *value;
    }
    return catalog::evaluate(expression, scope);
}

Expected<LaneMask> AskedStep::lanes(std::string_view name) const {
    const Named found = named(name);
    const LanesOf* of = found.quantity ? std::get_if<LanesOf>(&found.quantity->of) : nullptr;
    if (!of) return fail(FaultKind::Usage, Message(english("'{0}' is no quantity of lanes"), name));
    const std::optional<LaneMask> lanes = (*of)(*found.place);
    return lanes ? Expected<LaneMask>(*lanes) : noSuch(name, *found.place);
}

Expected<std::string> AskedStep::name(std::string_view name) const {
    const Named found = named(name);
    const NameOf* of = found.quantity ? std::get_if<NameOf>(&found.quantity->of) : nullptr;
    if (!of) return fail(FaultKind::Usage, Message(english("'{0}' is no quantity that is a name"), name));
    const std::optional<std::string> text = (*of)(*found.place);
    return text ? Expected<std::string>(*text) : noSuch(name, *found.place);
}

Expected<std::vector<u32>> AskedStep::lines(std::string_view name) const {
    const Named found = named(name);
    if (const LinesOf* of = found.quantity ? std::get_if<LinesOf>(&found.quantity->of) : nullptr)
        return (*of)(*found.place);
    const Expected<s64> line = number(name);
    if (!line) return Unexpected{line.error()};
    return std::vector{u32(*line)};
}

// {wavefronts}, {padded_wavefronts - 1}, {active_lanes}, {element}, {wavefronts:wavefront|wavefronts}.
Expected<std::string> AskedStep::figure(std::string_view inside, Language language) const {
    const std::size_t colon = inside.rfind(':');
    if (colon != std::string_view::npos && isPlural(inside.substr(colon + 1))) {
        const Expected<s64> value = number(inside.substr(0, colon));
        if (!value) return Unexpected{value.error()};
        const std::string_view words = inside.substr(colon + 1);
        const std::size_t bar = words.find('|');
        return std::string(*value == 1 ? words.substr(0, bar) : words.substr(bar + 1));
    }
    if (const auto word = words_.find(inside); word != words_.end()) return word->second;
    if (const Named found = named(inside); found.quantity) {
        if (std::holds_alternative<NameOf>(found.quantity->of)) return name(inside);
        if (std::holds_alternative<LanesOf>(found.quantity->of)) {
            const Expected<LaneMask> mask = lanes(inside);
            if (!mask) return Unexpected{mask.error()};
            return mask->empty() ? say(language, kNone) : explain::lanesInBrief(*mask, language);
        }
        if (const LinesOf* of = std::get_if<LinesOf>(&found.quantity->of)) {
            std::string text;
            for (const u32 line : (*of)(*found.place))
                text += (text.empty() ? "" : ", ") + std::to_string(line);
            return text.empty() ? say(language, kNone) : text;
        }
    }
    const Expected<s64> value = number(inside);
    if (!value) return Unexpected{value.error()};
    return signedText(*value);
}

Expected<std::string> AskedStep::filled(std::string_view text, Language language) const {
    std::vector<Fault> mistakes;
    std::string out = fill(text, language, mistakes);
    if (!mistakes.empty()) return Unexpected{std::move(mistakes.front())};
    return out;
}

std::vector<Fault> AskedStep::mistakesIn(std::string_view text, Language language) const {
    std::vector<Fault> mistakes;
    fill(text, language, mistakes);
    return mistakes;
}

std::string AskedStep::fill(std::string_view text, Language language, std::vector<Fault>& mistakes) const {
    std::string out;
    const auto add = [&](Fault fault, u32 line) {
        fault.place.line = line;
        mistakes.push_back(std::move(fault));
    };
    for (const Stretch& stretch : stretchesOf(text)) {
        std::string_view left = stretch.text;
        while (stretch.kind != Stretch::Kind::Fence) {
            const std::size_t open = left.find('{'), close = left.find('}', open);
            if (open == std::string_view::npos) break;
            if (close == std::string_view::npos) {
                add(fail(FaultKind::Usage, Message(english("the '{0}' before \"{1}\" has no '{2}'"), '{',
                                                   left.substr(open + 1, 20), '}'))
                        .value(),
                    stretch.line);
                break;
            }
            const std::string_view inside = left.substr(open + 1, close - open - 1);
            out.append(left.substr(0, open));
            if (const Expected<std::string> figured = figure(inside, language))
                out.append(*figured);
            else {
                Fault fault = figured.error();
                fault.message = Message(english("{0}{1}{2}: {3}"), '{', inside, '}', fault.message);
                add(std::move(fault), stretch.line);
            }
            left.remove_prefix(close + 1);
        }
        out.append(left);
    }
    return out;
}

}  // namespace lockstep::lessons
