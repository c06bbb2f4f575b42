// Questions whose answer is a number, a set of lanes, a cell or a line of source.
#include "base/device_addresses.h"
#include "base/text/lines.h"
#include "explain/access/warp_steps.h"
#include "explain/arrays/shared_arrays.h"
#include "explain/branches.h"
#include "explain/sentences/address_names.h"
#include "explain/sentences/words.h"
#include "explain/source/source_line.h"
#include "lessons/answer_text.h"
#include "lessons/kinds.h"

#include <algorithm>
#include <cctype>
#include <ranges>
#include <span>

namespace lockstep::lessons {
namespace {

constexpr Words kNumber = english("a whole number, as 8 or 1,024");
constexpr Words kLanes = english("lanes, as 0-7, 12 or 0-30/2 for every second one; none is an answer, too");
constexpr Words kCell = english("an element, as M[1][0] or points[5].x");
constexpr Words kLine = english("the number of a source line");

Expected<std::string> textOfNumber(const AskedStep& asked, std::string_view expression) {
    const Expected<s64> value = asked.number(expression);
    return value ? Expected<std::string>(std::to_string(*value)) : Unexpected{value.error()};
}
Expected<std::string> truthOfNumber(const AskedStep& asked) {
    return textOfNumber(asked, asked.question().answer);
}

Expected<Judged> judgeNumber(const AskedStep& asked, std::string_view answer) {
    const std::optional<s64> given = numberAmongWords(answer);
    if (!given) return unreadable(kNumber);
    const Expected<s64> value = asked.number(asked.question().answer);
    if (!value) return Unexpected{value.error()};
    Judged judged = right(std::to_string(*given));
    if (*given != *value) {
        Message size = *given > *value ? Message(english("{0} is too large."), *given)
                                       : Message(english("{0} is too small."), *given);
        Message clues = clueAgainst(asked, *value, *given > *value);
        if (clues.empty()) clues = cluesTo(asked, asked.question().answer, std::span(&*value, 1));
        if (clues.empty()) {
            judged = wrong(std::move(judged.plain), std::move(size));
            judged.isBare = true;
        } else {
            judged = wrong(std::move(judged.plain), std::move(clues));
            judged.lead = std::move(size);
            judged.isBare = false;
        }
    }
    judged.answer = *given;
    return judged;
}

std::vector<std::string> usualNumbers(const AskedStep& asked) {
    std::vector<std::string> all;
    if (const Expected<s64> value = asked.number(asked.question().answer))
        for (const s64 other : {*value + 1, *value * 2 + 2, s64(0), s64(1), *value - 1})
            all.push_back(std::to_string(other));
    return all;
}

Expected<std::string> textOfLanes(const AskedStep& asked, std::string_view name) {
    const Expected<LaneMask> mask = asked.lanes(name);
    return mask ? Expected<std::string>(textOf(*mask)) : Unexpected{mask.error()};
}
Expected<std::string> truthOfLanes(const AskedStep& asked) {
    return textOfLanes(asked, asked.question().answer);
}

// How many lanes do not belong to the answer, and why one of them does not.
Message reasonAgainst(const AskedStep& asked, LaneMask extra) {
    if (extra.empty()) return {};
    const AskedStep::Named named = asked.named(asked.question().answer);
    const u32 exist = explain::lanesOf(*named.place->here.block, named.place->cursor.warp);
    const LaneMask real = extra & LaneMask::firstLanes(exist);
    if (real.empty())
        return Message(english("The warp has {0} {0:lane|lanes} only: there is no lane {1}."), exist,
                       extra.lowest().value);
    const Lane one = real.lowest();
    const Message first =
        extra.count() == 1
            ? Message(english("Lane {0} is wrong."), one.value)
            : Message(english("{0} of the lanes that you named are wrong, for example lane {1}."),
                      extra.count(), one.value);
    return named.quantity->ofLane ? joined(first, named.quantity->ofLane(*named.place, one)) : first;
}

Expected<Judged> judgeLanes(const AskedStep& asked, std::string_view answer) {
    const Expected<LaneMask> given = lanesIn(answer);
    if (!given) return unreadable(kLanes);
    const Expected<LaneMask> mask = asked.lanes(asked.question().answer);
    if (!mask) return Unexpected{mask.error()};
    const auto withCount = [&](Judged judged) {
        judged.answer = judged.count = given->count();
        return judged;
    };
    if (*given == *mask) return withCount(right(textOf(*given)));
    const LaneMask extra = *given & ~*mask, missing = *mask & ~*given;
    constexpr int kFew = 2;  // a clue may name as many
    Message reason = joined(reasonAgainst(asked, extra), missingLanes(missing));
    const AskedStep::Named named = asked.named(asked.question().answer);
    const bool namesNone = named.quantity && named.quantity->isOfActivity;
    if (extra.empty() && (mask->count() > kFew || namesNone))
        reason = joined(std::move(reason), cluesTo(asked, asked.question().answer));
    return withCount(wrong(textOf(*given), std::move(reason)));
}

std::vector<std::string> usualLanes(const AskedStep& asked) {
    std::vector<std::string> all{"0-31", "none", "0", "0-15"};
    if (const Expected<LaneMask> mask = asked.lanes(asked.question().answer)) all.push_back(textOf(~*mask));
    return all;
}

std::string plainCell(std::string_view text) {
    std::string plain = lowered(plainAnswer(text));
    std::erase(plain, ' ');
    for (std::size_t at; (at = plain.find(',')) != std::string::npos;)  // M[1,0]
        plain.replace(at, 1, "][");
    return plain;
}

Expected<std::string> truthOfCell(const AskedStep& asked) { return asked.name(asked.question().answer); }

struct ElementParts {
    std::string array;
    std::vector<std::string> indices;  // each in brackets
    std::string form;                  // the element without them: "points[].x"
    bool hasMember() const { return form.find('.') != std::string::npos; }
};
ElementParts partsOf(const std::string& element) {
    ElementParts parts{element.substr(0, element.find('[')), {}, {}};
    for (std::size_t at = 0; at < element.size();) {
        const std::size_t open = std::min(element.find('[', at), element.size()),
                          end = std::min(element.find(']', open), element.size() - 1) + 1;
        parts.form += element.substr(at, open - at);
        if (open == element.size()) break;
        parts.form += "[]";
        parts.indices.push_back(element.substr(open, end - open));
        at = end;
    }
    return parts;
}

// Of a matrix; else empty.
std::string withIndicesReversed(const std::string& element) {
    const ElementParts parts = partsOf(element);
    if (parts.indices.size() < 2 || parts.hasMember()) return {};
    std::string text = parts.array;
    for (const std::string& index : std::views::reverse(parts.indices))
        text += index;
    return text;
}

// Where the element that was named stands in memory: how row and column make its number, and on which side of
// it the thread's own lies. Empty: it is no element of that matrix.
Message placeInMemory(const AskedStep& asked, const std::string& given) {
    const PlaceOnShow& on = asked.on();
    const u64 address = on.access ? on.access->addresses[on.cursor.lane.value] : 0;
    const std::optional<u32> buffer = bufferOfAddress(address);
    if (!on.access || on.access->space != trace::Space::Global || !buffer ||
        *buffer >= on.run->recording.initial.size() || on.run->recording.initial[*buffer].shape.size() != 2)
        return {};
    const Buffer& array = on.run->recording.initial[*buffer];
    const ElementParts parts = partsOf(given);
    if (plainCell(array.name) != parts.array || parts.indices.size() != 2) return {};
    const auto index = [&](std::size_t i) {
        return numberIn(std::string_view(parts.indices[i]).substr(1, parts.indices[i].size() - 2))
            .value_or(0);
    };
    const s64 columns = s64(array.shape[1]), number = index(0) * columns + index(1),
              own = (s64(address) - s64(deviceAddressOf(*buffer))) / info(array.type).bytes;
    return Message(
        own > number
            ? english("A row of {1} has {2} {2:element|elements}, so {0} is element {3} of {1} in the "
                      "order of memory, counted from 0: what the thread accesses comes later.")
            : english("A row of {1} has {2} {2:element|elements}, so {0} is element {3} of {1} in the "
                      "order of memory, counted from 0: what the thread accesses comes before."),
        array.name + parts.indices[0] + parts.indices[1], array.name, columns, number);
}

// Of an array in global memory: it has another number of indices, or ends before that; empty: it is there, or
// nothing is known of such an array.
Message noSuchElement(const AskedStep& asked, const std::string& given) {
    const ElementParts parts = partsOf(given);
    const std::vector<std::string>& indices = parts.indices;
    for (const Buffer& array : asked.on().run->recording.initial) {
        if (plainCell(array.name) != parts.array || array.shape.size() < 2) continue;
        if (indices.size() != array.shape.size())
            return Message(english("An element of {1} has {0} {0:index|indices}."), array.shape.size(),
                           array.name);
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const std::optional<s64> index =
                numberIn(std::string_view(indices[i]).substr(1, indices[i].size() - 2));
            if (!index || *index < 0 || u64(*index) >= array.shape[i])
                return array.shape.size() == 2
                           ? Message(
                                 english(
                                     "{0} has {1} {1:row|rows} of {2} {2:element|elements}, numbered from "
                                     "0: there is no such element."),
                                 array.name, array.shape[0], array.shape[1])
                           : Message(english("{0} has no such element."), array.name);
        }
    }
    return {};
}

bool isArray(const PlaceOnShow& on, const std::string& name) {
    const auto isIt = [&](const auto& array) { return plainCell(array.name) == name; };
    return std::ranges::any_of(on.run->recording.initial, isIt) ||
           std::ranges::any_of(explain::sharedArrays(*on.run, on.cursor.launch), isIt);
}

Message whichPartIsWrong(const PlaceOnShow& on, const std::string& given, const std::string& element) {
    const ElementParts said = partsOf(given), right = partsOf(element);
    if (said.array != right.array)
        return isArray(on, said.array) ? Message(english("It is an element of another array."))
                                       : Message(english("The kernel has no array {0}."), said.array);
    if (said.form != right.form) {
        if (right.hasMember() && !said.hasMember())
            return english("The elements have members: name the member, too.");
        if (said.hasMember()) return english("It is another member.");
        return Message(english("The element has {0} {0:index|indices}."), right.indices.size());
    }
    u32 wrong = 0;
    for (std::size_t i = 0; i < said.indices.size(); ++i)
        wrong += said.indices[i] != right.indices[i];
    return wrong == said.indices.size() ? english("The array is right, the index is not.")
                                        : english("Only one of the indices is wrong.");
}

// What another lane accesses there, from which the element of the cursor's lane follows; empty: it is the
// same one, or there is no other lane.
Message anotherLane(const PlaceOnShow& place, const std::string& element) {
    if (!place.access || !place.access->active.has(place.cursor.lane)) return {};
    const LaneMask others = place.access->active & ~LaneMask::of(place.cursor.lane);
    for (const Lane lane : others) {
        const std::string name =
            explain::nameOfAddress(*place.access, lane, *place.run->module, place.run->recording,
                                   explain::arrayShapes(*place.run, place.cursor.launch));
        if (!name.empty() && plainCell(name) != plainCell(element))
            return Message(english("Lane {0} accesses {1} here."), lane.value, name);
    }
    return {};
}

// "p[1][2]", "points[3].x": a name, whole numbers in brackets, members.
bool isCell(std::string_view plain) {
    const auto take = [&](auto takes) {
        std::size_t end = 0;
        while (end < plain.size() && takes(plain[end]))
            ++end;
        plain.remove_prefix(end);
        return end > 0;
    };
    const auto takeOne = [&](char c) {
        if (!plain.starts_with(c)) return false;
        plain.remove_prefix(1);
        return true;
    };
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    const auto isWord = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    if (isDigit(plain.empty() ? '0' : plain.front()) || !take(isWord)) return false;
    u32 indices = 0;
    while (!plain.empty()) {
        if (takeOne('.')) {
            if (!take(isWord)) return false;
            continue;
        }
        if (!takeOne('[')) return false;
        (void)takeOne('-');
        if (!take(isDigit) || !takeOne(']')) return false;
        ++indices;
    }
    return indices > 0;
}

Expected<Judged> judgeCell(const AskedStep& asked, std::string_view answer) {
    std::string given = plainCell(answer);
    // M(1,0) as in mathematics; its comma has become brackets.
    if (const std::size_t open = given.find('('); open != std::string::npos && given.ends_with(')'))
        given[open] = '[', given.back() = ']';
    if (!isCell(given)) return unreadable(kCell);
    const Expected<std::string> element = truthOfCell(asked);
    if (!element) return Unexpected{element.error()};
    if (given == plainCell(*element)) return right(given);
    if (Message none = noSuchElement(asked, given); !none.empty()) return wrong(given, std::move(none));
    Message reason = placeInMemory(asked, given);
    if (reason.empty()) reason = whichPartIsWrong(asked.on(), given, plainCell(*element));
    if (given == plainCell(withIndicesReversed(*element)))
        reason = joined(english("Row and column are exchanged."), std::move(reason));
    const AskedStep::Named named = asked.named(asked.question().answer);
    return wrong(given,
                 joined(std::move(reason), anotherLane(named.place ? *named.place : asked.on(), *element)));
}

// The indices the other way round, the first cell, the neighbor.
std::vector<std::string> usualCells(const AskedStep& asked) {
    const Expected<std::string> element = truthOfCell(asked);
    if (!element) return {};
    const ElementParts parts = partsOf(*element);
    const std::string member = parts.hasMember() ? element->substr(element->find('.')) : std::string();
    std::string first = parts.array, next = parts.array;
    for (std::size_t i = 0; i < parts.indices.size() && (i == 0 || member.empty()); ++i) {
        first += "[0]";
        next += i == 0 ? "[7]" : parts.indices[i];
    }
    std::vector<std::string> all{first + member, next + member};
    if (std::string reversed = withIndicesReversed(*element); !reversed.empty())
        all.insert(all.begin(), std::move(reversed));
    return all;
}

Expected<std::string> textOfLine(const AskedStep& asked, std::string_view name) {
    const Expected<std::vector<u32>> lines = asked.lines(name);
    if (!lines) return Unexpected{lines.error()};
    if (lines->empty()) return fail(FaultKind::Usage, Message(english("the run has no {0}"), name));
    return std::to_string(lines->front());
}
Expected<std::string> truthOfLine(const AskedStep& asked) {
    return textOfLine(asked, asked.question().answer);
}

// What the line that was named does; empty: what the right one does, too, as far as it is told.
Message whatIsAtLine(const AskedStep::Named& asked, const PlaceOnShow& place, s64 line) {
    const ptx::Module& module = *place.run->module;
    const explain::SourceLine at = explain::lineOf(module, place.here.step->pc);
    const std::string_view source =
        at.file < module.sources.size() ? std::string_view(module.sources[at.file]) : std::string_view();
    const auto lines = s64(linesOf(source).size());
    if (!source.empty() && (line < 1 || line > lines))
        return Message(english("The source has {0} {0:line|lines}."), lines);
    bool isThere = false, isBranch = false;
    for (u32 pc = 0; pc < module.instructions.size(); ++pc) {
        const explain::SourceLine here = explain::lineOf(module, Pc{pc});
        if (here.file != at.file || here.line != line) continue;
        isThere = true;
        isBranch |= explain::isConditionalBranch(module, Pc{pc});
    }
    if (!isThere) return Message(english("No instruction stands at line {0}."), std::to_string(line));
    const Quantity::Has has = asked.quantity ? asked.quantity->has : Quantity::Has::Access;
    if (has == Quantity::Has::Anything) return {};
    if (has == Quantity::Has::Branch)
        return isBranch
                   ? Message(english("No warp diverges at the branch in line {0}."), std::to_string(line))
                   : Message(english("No branch instruction stands at line {0}."), std::to_string(line));
    const bool accesses = std::ranges::any_of(place.run->report.sites, [&](const model::SiteReport& site) {
        return site.line == line && site.executions > 0;
    });
    return accesses ? Message() : Message(english("Line {0} accesses no memory."), std::to_string(line));
}

Expected<Judged> judgeLine(const AskedStep& asked, std::string_view answer) {
    const std::optional<s64> given = numberAmongWords(answer);
    if (!given) return unreadable(kLine);
    const Expected<std::vector<u32>> lines = asked.lines(asked.question().answer);
    if (!lines) return Unexpected{lines.error()};
    const bool isOne = std::ranges::find(*lines, *given) != lines->end();
    const AskedStep::Named named = asked.named(asked.question().answer);
    const Message first = named.quantity ? Message(english("Line {0} is not among the {1}."),
                                                   std::to_string(*given), named.quantity->meaning)
                                         : Message();
    const PlaceOnShow& place = named.place ? *named.place : asked.on();
    Judged judged =
        isOne ? right(std::to_string(*given))
              : wrong(std::to_string(*given), joined(joined(first, whatIsAtLine(named, place, *given)),
                                                     cluesTo(asked, asked.question().answer)));
    judged.answer = *given;
    return judged;
}

std::vector<std::string> usualLines(const AskedStep& asked) {
    std::vector<std::string> all{"1", "2"};
    if (const Expected<std::vector<u32>> lines = asked.lines(asked.question().answer);
        lines && !lines->empty())
        all.push_back(std::to_string(lines->back() + 1));
    return all;
}

}  // namespace

std::vector<QuestionKind> plainKinds() {
    return {
        {"number", kNumber, {"answer"}, truthOfNumber, judgeNumber, textOfNumber, usualNumbers},
        {"lanes", kLanes, {"answer"}, truthOfLanes, judgeLanes, textOfLanes, usualLanes},
        {"cell", kCell, {"answer"}, truthOfCell, judgeCell, nullptr, usualCells},
        {"line", kLine, {"answer"}, truthOfLine, judgeLine, textOfLine, usualLines},
    };
}

}  // namespace lockstep::lessons
