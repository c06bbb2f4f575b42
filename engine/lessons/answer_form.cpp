#include "lessons/answer_form.h"

#include "lessons/answer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace lockstep::lessons {
namespace {

struct InputRow {
    std::string_view kind;
    AnswerInput input;
};
constexpr std::array kInputs{
    InputRow{"number", AnswerInput::Number},     InputRow{"lanes", AnswerInput::Lanes},
    InputRow{"wavefronts", AnswerInput::Groups}, InputRow{"paths", AnswerInput::Groups},
    InputRow{"sectors", AnswerInput::Sectors},   InputRow{"line", AnswerInput::Line},
    InputRow{"cell", AnswerInput::Cell},         InputRow{"choice", AnswerInput::Choice},
    InputRow{"order", AnswerInput::Order},       InputRow{"difference", AnswerInput::Changes},
    InputRow{"round", AnswerInput::Sums},        InputRow{"barrier", AnswerInput::Line},
};

// Empty groups stay: somebody is about to fill them.
std::string textWithGaps(const std::vector<LaneMask>& groups) {
    std::string text;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (i > 0) text += " | ";
        if (!groups[i].empty()) text += textOf(groups[i]);
    }
    return text;
}

std::string textOfSectors(const std::set<s64>& sectors) {
    std::vector<std::string> parts;
    for (auto at = sectors.begin(); at != sectors.end();) {
        const s64 first = *at;
        s64 last = first;
        while (++at != sectors.end() && *at == last + 1)
            last = *at;
        parts.push_back(std::to_string(first) + (last > first ? "-" + std::to_string(last) : ""));
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

// Behind ".corner[1].y", where that follows.
std::size_t memberEnd(std::string_view text, std::size_t at) {
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    while (at + 1 < text.size() && text[at] == '.' && isLetter(text[at + 1])) {
        ++at;
        while (at < text.size() && isLetter(text[at]))
            ++at;
        while (at < text.size() && text[at] == '[') {
            const std::size_t close = text.find_first_not_of("0123456789", at + 1);
            if (close == text.npos || close == at + 1 || text[close] != ']') break;
            at = close + 1;
        }
    }
    return at;
}

}  // namespace

AnswerInput inputOf(std::string_view kind) {
    const auto found = std::ranges::find(kInputs, kind, &InputRow::kind);
    return found == kInputs.end() ? AnswerInput::Text : found->input;
}

std::string emptyAnswer(const Question& question) {
    if (inputOf(question.kind) != AnswerInput::Order) return {};
    std::vector<std::string> names;
    for (const Option& option : question.options)
        names.push_back(option.name);
    return fmt::format("{}", fmt::join(names, " < "));
}

std::string finished(AnswerInput input, std::string_view text) {
    if (input == AnswerInput::Sums) return fmt::format("{}", fmt::join(wordsIn(text), " "));
    // Text that cannot be read is judged as it is: the answer says why.
    const Expected<std::vector<LaneMask>> groups = groupsIn(text);
    if (input != AnswerInput::Groups || !groups) return std::string(text);
    std::vector<LaneMask> filled = *groups;
    std::erase_if(filled, [](LaneMask group) { return group.empty(); });
    return filled.empty() ? std::string() : textOf(filled);
}

LaneMask lanesBeingChosen(std::string_view text) { return lanesIn(text).value_or(LaneMask{}); }

std::vector<LaneMask> groupsBeingMade(std::string_view text) {
    std::vector<LaneMask> groups;
    const std::string plain = plainAnswer(text);
    for (std::size_t from = 0;;) {
        const std::size_t end = std::min(plain.find('|', from), plain.size());
        groups.push_back(lanesBeingChosen(std::string_view(plain).substr(from, end - from)));
        if (end == plain.size()) return groups;
        from = end + 1;
    }
}

std::set<s64> sectorsBeingChosen(std::string_view text) {
    const Expected<std::vector<s64>> list = listIn(text, kMostSectors);
    return list ? std::set<s64>(list->begin(), list->end()) : std::set<s64>();
}

std::vector<std::string> sumsBeingWritten(std::string_view text) { return wordsIn(text); }

std::string withLane(std::string_view text, std::size_t group, Lane lane, bool in) {
    std::vector<LaneMask> groups = groupsBeingMade(text);
    if (group >= groups.size()) groups.resize(group + 1);
    for (LaneMask& each : groups)
        each = each & ~LaneMask::of(lane);
    if (in) groups[group] = groups[group] | LaneMask::of(lane);
    return textWithGaps(groups);
}

std::string withGroup(std::string_view text) {
    std::vector<LaneMask> groups = groupsBeingMade(text);
    groups.emplace_back();
    return textWithGaps(groups);
}

std::string withSector(std::string_view text, s64 sector, bool in) {
    std::set<s64> sectors = sectorsBeingChosen(text);
    if (in)
        sectors.insert(sector);
    else
        sectors.erase(sector);
    return textOfSectors(sectors);
}

std::string withSum(std::string_view text, std::size_t place, std::string_view sum) {
    std::vector<std::string> sums = wordsIn(text);
    if (place >= sums.size()) sums.resize(place + 1);
    sums[place] = plainAnswer(sum);
    std::erase_if(sums, [](const std::string& each) { return each.empty(); });
    return fmt::format("{}", fmt::join(sums, " "));
}

std::optional<std::string> changeOf(std::string_view text, std::string_view quantity) {
    const std::vector<std::string> words = wordsIn(text);
    for (std::size_t i = 0; i + 1 < words.size(); i += 2)
        if (words[i] == quantity) return words[i + 1];
    return std::nullopt;
}

std::string withChange(const Question& question, std::string_view text, std::string_view quantity,
                       std::string_view change) {
    std::vector<std::string> parts;
    for (const std::string& name : question.changes) {
        const std::optional<std::string> said =
            name == quantity ? std::optional(std::string(change)) : changeOf(text, name);
        if (said) parts.push_back(name + " " + *said);
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> orderOf(const Question& question, std::string_view text) {
    std::vector<std::string> names;
    const auto isOption = [&](const std::string& name) {
        return std::ranges::find(question.options, name, &Option::name) != question.options.end();
    };
    const auto add = [&](const std::string& name) {
        if (isOption(name) && std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const std::string& word : wordsIn(text))
        add(word);
    for (const Option& option : question.options)
        add(option.name);
    return names;
}

std::string moved(const Question& question, std::string_view text, std::size_t from, std::size_t to) {
    std::vector<std::string> names = orderOf(question, text);
    if (from < names.size() && to < names.size()) {
        std::string name = std::move(names[from]);
        names.erase(names.begin() + std::ptrdiff_t(from));
        names.insert(names.begin() + std::ptrdiff_t(to), std::move(name));
    }
    return fmt::format("{}", fmt::join(names, " < "));
}

std::string elementNamedIn(std::string_view text, const std::vector<ArrayShape>& arrays) {
    const auto isLetter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    std::string first;
    std::size_t firstAt = text.size();
    for (const ArrayShape& array : arrays)
        for (std::size_t at = text.find(array.name + "["); at < firstAt;
             at = text.find(array.name + "[", at + 1)) {
            std::size_t end = at + array.name.size(), dimensions = 0;
            while (end < text.size() && text[end] == '[') {
                std::size_t close = end + 1;
                while (close < text.size() && std::isdigit(static_cast<unsigned char>(text[close])))
                    ++close;
                if (close == end + 1 || close >= text.size() || text[close] != ']') break;
                end = close + 1;
                ++dimensions;
            }
            if (dimensions != array.dimensions || (at > 0 && isLetter(text[at - 1]))) continue;
            end = memberEnd(text, end);
            first = text.substr(at, end - at);
            firstAt = at;
        }
    return first;
}

CellParts cellOf(std::string_view text) {
    const std::string plain = plainAnswer(text);
    CellParts cell{plain.substr(0, plain.find('[')), {}};
    for (std::size_t at = plain.find('['); at != std::string::npos; at = plain.find('[', at + 1)) {
        const std::size_t end = std::min(plain.find(']', at), plain.size());
        cell.indices.push_back(plain.substr(at + 1, end - at - 1));
    }
    return cell;
}

std::string textOf(const CellParts& cell) {
    std::string text = cell.array;
    for (const std::string& index : cell.indices) {
        text += "[";
        text += index;
        text += "]";
    }
    return text;
}

}  // namespace lockstep::lessons
