// The playground's pictures: heading, columns of devices, and the tooltips of lanes, bytes and words.
#include "model/profiles/card_names.h"
#include "witness/readers/playground/playground.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

PlaygroundReader::PlaygroundReader(Witness& witness, const Picture& picture)
    : w_(witness), picture_(picture), played_(*picture.play) {
    const auto fill = [&](Column& column, const model::Profile* device) {
        column.device = device;
        column.cost = globalCost(played_.access(Space::Global), deviceOf(*device));
        column.moved = movedBy(played_.access(Space::Global), deviceOf(*device));
    };
    fill(other_, picture.play->profile);
    columns();
    for (Column& column : columns_)
        fill(column, column.device);
    piles();
}

// "Compute capability 1.0 · G80", "cc 9.0 · H200": each is the head of a column.
void PlaygroundReader::columns() {
    for (const Said& said : picture_.texts) {
        if (said.isHover || said.isSentence || said.isCaption || said.face != viz::Face::TextBold) continue;
        for (const model::Profile& profile : model::profiles()) {
            const std::string number = fmt::format("{}.{}", profile.major, profile.minor);
            const auto cards = model::cardsOf(profile);
            for (const std::string& name :
                 {(english() ? "Compute capability " : "计算能力 ") + number, "cc " + number})
                if ((said.text == name || (!cards.empty() && said.text == name + " · " + cards.front())) &&
                    (columns_.empty() || columns_.back().left != said.left))
                    columns_.push_back({said.left, picture_.size.width, &profile, {}, {}});
        }
    }
    std::ranges::sort(columns_, {}, &Column::left);
    for (std::size_t i = 0; i + 1 < columns_.size(); ++i)
        columns_[i].right = columns_[i + 1].left;
}

// None: there is only the small picture, of the playground's device.
const PlaygroundReader::Column* PlaygroundReader::columnOf(const Said& said) const {
    for (const Column& column : columns_)
        if (said.left >= column.left - 2 && said.left < column.right - 2) return &column;
    return columns_.empty() ? &other_ : nullptr;
}

void PlaygroundReader::fail(const Said& said, std::string_view token, std::string why) {
    w_.failures.push_back(
        {w_.nameOfTrial() + fmt::format(", {} on {}", captionText(), picture_.play->profile->name),
         picture_.view, said.text, std::string(token), std::move(why), picture_.language, picture_.cursor});
}

void PlaygroundReader::look() {
    for (const Said& said : picture_.texts) {
        if (said.text.find_first_of("0123456789") == std::string::npos) continue;
        w_.of(picture_.view).read += tokensOf(said.text).size();
        if (joined_.contains(&said)) continue;
        const bool known = said.isHover
                               ? laneHover(said) || segmentHover(said) || wordHover(said) || deviceHover(said)
                               : label(said) || heading(said) || formula(said) || words(said) ||
                                     deviceText(said) || sentence(said) || notes(said);
        if (!known) fail(said, said.text, "no form that is known");
    }
    elementsInPlace();
    wordsInPlace();
}

std::string PlaygroundReader::captionText() const {
    const model::AccessPattern& pattern = played_.pattern();
    const auto moved =
        std::ranges::count_if(pattern.moved, [](const auto& place) { return place.has_value(); });
    const bool en = english(), shared = pattern.space == Space::Shared,
               load = pattern.operation == AccessKind::Load;
    std::string text = pattern.expression.empty() ? en ? "lanes placed by hand" : "手动摆放的通道"
                                                  : (en ? "element " : "元素 ") + pattern.expression;
    if (moved && !pattern.expression.empty())
        text += en ? fmt::format(" · {} lane{} set by hand", moved, moved == 1 ? "" : "s")
                   : fmt::format(" · 手动移动了 {} 个通道", moved);
    if (const u32 padding = pattern.rows.padding)
        text += en ? fmt::format(" · {} element{} of padding after every {}", padding,
                                 padding == 1 ? "" : "s", pattern.rows.elements)
                   : fmt::format(" · 每 {} 个元素后填充 {} 个", pattern.rows.elements, padding);
    if (pattern.rows.swizzled)
        text += en ? fmt::format(" · columns swizzled in rows of {}", pattern.rows.elements)
                   : fmt::format(" · 每行 {} 个元素，列号异或行号", pattern.rows.elements);
    if (en)
        return text + fmt::format(" · {} {} · {} byte{} per lane", shared ? "shared" : "global",
                                  load ? "load" : "store", pattern.widthBytes,
                                  pattern.widthBytes == 1 ? "" : "s");
    return text + fmt::format(" · {}内存{} · 每个通道 {} 字节", shared ? "共享" : "全局",
                              load ? "读取" : "写入", pattern.widthBytes);
}

// "Lane 5: element 10, from byte 40.", "Lane 6 is off."; "Element 37", whose place is looked at later.
bool PlaygroundReader::laneHover(const Said& said) {
    if (is(said, "Element {element}", "元素 {element}")) return true;
    if (const auto slots =
            is(said, "Lane {lane}: element {element}, from byte {byte}. Drag it to another place.",
               "通道 {lane}：元素 {element}，从第 {byte} 字节起。可以拖到别处。")) {
        const auto offset = played_.offset(u32((*slots)["lane"]));
        expect(said, offset && f64(*offset) == (*slots)["byte"], "byte", "the lane begins at another byte");
        expect(said, (*slots)["element"] * played_.pattern().widthBytes == (*slots)["byte"], "element",
               "not the element at that byte");
        return true;
    }
    if (const auto slots = is(said, "Lane {lane} is inactive. Drag it to a place to activate it.",
                              "通道 {lane} 处于非活动状态。拖到某处即可激活。")) {
        expect(said, !played_.offset(u32((*slots)["lane"])), "off", "the lane is on");
        return true;
    }
    return false;
}

// "32 bytes from byte 64, moved for lanes 3-6.": by the device of the column.
bool PlaygroundReader::segmentHover(const Said& said) {
    if (const auto slots = is(
            said, "The whole bar: {bytes} byte*, the most that any device shown transfers for this request.",
            "横条全长表示 {bytes} 字节，即所示各设备为这个请求传输的最大字节数。")) {
        u64 most = 0;
        for (const Column& column : columns_)
            most = std::max(most, column.cost.bytes);
        expect(said, (*slots)["bytes"] == f64(most), "bytes", fmt::format("it is {}", most));
        return true;
    }
    enum class How : u8 { Nobody, Asked, Moved };
    struct Form {
        How how;
        std::string_view en, zh;
    };
    constexpr std::array kForms{
        Form{How::Nobody, "{bytes} bytes from byte {from}: no lane uses any of them.",
             "从第 {from} 字节起的 {bytes} 字节：没有通道访问其中的字节。"},
        Form{How::Asked, "{bytes} bytes from byte {from}, accessed by lane* {lanes:list}.",
             "从第 {from} 字节起的 {bytes} 字节：{count} 个通道（{lanes:list}）用到其中的字节。"},
        Form{How::Moved, "{bytes} bytes from byte {from}, transferred for lane* {lanes:list}.",
             "从第 {from} 字节起的 {bytes} 字节，为 {count} 个通道（{lanes:list}）传输。"},
    };
    for (const Form& form : kForms) {
        const auto slots = is(said, form.en, form.zh);
        if (!slots) continue;
        const s64 from = s64((*slots)["from"]), bytes = s64((*slots)["bytes"]);
        std::set<u32> lanes = played_.lanesWith(from, bytes);
        const Column* column = columnOf(said);
        const bool isBelow = played_.pattern().space != Space::Global;
        if (isBelow) column = &other_;
        const auto isPiece = [&](const Moved& moved) {
            return s64(moved.start - Played::kZero) == from && s64(moved.bytes) == bytes;
        };
        if (!column) return fail(said, "bytes", "of no device"), true;
        const bool moved = std::ranges::any_of(column->moved, isPiece);
        const auto said_ = form.how == How::Nobody ? std::optional<std::set<u32>>(std::in_place)
                                                   : lanesIn(slots->text("lanes"));
        if (form.how == How::Moved) {
            expect(said,
                   (said_ == lanes && moved) ||
                       (said_ && std::ranges::any_of(column->moved,
                                                     [&](const Moved& one) {
                                                         return isPiece(one) &&
                                                                u32(one.lanes.count()) == said_->size() &&
                                                                std::ranges::all_of(*said_, [&](u32 lane) {
                                                                    return one.lanes.has(Lane{lane});
                                                                });
                                                     })),
                   "lanes", "the device moves no such bytes for these lanes");
        } else {
            expect(said, said_ == lanes, "lanes", "other lanes ask for these bytes");
            expect(said, !moved, "moved", "the device moves them");
        }
        if (slots->numbers.contains("count"))
            expect(said, said_ && (*slots)["count"] == f64(said_->size()), "count",
                   "not as many lanes as are listed");
        return true;
    }
    return false;
}

// "Lanes 0, 8 touch the same word 88: bank 24, pass 1, served together."
bool PlaygroundReader::wordHover(const Said& said) {
    auto slots = is(said, "Lane {lane} accesses word {word}: bank {bank}, wavefront {pass}.",
                    "通道 {lane} 访问字 {word}：存储体 {bank}，第 {pass} 个波前。");
    std::set<u32> lanes;
    if (slots)
        lanes = {u32((*slots)["lane"])};
    else {
        slots = is(
            said,
            "Lanes {lanes:list} access the same word {word}: bank {bank}, wavefront {pass}, served together.",
            "通道 {lanes:list} 访问同一个字 {word}：存储体 {bank}，第 {pass} 个波前，一次送达。");
        if (!slots) return false;
        lanes = lanesIn(slots->text("lanes")).value_or(lanes);
    }
    const Capability device = played_.device();
    const trace::WarpAccess access = played_.access(Space::Shared);
    const u64 word = Played::kZero / 4 + u64(s64((*slots)["word"]));
    const u32 bank = u32((*slots)["bank"]), pass = u32((*slots)["pass"]);
    expect(said, !lanes.empty(), "lanes", "no list of lanes");
    for (const u32 lane : lanes) {
        const bool reaches = access.active.has(Lane{lane}) && access.addresses[lane] / 4 <= word &&
                             word <= (access.addresses[lane] + access.widthBytes - 1) / 4;
        expect(said, reaches, std::to_string(lane), "the lane does not reach for this word");
    }
    expect(said, device.bankOf(word) == bank, "bank",
           fmt::format("word {} is in bank {}", (*slots)["word"], device.bankOf(word)));
    // Passes of a group follow those of the groups before it.
    const SharedCost cost = sharedCost(access, device, {});
    u32 done = 0;
    const std::vector<LaneMask> groups = sharedGroups(access, device);
    for (std::size_t g = 0; g < groups.size() && !lanes.empty(); ++g) {
        if (groups[g].has(Lane{*lanes.begin()})) {
            expect(said, pass > done && pass <= done + cost.perGroup[g], "pass",
                   fmt::format("its lanes are served in passes {} to {}", done + 1, done + cost.perGroup[g]));
            for (const u32 lane : lanes)
                expect(said, groups[g].has(Lane{lane}), std::to_string(lane), "a lane of another group");
        }
        done += cost.perGroup[g];
    }
    const auto [at, isNew] = served_.try_emplace({bank, pass}, device.givenAtOnce(word));
    expect(said, isNew || at->second == device.givenAtOnce(word), "pass",
           "the bank gives something else in this pass");
    return true;
}

// "Remove compute capability 1.0. GPUs with it: GeForce 8800 GTX, Tesla C870 (chip G80)."
bool PlaygroundReader::deviceHover(const Said& said) {
    struct Form {
        std::string_view en, zh;
        bool isShown, isFull;
    };
    constexpr std::array kForms{
        Form{"Add compute capability {device}{cards:text}", "添加计算能力 {device}{cards:text}", false,
             false},
        Form{"Show compute capability {device} in place of the one chosen first{cards:text}",
             "用计算能力 {device} 的规则换下最先选的那一种{cards:text}", false, true},
        Form{"Remove compute capability {device}{cards:text}", "移除计算能力 {device}{cards:text}", true,
             false},
        Form{"The rules of compute capability {device}; click another capability to add it{cards:text}",
             "计算能力 {device} 的规则；单击别的计算能力可添加对比{cards:text}", true, false}};
    for (const Form& form : kForms) {
        const auto slots = is(said, form.en, form.zh);
        if (!slots) continue;
        const auto device = std::ranges::find_if(model::profiles(), [&](const model::Profile& profile) {
            return (*slots)["device"] == std::stod(fmt::format("{}.{}", profile.major, profile.minor)) &&
                   said.text.find(fmt::format("{}.{}", profile.major, profile.minor)) != std::string::npos;
        });
        if (device == model::profiles().end()) return fail(said, "device", "no such device"), true;
        const std::span<const std::string> all = model::cardsOf(*device);
        const bool hasChip = device->major == 1;
        std::string cards;
        for (const std::string& card : all.subspan(hasChip))
            cards += (cards.empty() ? "" : english() ? ", " : "、") + card;
        if (hasChip)
            cards += fmt::format(fmt::runtime(english() ? " (chip {})" : "（芯片 {}）"), all.front());
        if (!cards.empty())
            cards = english() ? fmt::format(". GPUs with it: {}.", cards)
                              : fmt::format("。该计算能力的 GPU：{}。", cards);
        expect(said, slots->text("cards") == cards, "cards", "it is: " + cards);
        const bool isShown = std::ranges::any_of(columns_, [&](const Column& column) {
            return column.device->major == device->major && column.device->minor == device->minor;
        });
        expect(said, isShown == form.isShown, "device", isShown ? "it is on show" : "it is not on show");
        expect(said, form.isShown || form.isFull == (columns_.size() >= 3), "device",
               "whether there is room for one more");
        return true;
    }
    return false;
}

// "Element 37" along the rulers: side by side, and lanes at their own.
void PlaygroundReader::elementsInPlace() {
    constexpr f32 kRulerHeight = 16;
    const f32 width = f32(played_.pattern().widthBytes);
    struct Box {
        const Said* said;
        f64 element;
        f32 wide;
    };
    std::map<std::pair<int, int>, std::vector<Box>> rows;
    for (const Said& said : picture_.texts) {
        if (!said.isHover) continue;
        const f32 high = 2 * (said.at.y - said.top);
        const auto element = is(said, "Element {element}", "元素 {element}");
        const auto lane =
            element ? std::nullopt
                    : is(said, "Lane {lane}: element {element}, **", "通道 {lane}：元素 {element}，**");
        if (!element && !lane) continue;
        if (std::fabs(high - kRulerHeight) > 0.01f) continue;
        const Column* column = columnOf(said);
        rows[{int(std::lround(said.top * 4)), column ? int(column->left) : -1}].push_back(
            {&said, (element ? *element : *lane)["element"], 2 * (said.at.x - said.left)});
    }
    for (auto& [key, boxes] : rows) {
        std::ranges::stable_sort(boxes, {}, [](const Box& box) { return box.said->left; });
        for (std::size_t i = 1; i < boxes.size(); ++i) {
            const f64 apart = boxes[i].element - boxes[i - 1].element, bytes = boxes[i].element * width;
            const f32 gap = boxes[i].said->left - boxes[i - 1].said->left;
            const bool isSame = gap < 0.01f, isNext = gap < boxes[i - 1].wide + 1.51f;
            const bool right = isSame   ? apart == 0
                               : isNext ? apart == 1 || (apart > 0 && std::fmod(bytes, 128) == 0)
                                        : apart > 0 && std::fmod(bytes, 128) == 0;
            expect(*boxes[i].said, right, "element", "not the element at this place of the ruler");
        }
    }
}

}  // namespace lockstep::witness
