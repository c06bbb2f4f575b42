// The playground's picture of banks: each number at its place among the piles and the words in memory.
#include "witness/readers/playground/playground.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

namespace {

bool isNear(f32 a, f32 b, f32 slack = 1.5f) { return std::fabs(a - b) <= slack; }
f32 rightOf(const Said& said) { return 2 * said.at.x - said.left; }

}  // namespace

// The pieces, each drawn before the same word in memory; and the scales that they stand on.
void PlaygroundReader::piles() {
    std::set<std::array<u32, 3>> known;
    for (const Said& said : picture_.texts) {
        if (!said.isHover) continue;
        auto slots = is(said, "Lane {lane} accesses word {word}: bank {bank}, wavefront {pass}.",
                        "通道 {lane} 访问字 {word}：存储体 {bank}，第 {pass} 个波前。");
        if (!slots)
            slots = is(said,
                       "Lanes {lanes:list} access the same word {word}: bank {bank}, wavefront {pass}, "
                       "served together.",
                       "通道 {lanes:list} 访问同一个字 {word}：存储体 {bank}，第 {pass} 个波前，一次送达。");
        if (!slots) continue;
        const u32 bank = u32((*slots)["bank"]), pass = u32((*slots)["pass"]);
        if (!known.insert({bank, pass, u32(s32((*slots)["word"]))}).second) continue;
        std::set<u32> lanes;
        if (slots->numbers.contains("lane"))
            lanes = {u32((*slots)["lane"])};
        else
            lanes = lanesIn(slots->text("lanes")).value_or(lanes);
        piles_.push_back({&said, bank, pass, s32((*slots)["word"]), std::move(lanes), said.at});
    }
    // What a bank delivers in one wavefront is side by side, in the order of the words.
    std::map<std::pair<u32, u32>, std::vector<Pile*>> together;
    for (Pile& pile : piles_)
        together[{pile.bank, pile.pass}].push_back(&pile);
    for (auto& [at, parts] : together) {
        std::ranges::sort(parts, {}, &Pile::word);
        for (std::size_t i = 1; i < parts.size(); ++i)
            expect(*parts[i]->said,
                   parts[i]->said->left >= rightOf(*parts[i - 1]->said) &&
                       isNear(parts[i]->said->at.y, parts[0]->said->at.y, 0.6f),
                   "place", "over another word of its bank and pass");
        for (Pile* part : parts)
            part->middle.x = (parts.front()->said->left + rightOf(*parts.back()->said)) / 2;
    }
    const auto scaleOf = [&](u32 Pile::*number, f32 viz::Point::*axis) {
        Scale scale;
        if (piles_.empty()) return scale;
        const auto [least, most] = std::ranges::minmax_element(piles_, {}, number);
        const f32 apart = f32((*most).*number) - f32((*least).*number);
        if (apart > 0) scale.each = (most->middle.*axis - least->middle.*axis) / apart;
        scale.origin = least->middle.*axis - f32((*least).*number) * scale.each;
        for (const Pile& pile : piles_)
            expect(*pile.said, isNear(scale.origin + f32(pile.*number) * scale.each, pile.middle.*axis, 0.6f),
                   "place", "not where its bank and its pass are");
        return scale;
    };
    banks_ = scaleOf(&Pile::bank, &viz::Point::x);
    passes_ = scaleOf(&Pile::pass, &viz::Point::y);
}

// A number without a word: its place says which bank, byte or wavefront it is.
bool PlaygroundReader::tick(const Said& said, f64 number) const {
    const u32 banks = played_.device().banks();
    for (const Said& other : picture_.texts) {
        if (&other == &said || other.isHover || other.isSentence || other.isCaption) continue;
        const bool isRow = isNear(other.top, said.top, 0.6f);
        if (isRow && other.text == (english() ? "bank" : "存储体") && other.left < said.left) {
            if (banks_.each > 0) return isNear(banks_.origin + f32(number) * banks_.each, said.at.x);
            // All pieces in one bank: 0 stands first, and the others at even distances.
            const Said *first = nullptr, *second = nullptr;
            for (const Said& tick : picture_.texts)
                if (!tick.isHover && isNear(tick.top, said.top, 0.6f)) {
                    if (tick.text == "0") first = &tick;
                    if (tick.text == "1") second = &tick;
                }
            return number < banks && first && second &&
                   isNear(first->at.x + f32(number) * (second->at.x - first->at.x), said.at.x);
        }
        if (isRow && other.text == (english() ? "bank 0" : "存储体 0")) return number == banks - 1;
        auto first = match(other.text, english() ? "byte {byte}" : "字节 {byte}");
        if (!first) first = match(other.text, "{byte} B");
        if (first && isRow && (columnOf(other) == columnOf(said)))
            for (const Said& box : picture_.texts) {  // the segment that begins there
                if (!box.isHover || !isNear(box.left + 2.5f, said.left, 1) || box.top < said.top - 4)
                    continue;
                const auto slots =
                    is(box, "{bytes} bytes from byte {from}**", "从第 {from} 字节起的 {bytes} 字节**");
                if (slots) return (*slots)["from"] == number;
            }
    }
    // Beside the piles: a wavefront, and which lane it serves.
    for (const Pile& pile : piles_) {
        if (!isNear(pile.said->at.y, said.at.y, 2)) continue;
        if (rightOf(said) < pile.said->left && f64(pile.pass) == number && said.face == viz::Face::Mono)
            return true;
        if (said.left > pile.said->at.x && said.face == viz::Face::TextBold &&
            pile.lanes == std::set{u32(number)})
            return true;
    }
    return false;
}

// "lanes 0–15", "16–19,…": beside the first wavefront of a group.
bool PlaygroundReader::lanesOfGroup(const Said& said) {
    std::string list = said.text;
    const std::string word = english() ? "lanes " : "通道 ", dots = "…";
    if (list.starts_with(word)) list.erase(0, word.size());
    const bool isCut = list.ends_with(dots);
    if (isCut) list.resize(list.size() - dots.size());
    for (const std::string_view end : {std::string_view(","), std::string_view("、"), std::string_view("–"),
                                       std::string_view(" "), std::string_view(",")})
        if (isCut && list.ends_with(end)) list.resize(list.size() - end.size());
    const auto lanes = lanesIn(list);
    if (!lanes) return false;
    for (const LaneMask group : sharedGroups(played_.access(trace::Space::Shared), played_.device())) {
        std::set<u32> all;
        for (const Lane lane : group)
            all.insert(lane.value);
        // Cut in the middle of a number: its first digit is left.
        std::set<u32> first = *lanes;
        if (isCut && !all.contains(*first.rbegin())) first.erase(*first.rbegin());
        const bool fits =
            isCut ? std::ranges::includes(all, first) && (first.empty() || *first.begin() == *all.begin())
                  : *lanes == all;
        if (!fits) continue;
        for (const Pile& pile : piles_)
            if (isNear(pile.said->at.y, said.at.y, 2) && rightOf(said) < pile.said->left &&
                std::ranges::includes(all, pile.lanes))
                return true;
    }
    return false;
}

// Words in memory: as many side by side as the banks give at once, each with its element.
void PlaygroundReader::wordsInPlace() {
    struct Box {
        const Said* said;
        f64 first, last;  // words that it may be
    };
    std::map<int, std::vector<Box>> rows;
    std::set<int> withElements;
    const f64 width = played_.pattern().widthBytes;
    for (const Said& said : picture_.texts) {
        if (!said.isHover) continue;
        const f32 high = 2 * (said.at.y - said.top), wide = 2 * (said.at.x - said.left);
        if (std::fabs(high - wide) > 0.01f) continue;
        const int row = int(std::lround(said.top * 4));
        if (const auto slots = is(said, "Element {element}", "元素 {element}")) {
            const f64 byte = (*slots)["element"] * width;
            rows[row].push_back({&said, std::floor(byte / 4), std::floor((byte + width - 1) / 4)});
            withElements.insert(row);
        } else if (const auto touched = is(said, "**word {word}: bank**", "**字 {word}：存储体**"))
            rows[row].push_back({&said, (*touched)["word"], (*touched)["word"]});
    }
    for (auto& [row, boxes] : rows) {
        if (!withElements.contains(row) || boxes.size() < 2) continue;
        std::ranges::sort(boxes, {}, [](const Box& box) { return box.said->left; });
        const f32 pitch = 2 * (boxes[0].said->at.x - boxes[0].said->left) + 1;
        f64 least = -INFINITY, most = INFINITY;
        for (const Box& box : boxes) {
            const f64 at = std::round((box.said->left - boxes[0].said->left) / pitch);
            least = std::max(least, box.first - at), most = std::min(most, box.last - at);
            if (least > most) {
                fail(*box.said, box.said->text, "not the word at this place");
                break;
            }
        }
    }
}

}  // namespace lockstep::witness
