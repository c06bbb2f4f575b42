// What both say at their cursors: each for itself, or one cause for both.
#include "base/text/trimmed.h"
#include "witness/readers/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lockstep::witness {

using trace::AccessKind, trace::Space;

namespace {

// What neighboring lanes of the access are apart, in bytes, where all are so.
std::optional<s64> apartOf(const trace::WarpAccess& access) {
    std::optional<s64> apart;
    for (u32 lane = access.active.lowest().value + 1; lane < 32; ++lane) {
        if (!access.active.has(Lane{lane})) continue;
        if (!access.active.has(Lane{lane - 1})) return std::nullopt;
        const s64 here = s64(access.addresses[lane]) - s64(access.addresses[lane - 1]);
        if (apart.value_or(here) != here) return std::nullopt;
        apart = here;
    }
    return apart;
}

}  // namespace

namespace {

// Who adds between two barriers: threads that store to shared memory what they have loaded from it and added
// to.
struct Round {
    u32 number = 0, adding = 0, diverging = 0;
    std::map<u32, u32> ofWarp;
};
std::optional<Round> roundAt(const trace::FocusBlock& block, const viz::Cursor& cursor) {
    struct Additions {
        u32 last = 0;
        std::map<u32, LaneMask> ofWarp;
    };
    std::map<u32, Additions> rounds;  // by barrier interval
    for (u32 w = 0; w < block.warps.size(); ++w) {
        const trace::WarpTrace& warp = block.warps[w];
        u32 interval = 0;
        bool hasLoaded = false;
        for (u32 s = 0; s < warp.steps.size(); ++s) {
            if (const u32 at = warp.steps[s].access; at != trace::Step::kNone &&
                                                     warp.accesses[at].space == Space::Shared &&
                                                     !warp.accesses[at].active.empty()) {
                hasLoaded |= warp.accesses[at].kind == AccessKind::Load;
                if (warp.accesses[at].kind == AccessKind::Store && hasLoaded) {
                    LaneMask& lanes = rounds[interval].ofWarp[w];
                    lanes = lanes | warp.accesses[at].active;
                    rounds[interval].last = std::max(rounds[interval].last, warp.steps[s].order);
                }
            }
            if (interval < warp.barrierSteps.size() && s == warp.barrierSteps[interval])
                ++interval, hasLoaded = false;
        }
    }
    const u32 here = block.warps[cursor.warp.value].steps[cursor.step].order;
    u32 number = 0;
    for (const auto& [interval, additions] : rounds) {
        ++number;
        if (additions.last < here) continue;
        Round round{.number = number, .ofWarp = {}};
        for (const auto& [w, lanes] : additions.ofWarp) {
            const u32 adding = u32(lanes.count()), exist = std::min(32u, block.threads - 32 * w);
            round.adding += adding, round.ofWarp[w] = adding, round.diverging += adding < exist;
        }
        return round;
    }
    return std::nullopt;
}

}  // namespace

// "Round 1: in both 64 threads add. In A they are 2 whole warps: none diverges. In B they are in 4 warps,
// ..."
std::optional<std::string> CompareReader::wrongRound(std::string_view text) const {
    const bool en = english();
    const auto slots = match(
        text, en ? "Round {round}: {n} thread* add* in both. In A {a:text} In B {b:text}"
                 : "第 {round} 轮：两侧都有 {n} 个线程做加法。A 中这些线程{a:text}B 中这些线程{b:text}");
    if (!slots) return std::nullopt;
    for (const auto& [side, written] : {std::pair{&a_, slots->text("a")}, {&b_, slots->text("b")}}) {
        const std::string part(trimmed(written, kAllBlanks));  // a line may end between the two
        const auto round =
            roundAt(*side->run().recording.trace.find(side->cursor.launch, side->cursor.block), side->cursor);
        if (!round) return "nobody adds any more";
        if ((*slots)["round"] != round->number || (*slots)["n"] != round->adding)
            return fmt::format("in round {} {} threads add", round->number, round->adding);
        const f64 warps = f64(round->ofWarp.size());
        bool holds = false;
        if (const auto whole = match(part, en ? "they are {warps} whole warp*: none diverges."
                                              : "正好是 {warps} 个完整的线程束：没有分化。"))
            holds = (*whole)["warps"] == warps && round->diverging == 0;
        else if (match(part, en ? "all of them are in one warp, which diverges."
                                : "全在一个线程束里，这个线程束发生分化。"))
            holds = warps == 1 && round->diverging == 1;
        else if (const auto all =
                     match(part, en ? "they are in {warps} warps, {each} in each, and all of these diverge."
                                    : "分布在 {warps} 个线程束里，每个线程束 {each} 个，这些线程束都分化。"))
            holds = (*all)["warps"] == warps && round->diverging == warps &&
                    std::ranges::all_of(round->ofWarp,
                                        [&](const auto& warp) { return (*all)["each"] == warp.second; });
        else if (const auto some = match(part, en ? "they are in {warps} warp*, of which {n} diverge*."
                                                  : "分布在 {warps} 个线程束里，其中 {n} 个分化。"))
            holds = (*some)["warps"] == warps && (*some)["n"] == round->diverging;
        if (!holds) return fmt::format("they are in {} warps, of which {} diverge", warps, round->diverging);
    }
    return "";
}

// The text is joined from its lines, behind its letter; it stands beside the table.
void CompareReader::sentences() {
    std::vector<const Said*> letters;
    for (const Said& said : picture_.texts)
        if (!said.isHover && !said.isSentence && !said.isCaption && said.at.y > foot_ && said.left < 40 &&
            (said.text == "A" || said.text == "B" || said.text == "A B"))
            letters.push_back(&said);
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const f32 end = i + 1 < letters.size() ? letters[i + 1]->top - 2 : picture_.size.height;
        std::string text;
        f32 left = 0;
        for (const Said& said : picture_.texts) {
            if (said.isHover || said.isSentence || said.isCaption || said.at.y <= foot_ ||
                said.top < letters[i]->top - 2 || said.top >= end)
                continue;
            if (said.size != letters[i]->size || said.left <= 2 * letters[i]->at.x - letters[i]->left ||
                said.left > 80)
                continue;
            if (left > 0 && std::fabs(said.left - left) > 1) continue;
            if (text.empty()) left = said.left;
            const bool isChinese = !text.empty() && u8(text.back()) >= 0x80 && u8(said.text.front()) >= 0x80;
            text += (text.empty() || isChinese ? "" : " ") + said.text;
            read_.insert(&said);
        }
        Said sentence;
        sentence.text = text, sentence.isSentence = true;
        if (letters[i]->text == "A B") {
            auto why = wrongCause(text);
            if (!why) why = wrongRound(text);
            if (why) {
                w_.of(picture_.view).read += tokensOf(text).size();
                expect(sentence, why->empty(), "cause", *why);
                continue;
            }
            b_.picture.texts.push_back(sentence);
        }
        (letters[i]->text == "B" ? b_ : a_).picture.texts.push_back(std::move(sentence));
    }
}

// "Both read shared memory with 32 lanes, one word each. In A neighboring lanes are 32 words apart, so ..."
std::optional<std::string> CompareReader::wrongCause(std::string_view text) const {
    const bool en = english();
    const auto is = [&](std::string_view part, std::string_view english, std::string_view chinese) {
        return match(part, en ? english : chinese);
    };
    std::optional<Slots> slots;
    bool load = false, shared = false;
    for (const bool isLoad : {true, false})
        for (const bool isShared : {true, false}) {
            const std::string form =
                en ? fmt::format(
                         "Both {} {} memory with {{lanes}} lane*, {} each. In A {{a:text}} In B {{b:text}}",
                         isLoad ? "read" : "write", isShared ? "shared" : "global",
                         isShared ? "one word" : "{width} bytes")
                   : fmt::format(
                         "两侧都用 {{lanes}} 个通道{}{}内存，每个通道{}。A 中{{a:text}}B 中{{b:text}}",
                         isLoad ? "读取" : "写入", isShared ? "共享" : "全局",
                         isShared ? "一个字" : " {width} 字节");
            if (slots) continue;
            slots = match(text, form);
            if (slots) load = isLoad, shared = isShared;
        }
    if (!slots) return std::nullopt;
    for (const auto& [side, written] : {std::pair{&a_, slots->text("a")}, {&b_, slots->text("b")}}) {
        const std::string part(trimmed(written, kAllBlanks));  // a line may end between the two
        const trace::WarpTrace& warp = side->run()
                                           .recording.trace.find(side->cursor.launch, side->cursor.block)
                                           ->warps[side->cursor.warp.value];
        const u32 at = warp.steps[side->cursor.step].access;
        if (at == trace::Step::kNone) return "one of the cursors stands at no access";
        const trace::WarpAccess access = warp.unpack(warp.accesses[at]);
        const Capability device = side->facts().capability();
        if (access.space != (shared ? Space::Shared : Space::Global) ||
            access.kind != (load ? AccessKind::Load : AccessKind::Store))
            return "another kind of access";
        if ((*slots)["lanes"] != access.active.count())
            return fmt::format("it is {} lanes", access.active.count());
        if (shared ? access.widthBytes != 4 : (*slots)["width"] != access.widthBytes) return "another width";
        const auto apart = apartOf(access);
        if (!apart) return "lanes are not evenly apart";
        const SharedCost cost = sharedCost(access, device, side->run().module->textOf(access.pc));
        if (const auto same = is(part, "all lanes access the same word: {n} wavefront*.",
                                 "所有通道访问同一个字：{n} 个波前。")) {
            if (*apart || (*same)["n"] != cost.wavefronts)
                return fmt::format("{} wavefronts, {} bytes apart", cost.wavefronts, *apart);
        } else if (is(part, "all lanes access the same address.", "所有通道访问同一个地址。")) {
            if (*apart) return fmt::format("{} bytes apart", *apart);
        } else if (const auto words =
                       is(part, "neighboring lanes are {n} word* apart, so {where:text}: {w} wavefront*.",
                          "相邻通道的字下标相差 {n}，因此{where:text}：{w} 个波前。")) {
            const std::string where = words->text("where");
            const auto bank = is(where, "all words are in bank {n}", "所有字都落在存储体 {n}"),
                       banks = is(where, "the words share {n} bank*", "所有字都落在 {n} 个存储体中");
            const bool holds = bank ? cost.banks == 1 && (*bank)["n"] == cost.onlyBank
                               : banks
                                   ? (*banks)["n"] == cost.banks
                                   : is(where, "each word is in a bank of its own", "各字落在不同的存储体") &&
                                         cost.banks == u32(access.active.count());
            if (std::abs(*apart) != 4 * (*words)["n"] || (*words)["w"] != cost.wavefronts || !holds)
                return fmt::format("{} bytes apart in {} banks, {} wavefronts", *apart, cost.banks,
                                   cost.wavefronts);
        } else {
            const GlobalCost moved = globalCost(access, device);
            const bool isSectors = moved.itemBytes.front() == 32 && device.major > 1;
            const auto bytes = isSectors
                                   ? is(part, "neighboring lanes are {n} byte* apart: {m} sector*.",
                                        "相邻通道的地址相差 {n} 字节：{m} 个扇区。")
                                   : is(part, "neighboring lanes are {n} byte* apart: {m} transaction*.",
                                        "相邻通道的地址相差 {n} 字节：{m} 次事务。");
            if (!bytes) return "what is said of a side is not known";
            if (std::abs(*apart) != (*bytes)["n"] || (*bytes)["m"] != moved.items)
                return fmt::format("{} bytes apart, {} pieces", *apart, moved.items);
        }
    }
    return "";
}

// Questions below the pictures, as everywhere.
bool CompareReader::note(const Said& said) {
    Picture asked = picture_;
    asked.texts = {said}, asked.comparedCursor.reset(), asked.view = "compare";
    if (!said.isHover) return false;
    Reader(w_, asked).look();
    return true;
}

}  // namespace lockstep::witness
