// What the playground says in words: figures, the address in numbers, rules of devices, the sentence.
#include "model/profiles/card_names.h"
#include "witness/readers/playground/playground.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

// "As a shared address: 32 wavefronts", "compute capability 9.0", the caption.
bool PlaygroundReader::heading(const Said& said) {
    const Played::Figures shared = played_.figures(Space::Shared, played_.device()),
                          global = played_.figures(Space::Global, played_.device());
    if (const auto slots = is(said, "As a shared address: {n} wavefront*", "作为共享内存地址：{n} 个波前")) {
        expect(said, (*slots)["n"] == shared.at("wavefronts"), "wavefronts",
               fmt::format("it is {}", shared.at("wavefronts")));
        return true;
    }
    const bool isSectors = played_.device().major > 1 && other_.cost.itemBytes.front() == 32;
    for (const bool sectors : {true, false}) {
        const auto slots =
            sectors ? is(said, "As a global address: {n} sector*", "作为全局内存地址：{n} 个扇区")
                    : is(said, "As a global address: {n} transaction*", "作为全局内存地址：{n} 次事务");
        if (!slots) continue;
        expect(said, sectors == isSectors, "unit", "the device counts something else");
        expect(said, (*slots)["n"] == global.at("items"), "items",
               fmt::format("it is {}", global.at("items")));
        return true;
    }
    if (said.text == fmt::format("{} {}.{}", english() ? "compute capability" : "计算能力",
                                 picture_.play->profile->major, picture_.play->profile->minor))
        return true;
    if (said.text == captionText()) return true;
    const auto& title = picture_.play->trial->variant->title;
    if (said.text == title.in(picture_.language) + " · " + captionText())
        return fail(said, title.in(picture_.language), "the access is of no kernel"), true;
    return false;
}

// "word 160 → bank 160 mod 32 = 0", "words 8 to 11 → banks 8 to 11", "sector 200 / 32 = 6, line 200 / 128 =
// 1".
std::string PlaygroundReader::target(const Slots& slots, s64 offset) const {
    const auto floored = [](s64 a, s64 b) { return a / b - (a % b < 0); };
    const auto says = [&](std::string_view name, s64 value) {
        return std::isnan(slots[name]) || slots[name] == f64(value);
    };
    if (played_.pattern().space == Space::Global) {
        if (!std::isnan(slots["word"])) return "a bank of global memory";
        return says("byte", offset) && says("byte2", offset) && says("thirtyTwo", 32) &&
                       says("sector", floored(offset, 32)) && says("hundred", 128) &&
                       says("line", floored(offset, 128))
                   ? ""
                   : fmt::format("byte {} is in sector {}, line {}", offset, floored(offset, 32),
                                 floored(offset, 128));
    }
    const s64 wide = played_.device().hasWideBanks ? 8 : 4, banks = s64(played_.device().banks());
    const s64 word = floored(offset, wide), last = floored(offset + played_.pattern().widthBytes - 1, wide);
    const auto bankOf = [&](s64 w) { return w - floored(w, banks) * banks; };
    if (!std::isnan(slots["sector"])) return "a sector of shared memory";
    return says("word", word) && says("word2", word) && says("mod", banks) && says("bank", bankOf(word)) &&
                   says("lastWord", last) && says("lastBank", bankOf(last)) &&
                   (std::isnan(slots["lastWord"]) == (word == last))
               ? ""
               : fmt::format("words {} to {} are in banks {} to {}", word, last, bankOf(word), bankOf(last));
}

// "Lane 5: address = base + 4 · (5 · 32) = base + 640 → word 160 → ..."
bool PlaygroundReader::formula(const Said& said) {
    const bool en = english();
    struct Form {
        std::string_view en, zh;
    };
    constexpr std::array kBegin{
        Form{"Lane {lane}: address = base + {width} · {index:text} = base + {offset} → {rest:text}",
             "通道 {lane}：地址 = 基址 + {width} · {index:text} = 基址 + {offset} → {rest:text}"},
        Form{
            "Lane {lane}, placed by hand: address = base + {width} · {place} = base + {offset} → {rest:text}",
            "通道 {lane}，手动摆放：地址 = 基址 + {width} · {place} = 基址 + {offset} → {rest:text}"},
        Form{"Lane {lane}: element {index:text} = {element}, row {row}, column {column} → address = base + "
             "{width} · ({row2} · {pitch} + {inRow:text}) = base + {offset} → {rest:text}",
             "通道 {lane}：元素 {index:text} = {element}，行 {row}，列 {column} → 地址 = 基址 + {width} "
             "· ({row2} · {pitch} + {inRow:text}) = 基址 + {offset} → {rest:text}"}};
    constexpr std::array kEnd{
        Form{"word {word} → bank {word2} mod {mod} = {bank}", "字 {word} → 存储体 {word2} % {mod} = {bank}"},
        Form{"words {word} to {lastWord} → banks {bank} to {lastBank}",
             "字 {word} 到 {lastWord} → 存储体 {bank} 到 {lastBank}"},
        Form{"sector {byte} / {thirtyTwo} = {sector}, line {byte2} / {hundred} = {line}",
             "扇区 {byte} / {thirtyTwo} = {sector}，缓存行 {byte2} / {hundred} = {line}"}};
    // Of several lines.
    std::string text = said.text;
    if (!text.starts_with(en ? "Lane " : "通道 ") || said.face != viz::Face::Mono) return false;
    std::vector<const Said*> lines;
    for (const Said* next = &said + 1;
         next < picture_.texts.data() + picture_.texts.size() && next->face == said.face &&
         next->left == said.left && !next->isHover && next->top < said.top + 60;
         ++next)
        lines.push_back(next),
            text += (text.ends_with(' ') || (!en && u8(text.back()) >= 0x80 && u8(next->text.front()) >= 0x80)
                         ? ""
                         : " ") +
                    next->text;
    for (const Form& form : kBegin) {
        const auto slots = match(text, en ? form.en : form.zh);
        if (!slots) continue;
        joined_.insert(lines.begin(), lines.end());
        const model::AccessPattern& pattern = played_.pattern();
        const u32 lane = u32((*slots)["lane"]);
        const auto offset = played_.offset(lane);
        expect(said, lane == picture_.play->playground.lane.value, "lane",
               "not the lane that is talked about");
        expect(said, (*slots)["width"] == pattern.widthBytes, "width", "a lane has other bytes");
        if (!offset) return fail(said, "lane", "the lane is off"), true;
        expect(said, (*slots)["offset"] == f64(*offset), "offset", fmt::format("it is {}", *offset));
        const auto place = slots->numbers.contains("place");
        if (place)
            expect(said, pattern.moved[lane] && f64(*pattern.moved[lane]) == (*slots)["place"], "place",
                   "the lane lies elsewhere");
        else
            expect(said, !pattern.moved[lane], "place", "the lane was set by hand");
        if (!slots->text("index").empty()) {
            const auto index = indexOf(slots->text("index"), -1), own = indexOf(pattern.expression, lane);
            expect(said,
                   index && own && *index == *own && slots->text("index").find("tid") == std::string::npos,
                   "index", "not the lane's element");
            if (slots->numbers.contains("row") && own) {
                const s64 length = pattern.rows.elements, row = *own / length - (*own % length < 0),
                          column = *own - row * length;
                const auto inRow = pattern.rows.swizzled ? fmt::format("({} xor {})", column,
                                                                       ((row % length) + length) % length)
                                                         : std::to_string(column);
                expect(said,
                       (*slots)["element"] == f64(*own) && (*slots)["row"] == f64(row) &&
                           (*slots)["row2"] == f64(row) && (*slots)["column"] == f64(column) &&
                           (*slots)["pitch"] == f64(length + pattern.rows.padding) &&
                           slots->text("inRow") == inRow,
                       "row", fmt::format("element {} is in row {}, column {}", *own, row, column));
            } else if (own)
                expect(said,
                       !pattern.rows.swizzled && pattern.rows.padding == 0 &&
                           *own * pattern.widthBytes == *offset,
                       "index", "rows lie otherwise");
        }
        for (const Form& end : kEnd)
            if (const auto rest = match(slots->text("rest"), en ? end.en : end.zh)) {
                const std::string why = target(*rest, *offset);
                return expect(said, why.empty(), "target", why), true;
            }
        return false;
    }
    return false;
}

// "word = 33·lane + 3, so bank (1·lane + 3) mod 32", "Shared memory in rows of 32 words: every bank once".
bool PlaygroundReader::words(const Said& said) {
    const Capability device = played_.device();
    const u32 wordsOfLine = device.wordsOfLine();
    if (const auto slots = is(said, "Shared memory in rows of {n} words: every bank once",
                              "共享内存，每行 {n} 个字：每个存储体各一次"))
        return expect(said, (*slots)["n"] == wordsOfLine, "words", "not once through all banks"), true;
    if (const auto slots = is(said, "Rows of {n} words", "每行 {n} 个字"))
        return expect(said, (*slots)["n"] == wordsOfLine, "words", "not once through all banks"), true;
    if (is(said, "bank {zero}", "存储体 {zero}") && !said.isHover && said.text.ends_with(" 0")) return true;
    if (const auto slots = is(said, "lane {lane} · word {word}", "通道 {lane} · 字 {word}")) {
        const auto offset = played_.offset(u32((*slots)["lane"]));
        const f64 byte = 4 * (*slots)["word"];
        return expect(said,
                      offset && byte + 4 > f64(*offset) && byte < f64(*offset) + played_.pattern().widthBytes,
                      "word", "the lane reaches for another word"),
               true;
    }
    // The text about the order of wavefronts and about hatching may follow.
    struct Form {
        std::string_view en, zh;
        bool isSame;
    };
    constexpr std::array kForms{
        Form{"word = {word:text}, so bank ({bank:text}) mod {mod}",
             "字 = {word:text}，所以存储体 = ({bank:text}) % {mod}", false},
        Form{"word = {word:text}, so bank {bank:text} mod {mod}",
             "字 = {word:text}，所以存储体 = {bank:text} % {mod}", false},
        Form{"word = {word:text}, so bank {bank} for every lane",
             "字 = {word:text}，所以每个通道的字都在存储体 {bank}", false},
        Form{"word = {all} for every lane, bank {bank}", "每个通道都访问字 {all}，存储体 {bank}", true}};
    for (const Form& form : kForms)
        for (const bool more : {false, true}) {
            const std::string pattern =
                std::string(english() ? form.en : form.zh) + (more ? english() ? " **" : "**" : "");
            const auto slots = match(said.text, pattern);
            if (!slots) continue;
            // "33·lane + 3", "−lane", with minus signs as they are printed.
            const auto valueOf = [&](std::string text, u32 lane) -> std::optional<s64> {
                for (const auto& [from, to] :
                     {std::pair<std::string, std::string>{"−", "-"}, {english() ? "lane" : "通道", "tid"}})
                    for (std::size_t at; (at = text.find(from)) != std::string::npos;)
                        text.replace(at, from.size(), to);
                return indexOf(text, lane);
            };
            const trace::WarpAccess access = played_.access(Space::Shared);
            for (const Lane lane : access.active) {
                const s64 word = *played_.offset(lane.value) / 4,
                          bank = device.bankOf(access.addresses[lane.value] / 4);
                const auto saidWord = form.isSame ? std::optional(s64((*slots)["all"]))
                                                  : valueOf(slots->text("word"), lane.value);
                const s64 banks = device.banks();
                const auto raw = slots->numbers.contains("bank") ? std::optional(s64((*slots)["bank"]))
                                                                 : valueOf(slots->text("bank"), lane.value);
                const bool right = saidWord == word && raw && ((*raw % banks) + banks) % banks == bank &&
                                   (std::isnan((*slots)["mod"]) || (*slots)["mod"] == banks);
                if (!right)
                    return fail(
                               said, "word",
                               fmt::format("lane {} reaches for word {} in bank {}", lane.value, word, bank)),
                           true;
            }
            return true;
        }
    return false;
}

// The rule, the figures and the notes of a device's column.
bool PlaygroundReader::deviceText(const Said& said) {
    for (const model::Profile& profile : model::profiles()) {  // heads and buttons
        const std::string number = fmt::format("{}.{}", profile.major, profile.minor);
        const auto cards = model::cardsOf(profile);
        for (const char* before : {"", "Compute capability ", "计算能力 ", "cc "})
            for (const std::string& name :
                 {before + number, cards.empty() ? std::string() : before + number + " · " + cards.front()})
                if (said.text == name) {
                    const std::string told = english() ? "compute capability " : "计算能力 ";
                    expect(said, *before || said.hover.find(told + number) != std::string::npos, "device",
                           "a click means another");
                    return true;
                }
        if (said.text ==
            (english() ? "rule measured on " : "规则在 ") + profile.card + (english() ? "" : " 上实测")) {
            const Column* column = columnOf(said);
            return expect(said, profile.measured && column && column->device->card == profile.card, "device",
                          "its rules were not measured on it"),
                   true;
        }
    }
    const Column* column = columnOf(said);
    if (!column) return false;
    const Capability device = deviceOf(*column->device);
    const u32 width = played_.pattern().widthBytes;
    struct Rule {
        std::string_view en, zh;
        bool holds;
        u32 bytes;
    };
    const bool isLines =
        device.major > 1 && !column->cost.itemBytes.empty() && column->cost.itemBytes.front() == 128;
    const u32 segment = width == 1 ? 32 : width == 2 ? 64 : 128;
    const bool inOrder = device.major == 1 && device.minor < 2,
               segments = device.major == 1 && device.minor >= 2;
    const u32 lanes = device.major >= 6 || width <= 4 ? 32 : width == 8 ? 16 : 8;  // that go together
    const bool isWhole = lanes == 32, isSectors = device.major > 1 && !isLines;
    const std::array rules{
        Rule{"By half-warps: only {four}, {eight} or {sixteen} bytes per lane are coalesced, so each lane "
             "is served alone.",
             "按半线程束：只合并每个通道 {four}、{eight}、{sixteen} "
             "字节的访问；这里不是，因此各通道单独访问。",
             inOrder && width < 4, 0},
        Rule{"By half-warps, in any order: at {width} byte per lane one transaction per segment of {bytes} "
             "bytes.",
             "按半线程束，次序不限：每个通道 {width} 字节时每个 {bytes} 字节的段一次事务。",
             segments && width == 1, segment},
        Rule{"By half-warps, in any order: at {width} bytes per lane one transaction per segment of {bytes} "
             "bytes, halved while one half is unused, down to 32 bytes.",
             "按半线程束，次序不限：每个通道 {width} 字节时每个 {bytes} "
             "字节的段一次事务，只用到一半时减半，最小 32 字节。",
             segments && width == 2, segment},
        Rule{"By half-warps, in any order: one transaction per segment of up to {bytes} bytes, halved while "
             "one half is unused, down to 32 bytes.",
             "按半线程束，次序不限：每个最多 {bytes} 字节的段各一次事务，只用到一半时减半，最小 32 字节。",
             segments && width >= 4, segment},
        Rule{"segments of {bytes} bytes or less", "最多 {bytes} 字节的段", segments, segment},
        Rule{"{one} or {two} bytes per lane: each alone", "每个通道 {one}、{two} 字节：各自单独",
             inOrder && width < 4, 0},
        Rule{"All lanes of the warp, in any order: each sector of {bytes} bytes is transferred once.",
             "整个线程束，次序不限：每个 {bytes} 字节扇区只传输一次。", isSectors && isWhole, 32},
        Rule{"{lanes} lanes at a time, in any order: each sector of {bytes} bytes is transferred once for "
             "them.",
             "每次 {lanes} 个通道，次序不限：每个 {bytes} 字节扇区为它们只传输一次。", isSectors && !isWhole,
             32},
        Rule{"distinct sectors of {bytes} bytes", "不同的 {bytes} 字节扇区", isSectors && isWhole, 32},
        Rule{"distinct sectors of {lanes} lanes", "每 {lanes} 个通道的不同扇区", isSectors && !isWhole, 0},
        Rule{"Whole warp, any order: the distinct lines of {bytes} bytes.",
             "整个线程束，次序不限：不同的 {bytes} 字节行各算一次。", isLines && isWhole, 128},
        Rule{"{lanes} lanes at a time, in any order: the distinct lines of {bytes} bytes.",
             "每次 {lanes} 个通道，次序不限：不同的 {bytes} 字节行各算一次。", isLines && !isWhole, 128},
        Rule{"distinct lines of {bytes} bytes", "不同的 {bytes} 字节缓存行", isLines && isWhole, 128},
        Rule{"distinct lines of {lanes} lanes", "每 {lanes} 个通道的不同缓存行", isLines && !isWhole, 0},
    };
    for (const Rule& rule : rules)
        if (const auto slots = is(said, rule.en, rule.zh)) {
            expect(said, rule.holds, "rule",
                   fmt::format("compute capability {}.{} has another rule for this access", device.major,
                               device.minor));
            expect(said, std::isnan((*slots)["bytes"]) || (*slots)["bytes"] == rule.bytes, "bytes",
                   fmt::format("it is {}", rule.bytes));
            for (const auto& [name, value] : {std::pair{"width", width},
                                              {"lanes", lanes},
                                              {"one", 1u},
                                              {"two", 2u},
                                              {"four", 4u},
                                              {"eight", 8u},
                                              {"sixteen", 16u}})
                expect(said, std::isnan((*slots)[name]) || (*slots)[name] == value, name,
                       fmt::format("it is {}", value));
            return true;
        }
    const f64 moved = f64(column->cost.bytes), used = f64(played_.used()), piece = isLines ? 128 : 32,
              least = std::ceil(used / piece) * piece;
    const bool isStore = played_.pattern().operation == AccessKind::Store;
    if (const auto slots = isStore ? is(said, "{share}% written", "写入 {share}%")
                                   : is(said, "{share}% used", "利用率 {share}%")) {
        const f64 share = (*slots)["share"];
        return expect(said,
                      std::fabs(share - 100 * std::min(1.0, used / moved)) <= 0.05001 &&
                          (share < 100 || used >= moved),
                      "share", fmt::format("{} of {} bytes", used, moved)),
               true;
    }
    for (const bool sectors : {true, false})
        if (const auto slots = sectors ? is(said, "{n} sector*", "{n} 个扇区")
                                       : is(said, "{n} transaction*", "{n} 次事务")) {
            expect(said, sectors == isSectors, "unit", "the device counts something else");
            return expect(said, (*slots)["n"] == column->cost.items, "items",
                          fmt::format("it is {}", column->cost.items)),
                   true;
        }
    const auto brief =
        isStore ? is(said, "{moved} byte* in all, {used} written", "扇区共 {moved} 字节，写入 {used} 字节")
                : is(said, "{moved} byte* transferred, {used} used", "传输 {moved} 字节，用到 {used} 字节");
    if (brief)
        return expect(said, (*brief)["moved"] == moved && (*brief)["used"] == std::min(used, moved), "bytes",
                      fmt::format("{} of {} bytes", used, moved)),
               true;
    const auto whole =
        isStore
            ? is(said, "{moved} byte* in all, {used} written; aligned and consecutive: {least}",
                 "扇区共 {moved} 字节，写入 {used} 字节；写入的数据若对齐且连续存放，只需 {least} 字节")
            : is(said, "{moved} byte* transferred, {used} used; aligned and consecutive: {least}",
                 "传输 {moved} 字节，用到 {used} 字节；用到的数据若对齐且连续存放，只需传输 {least} 字节");
    if (whole)
        return expect(said,
                      (*whole)["moved"] == moved && (*whole)["used"] == used && (*whole)["least"] == least &&
                          moved > least,
                      "bytes", fmt::format("{} of {} bytes, at least {}", used, moved, least)),
               true;
    return false;
}

}  // namespace lockstep::witness
