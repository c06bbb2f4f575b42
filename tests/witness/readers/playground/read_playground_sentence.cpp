// The playground's sentence, its notes, and the numbers that stand alone.
#include "witness/readers/playground/playground.h"
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

namespace {

// What a sentence says of a memory: places are figures by name; it has to hold.
struct Form {
    std::string en, zh;
    bool holds = true;
};

}  // namespace

// "The warp (27 of its 32 lanes) reads 216 bytes: 2 requests, 4 transactions, 320 bytes transferred, 216
// used."
bool PlaygroundReader::sentence(const Said& said) {
    if (!said.text.starts_with(english() ? "The warp" : "该线程束")) return false;
    const model::AccessPattern& pattern = played_.pattern();
    const trace::WarpAccess access = played_.access(pattern.space);
    const Capability device = played_.device();
    const Played::Figures figures = played_.figures(pattern.space, device);
    const auto figure = [&](std::string_view name) {
        const auto found = figures.find(name);
        return found == figures.end() ? NAN : found->second;
    };
    const bool load = pattern.operation == AccessKind::Load, isFree = figure("wavefronts") <= figure("ideal");
    std::set<s64> places;
    for (u32 lane = 0; lane < 32; ++lane)
        if (const auto offset = played_.offset(lane)) places.insert(*offset);
    const bool isGapless =
        (*places.rbegin() - *places.begin()) + s64(pattern.widthBytes) == s64(played_.used());
    const bool isLines =
        device.major > 1 && pattern.space == Space::Global && other_.cost.itemBytes.front() == 128;
    const bool isSectors = device.major > 1 && !isLines;
    std::vector<Form> bodies, costs;
    const std::string halves = halfWarpText(access, device, {}, english()) + (english() ? "." : "。");
    if (pattern.space == Space::Shared) {
        costs = {{"no conflict, {wavefronts} wavefront*.", "没有冲突，{wavefronts} 个波前。", isFree},
                 {"{wavefronts} wavefront* instead of {ideal}.",
                  "需要 {wavefronts} 个波前，而不是 {ideal} 个。", !isFree},
                 {"{wavefronts} wavefront*.", "{wavefronts} 个波前。", isFree}};
        const bool isWide = pattern.widthBytes > 4;
        bodies = {
            {"{lanes} × {width} bytes, served in {groups} groups of lanes, one after another: ",
             "{lanes} × {width} 字节，分成 {groups} 组通道依次处理：", isWide && figure("groups") > 1},
            {"{lanes} × {width} bytes, served as one group: ", "{lanes} × {width} 字节，作为一组一次处理：",
             isWide && figure("groups") == 1},
            {"one word for all {lanes} lanes: one read serves them all (broadcast), ",
             "的 {lanes} 个通道都读取同一个字：一次读取供所有通道共用（广播），",
             load && figure("words") == 1},
            {"one word from all {lanes} lanes: one of the values stays, ",
             "的 {lanes} 个通道都写入同一个字：只有其中一个值会留下，", !load && figure("words") == 1},
            {"{words} word*, all in bank {bank}: served one after another, ",
             "{words} 个字，全部落在存储体 {bank}：只能一个接一个地处理，", figure("banks") == 1},
            {"{words} word*, up to {most} in one bank: ", "{words} 个字，同一个存储体中最多有 {most} 个：",
             true},
            {"{words} word*, each in a bank of its own: ", "{words} 个字，各在不同的存储体：",
             figure("banks") == figure("words")},
            {"{words} word*: ", "{words} 个字：", true}};
        if (device.major == 1) {
            bodies = {{"{words} word*: ", "{words} 个字：", true}};
            const std::size_t at = said.text.find(halves);
            if (at == std::string::npos || at + halves.size() != said.text.size())
                return fail(said, "half-warp", "it is: " + halves), true;
            costs = {{halves, halves, true}};
        }
    } else {
        const bool isWhole = figure("moved") == figure("wanted"),
                   isSame = places.size() == 1 && figure("lanes") > 1;
        bodies = {
            {"{wanted} byte*: ", "{wanted} 字节：", !isSame},
            {load ? "{wanted} byte* for all {lanes} lanes: " : "{wanted} byte* from all {lanes} lanes: ",
             "{wanted} 字节（{lanes} 个通道同一地址）：", isSame}};
        // What became of the bytes: all of them, or a part.
        const Form all{load ? "all bytes used." : "all bytes written.",
                       load ? "字节全部用上。" : "字节全部写入。", true},
            part{load ? "{moved} bytes transferred, {wanted} used."
                      : "{moved} bytes in all, {wanted} written.",
                 load ? "传输 {moved} 字节，用到 {wanted} 字节。"
                      : "扇区共 {moved} 字节，写入 {wanted} 字节。",
                 true};
        const auto with = [](const char* en, const char* zh, const Form& bytes, bool holds) {
            return Form{en + std::string(bytes.en), zh + std::string(bytes.zh), holds};
        };
        costs = {
            with("{requests} request*, {items} sector*, ", "{requests} 个请求，{items} 个扇区，", all,
                 isSectors && isWhole),
            {"{requests} request*, {items} sector*.", "{requests} 个请求，{items} 个扇区。",
             isSectors && figure("items") <= figure("least")},
            {"{requests} request*, {items} sectors instead of {least}, because they cross a sector "
             "boundary.",
             "{requests} 个请求，{items} 个扇区而不是 {least} 个，因为跨过了扇区边界。",
             isSectors && isGapless && figure("least") == 1 && figure("items") == 2 &&
                 figure("requests") == 1},
            {"{requests} request*, {items} sectors instead of {least}, because the first byte is not "
             "{sector}-byte aligned.",
             "{requests} 个请求，{items} 个扇区而不是 {least} 个，因为起始地址不是 {sector} 字节的整数倍。",
             isSectors && isGapless && *places.begin() % 32 != 0 && figure("requests") == 1},
            with("{requests} request*, {items} sectors instead of {least}, ",
                 "{requests} 个请求，{items} 个扇区而不是 {least} 个，", part,
                 isSectors && figure("items") > figure("least")),
            with("{requests} request*, {items} transaction*, ", "{requests} 个请求，{items} 个事务，", all,
                 device.major == 1 && isWhole),
            with("{requests} request*, {items} transaction*, ", "{requests} 个请求，{items} 个事务，", part,
                 device.major == 1),
            with("{requests} request*, {items} line* of {line} bytes, ",
                 "{requests} 个请求，{items} 条 {line} 字节的缓存行，", all, isLines && isWhole),
            with("{requests} request*, {items} line* of {line} bytes, ",
                 "{requests} 个请求，{items} 条 {line} 字节的缓存行，", part, isLines)};
    }
    const std::string verb = english() ? load ? "reads " : "writes " : load ? "读取 " : "写入 ";
    for (const bool isPart : {false, true}) {
        const std::string who = english() ? isPart ? "The warp ({lanes} of its {all} lanes) " : "The warp "
                                : isPart  ? "该线程束（{all} 个通道中的 {lanes} 个）"
                                          : "该线程束";
        for (const Form& body : bodies)
            for (const Form& cost : costs) {
                const std::string_view words = english() ? body.en : body.zh;
                const bool hasVerb = english() || !words.starts_with("的 ");
                const auto slots = match(said.text, who + (hasVerb ? verb : "") + std::string(words) +
                                                        std::string(english() ? cost.en : cost.zh));
                if (!slots) continue;
                expect(said, isPart == (figure("lanes") < 32), "lanes", "whether lanes are off");
                for (const auto& [name, value] : slots->numbers)
                    expect(said, value == figure(name), name, fmt::format("it is {}", figure(name)));
                expect(said, body.holds, words, "that does not hold");
                expect(said, cost.holds, english() ? cost.en : cost.zh, "that does not hold");
                return true;
            }
    }
    return false;
}

// One of the notes below a column.
std::string PlaygroundReader::wrongNote(std::string_view note, const Column& column) const {
    const bool en = english();
    const auto is = [&](std::string_view english, std::string_view chinese) {
        return match(note, en ? english : chinese);
    };
    const Capability device = deviceOf(*column.device);
    const trace::WarpAccess access = played_.access(Space::Global);
    const u64 width = access.widthBytes;
    if (const auto slots = is("outlined: the transaction of lane {lane}", "加框：通道 {lane} 的事务"))
        return (*slots)["lane"] == picture_.play->playground.lane.value &&
                       access.active.has(picture_.play->playground.lane) &&
                       (device.major == 1 || column.cost.itemBytes.front() == 128)
                   ? ""
                   : "of another lane, or no transaction";
    if (const auto slots = is("outlined: the sector of lane {lane}", "加框：通道 {lane} 的扇区"))
        return (*slots)["lane"] == picture_.play->playground.lane.value &&
                       access.active.has(picture_.play->playground.lane) && device.major > 1 &&
                       column.cost.itemBytes.front() == 32
                   ? ""
                   : "of another lane, or no sector";
    if (is("one row = one transaction", "一行 = 一次事务"))
        return device.major == 1 ? "" : "rows are no transactions";
    const bool isStore = played_.pattern().operation == AccessKind::Store;
    if (isStore ? is("gray = not written", "灰色 = 未写入") : is("gray = not used", "灰色 = 没有用到"))
        return column.cost.bytes > played_.used() ? "" : "all is used";
    // Why lanes go alone: the first half-warp that is not in order.
    if (note.find(en ? "each lane is served alone" : "各通道单独访问") == std::string_view::npos)
        return "no note that is known";
    if (device.major != 1 || device.minor > 1) return "no note of this device";
    if (const auto slots = is("{width} byte* per lane * never coalesced, so each lane is served alone",
                              "每个通道 {width} 字节的访问从不合并，因此各通道单独访问"))
        return width < 4 && (*slots)["width"] == f64(width) ? "" : "words of this width are served together";
    for (u32 half = 0; half < 2; ++half) {
        const LaneMask lanes = access.active & LaneMask{LaneMask::firstLanes(16).bits << (16 * half)};
        if (lanes.empty()) continue;
        const u64 begin = access.addresses[lanes.lowest().value] - (lanes.lowest().value - 16 * half) * width,
                  behind = begin % (16 * width);
        std::optional<Lane> first;
        for (const Lane lane : lanes)
            if (!first && access.addresses[lane.value] != begin + (lane.value - 16 * half) * width)
                first = lane;
        if (behind == 0 && !first) continue;
        if (const auto slots = is(
                "half-warp {half} starts {behind} byte* past a multiple of {segment}, so each lane is served "
                "alone",
                "半线程束 {half} 的起始地址比 {segment} 的整数倍多 {behind} 字节，因此各通道单独访问"))
            return (*slots)["half"] == half && (*slots)["behind"] == f64(behind) &&
                           (*slots)["segment"] == f64(16 * width)
                       ? ""
                       : fmt::format("half-warp {} begins {} bytes behind", half, behind);
        if (behind || !first) return "another reason";
        const s64 bytes = s64(access.addresses[first->value]) - s64(begin);
        const u32 own = first->value - 16 * half;
        if (const auto slots = is(
                "half-warp {half}: lane {lane} accesses word {word} instead of {own}, so each lane is served "
                "alone",
                "半线程束 {half} 的通道 {lane} 访问的是字 {word} 而不是字 {own}，因此各通道单独访问"))
            return (*slots)["half"] == half && (*slots)["lane"] == first->value &&
                           (*slots)["word"] * f64(width) == f64(bytes) && (*slots)["own"] == own
                       ? ""
                       : fmt::format("lane {} asks for byte {} of the segment", first->value, bytes);
        if (const auto slots =
                is("half-warp {half}: lane {lane} does not access word {own} of the segment, "
                   "so each lane is served alone",
                   "半线程束 {half} 的通道 {lane} 访问的不是段里的第 {own} 个字，因此各通道单独访问"))
            return (*slots)["half"] == half && (*slots)["lane"] == first->value && (*slots)["own"] == own
                       ? ""
                       : fmt::format("it is lane {}", first->value);
        break;
    }
    return "no note that is known";
}

// Several notes in a paragraph, or one.
bool PlaygroundReader::notes(const Said& said) {
    const Column* column = played_.pattern().space == Space::Global ? columnOf(said) : &other_;
    if (!column) return false;
    std::vector<std::string> parts{said.text};
    const auto cutBefore = [&](std::string_view gap, std::string_view begins) {
        for (std::size_t i = 0; i < parts.size(); ++i)
            if (const std::size_t at = parts[i].find(std::string(gap) + std::string(begins));
                at != std::string::npos && at + gap.size() > 0) {
                parts.insert(parts.begin() + std::ptrdiff_t(i) + 1, parts[i].substr(at + gap.size()));
                parts[i].resize(at);
            }
    };
    const bool en = english();
    for (const std::string_view begins :
         {en ? "outlined: " : "加框：", en ? "one row = " : "一行 = ", en ? "gray = " : "灰色 = "})
        for (const std::string_view gap : {en ? "; " : "；", en ? " " : ""})
            cutBefore(gap, begins);
    bool known = false;
    for (const std::string& part : parts) {
        const std::string why = wrongNote(part, *column);
        if (why == "no note that is known" || why == "no note of this device") return false;
        known = true;
        expect(said, why.empty(), part, why);
    }
    return known;
}

// Lanes in their cells, bytes of segments, and what stands along the edges.
bool PlaygroundReader::label(const Said& said) {
    if (said.isSentence || said.isCaption) return false;
    const bool en = english();
    const auto hover = [&](std::string_view english, std::string_view chinese) {
        return match(said.hover, en ? english : chinese);
    };
    if (const auto number = match(said.text, "{n}"); number) {
        for (const auto& slots : {hover("Lane {lane}: element **", "通道 {lane}：元素 **"),
                                  hover("Lane {lane} is inactive. **", "通道 {lane} 处于非活动状态。**"),
                                  hover("Lane {lane} accesses word **", "通道 {lane} 访问字 **")})
            if (slots)
                return expect(said, (*slots)["lane"] == (*number)["n"], "lane",
                              "the mouse is told of another lane"),
                       true;
        // Cut from the list of a group's lanes, or a tick.
        return tick(said, (*number)["n"]) || lanesOfGroup(said);
    }
    if (const auto several = match(said.text, "{n}×")) {
        if (const auto slots =
                hover("Lanes {lanes:list} access the same word **", "通道 {lanes:list} 访问同一个字 **")) {
            const auto lanes = lanesIn(slots->text("lanes"));
            return expect(said, lanes && f64(lanes->size()) == (*several)["n"], "lanes",
                          "not as many lanes as are listed"),
                   true;
        }
        return std::ranges::any_of(piles_, [&](const Pile& pile) {
            return std::fabs(pile.said->at.y - said.at.y) < 2 && f64(pile.lanes.size()) == (*several)["n"];
        });
    }
    auto ofRuler = match(said.text, en ? "byte {byte}" : "字节 {byte}");
    if (!ofRuler) ofRuler = match(said.text, "{byte} B");
    if (const auto& slots = ofRuler) {
        for (const Said& box : picture_.texts) {
            if (!box.isHover || std::fabs(box.left + 2.5f - said.left) > 1 || box.top < said.top - 4)
                continue;
            const auto segment = match(
                box.text, en ? "{bytes} bytes from byte {from}**" : "从第 {from} 字节起的 {bytes} 字节**");
            if (segment && (*segment)["from"] == (*slots)["byte"]) return true;
            // A narrow segment's size may stand where a tick would.
            if (segment && !said.text.ends_with(" B")) return false;
        }
        if (!said.text.ends_with(" B")) return false;
    }
    if (const auto slots = match(said.text, "{n} B**")) {
        const auto bytes = hover("{bytes} bytes from byte {from}**", "从第 {from} 字节起的 {bytes} 字节**");
        if (!bytes) return false;
        expect(said, (*bytes)["bytes"] == (*slots)["n"], "bytes", "the segment has other bytes");
        const Column* column = columnOf(said);
        const bool isOld = column && column->device->major == 1;
        for (const auto& [word, size] : {std::pair<std::string_view, f64>{en ? " B sector" : " B 扇区", 32},
                                         {en ? " B line" : " B 缓存行", 128},
                                         {en ? " B segment" : " B 段", 0}})
            if (said.text.ends_with(word))
                expect(said, size ? !isOld && (*slots)["n"] == size : isOld, word,
                       "not what the device calls it");
        return true;
    }
    if (const auto slots = match(said.text, en ? "half-warp {half}" : "半线程束 {half}"))
        return std::ranges::any_of(picture_.texts, [&](const Said& other) {
            if (!other.isHover || std::fabs(other.left - said.left) > 2 || other.top < said.top - 20 ||
                other.top > said.top + 20)
                return false;
            const auto lane = match(other.text, en ? "Lane {lane}**" : "通道 {lane}**");
            return lane && (*lane)["lane"] == 16 * (*slots)["half"];
        });
    if (const auto slots = match(said.text, en ? "wavefront {pass}" : "波前 {pass}"))
        return std::ranges::any_of(piles_, [&](const Pile& pile) {
            return std::fabs(pile.said->at.y - said.at.y) < 2 && f64(pile.pass) == (*slots)["pass"];
        });
    if (const auto slots =
            match(said.text, en ? "lane {lane}" : "通道 {lane}")) {  // beside a pile, or of a word in memory
        const bool isServed = std::ranges::any_of(picture_.texts, [&](const Said& other) {
            if (!other.isHover || std::fabs(other.at.y - said.at.y) > 2 || other.left > said.left)
                return false;
            const auto touched =
                match(other.text, en ? "Lane* {lanes:list} access* word**" : "通道 {lanes:list} 访问**字 **");
            const auto lanes = touched ? lanesIn(touched->text("lanes")) : std::nullopt;
            return lanes && lanes->contains(u32((*slots)["lane"]));
        });
        if (isServed) return true;
    }
    // Which rows of the memory have room, and which lines of it the ruler leaves out.
    if (match(said.text, en ? "rows {first}–{last} of {all}" : "行 {first}–{last}，共 {all} 行") ||
        match(said.text, en ? "gaps: lines of {bytes} byte* without an access are left out"
                            : "空隙处略去未访问的 {bytes} 字节缓存行"))
        return true;
    if (const auto slots =
            match(said.text, en ? "rule measured on an NVIDIA H{card}" : "规则在 NVIDIA H{card} 上实测"))
        return fmt::format("NVIDIA H{}", (*slots)["card"]) == picture_.play->profile->card ||
               played_.device().major == 9;
    return lanesOfGroup(said);
}

}  // namespace lockstep::witness
