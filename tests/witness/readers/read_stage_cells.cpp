// Cells of the stage, as the mouse is told: "Mds[0][5] = 3.0; warp 0 reads it now with lanes 0–15.", "in[4]
// = 4.0. Lanes 3-5 of warp 0 have read this value."
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

namespace {

// "0–7, 12": none where it is no such list.
std::optional<LaneMask> lanesIn(std::string_view list) {
    LaneMask lanes;
    u32 last = 0;
    bool isRange = false;
    for (std::size_t at = 0; at < list.size();) {
        if (list[at] < '0' || list[at] > '9') {
            constexpr std::string_view kTo = "–";
            isRange = list.substr(at).starts_with(kTo);
            at += isRange ? kTo.size() : 1;
            continue;
        }
        u32 value = 0;
        for (; at < list.size() && list[at] >= '0' && list[at] <= '9'; ++at)
            value = value * 10 + u32(list[at] - '0');
        if (value > 31) return std::nullopt;
        for (u32 lane = isRange ? last : value; lane <= value; ++lane)
            lanes.bits |= 1u << lane;
        last = value;
    }
    return lanes;
}

// Written shorter than it is: 41 of 40.99999. A whole number is written whole.
bool isShortened(const Token& token, f64 value) {
    if (token.value == 0 || value == 0) return false;
    if (value == std::floor(value) && token.decimals == 0 && !token.isRounded) return token.value == value;
    return std::fabs(token.value / value - 1) < 1e-5;
}

}  // namespace

// A number in a cell of which the mouse is told what happens to it: "M[0][0] is read by lanes 0–7
// of warp 0.", "Mds[0][0]. Warp 0, lane 1 reads it at step 43."
void Reader::numberInCell(const Said& said) {
    if (tokens_->size() != 1 || said.hover.empty()) return;
    if (says(said.hover, {": running sum after ", "个乘积后的和为"})) return;  // a register's (patchText)
    const bool isValueTold = contains(said.hover, "] = ") || contains(said.hover, ".x = ") ||
                             contains(said.hover, ".y = ") || contains(said.hover, ".z = ") ||
                             contains(said.hover, ".w = ");
    if (isValueTold && inHover(said, tokens_->front())) return mark(tokens_->front());
    // Where it says nothing of lanes, a whole number may be the lane's in the corner.
    const bool isOfReads = says(said.hover, {" is read by lane", "）读取。"}) || isFinding(said.hover);
    if (!isValueTold && !isOfReads && tokens_->front().decimals == 0) return;
    const std::vector<Token> about = tokensOf(said.hover);
    // Where two threads collide: of the place that they do it at.
    if (isFinding(said.hover))
        for (const Token& token : about) {
            const Array* array =
                token.kind == Kind::Element ? run_.array(token.name, cursor_.launch) : nullptr;
            const std::optional<u64> address = array ? run_.addressOf(*array, token.indices) : std::nullopt;
            const std::optional<f64> known =
                address ? block_.valueBy(*array, *address, order()) : std::nullopt;
            if (known && (agrees(tokens_->front(), *known) || rounds(tokens_->front(), *known)))
                return mark(tokens_->front());
        }
    // The plate that says so covers other cells.
    if (isFinding(said.hover) && !said.below.empty() && tokens_->front().kind == Kind::Bare) {
        Said covered = said;
        covered.hover = std::exchange(covered.below, {});
        return numberInCell(covered);
    }
    const Array* array =
        about.front().kind == Kind::Element ? run_.array(about.front().name, cursor_.launch) : nullptr;
    const std::optional<u64> address = array ? run_.addressOf(*array, about.front().indices) : std::nullopt;
    const std::optional<f64> known = address ? block_.valueBy(*array, *address, order()) : std::nullopt;
    if (!known) return;
    const Token& value = tokens_->front();
    mark(value);
    // A small cell has as many digits as there is room for.
    if (!agrees(value, *known) && !isShortened(value, *known) && !(isValueTold && rounds(value, *known)))
        fail(said, written(value), fmt::format("{} stands there", *known));
}

void Reader::cellText(const Said& said) {
    if (tokens_->empty()) return;
    if (!said.isHover && !said.isSentence && !said.isCaption) return numberInCell(said);
    if (!said.isHover) return;
    const Token& first = tokens_->front();
    if (first.kind != Kind::Element || first.begin != 0) return;
    const std::optional<Place> place = placeOf(first);
    if (!place) return;
    if (std::string_view(text_).substr(first.end).find(": ") != std::string_view::npos &&
        contains(text_, "moves it"))
        return movedBy(said, *place);
    if (contains(text_, "搬动")) return movedBy(said, *place);
    cellValue(said, first, *place);
    for (const std::string_view now : {"it now (lane", " 个通道："})
        if (const std::size_t at = text_.find(now); at != std::string::npos) lanesNow(said, *place, at);
    for (const std::string_view before : {"read this value", "）已读过这个值"})
        if (const std::size_t at = text_.find(before); at != std::string::npos)
            lanesBefore(said, *place, text_.rfind(english() ? "Lane" : "个通道（", at));
    // "M[0][0] is read by lanes 0–7 of warp 0."
    if (is("*[#][#] is read by lane* of warp #.", "*[#][#] 由线程束 # 的 # 个通道（*）读取。"))
        lanesNow(said, *place, english() ? first.end : text_.find("（", first.end));
}

// " = 3.0" behind the name: what stands there at the cursor's step.
void Reader::cellValue(const Said& said, const Token& element, const Place& place) {
    std::size_t behind = element.end;
    if (text_.size() > behind + 1 && text_[behind] == '.' && contains("xyzw", text_.substr(behind + 1, 1)))
        behind += 2;
    const std::string_view rest = std::string_view(text_).substr(behind);
    if (!rest.starts_with(" = ") || tokens_->size() < 2) return;
    const Token& value = (*tokens_)[1];
    if (value.kind == Kind::Element || value.begin - behind > 4) return;
    if (contains(rest, "after round") || contains(rest, " 轮之后") || contains(rest, " at the start") ||
        text_.starts_with("开始时"))
        return;
    if (done_[1]) return;
    const std::optional<f64> known = block_.valueBy(*place.array, place.address, order());
    if (!known) return;  // an atomic's: any value that was there (element)
    mark(value);
    if (!agrees(value, *known) && !isShortened(value, *known))
        fail(said, written(value), fmt::format("{} stands there", *known));
}

// Lanes that touch it at the cursor's step: behind `at`, up to the end of the sentence.
void Reader::lanesNow(const Said& said, const Place& place, std::size_t at) {
    const trace::WarpTrace& mine = traceOf(cursor_.warp.value);
    const auto all = accessesOf(mine, cursor_.step);
    const auto of = std::ranges::find(all, place.array->space, [](const auto* one) { return one->space; });
    if (of == all.end()) return fail(said, "now", "the step touches no such memory");
    const trace::StoredAccess& access = **of;
    LaneMask lanes;
    for (const Lane lane : access.active) {
        const u64 from = mine.address(access, lane);
        if (place.address < from + access.widthBytes && from < place.address + place.array->componentBytes())
            lanes.bits |= 1u << lane.value;
    }
    std::size_t from = at, end = std::min(text_.find('.', at), text_.find("。", at));
    if (const std::size_t colon = text_.find("：", at); !english() && colon < end) from = colon;
    if (const std::size_t warp = text_.find(" of warp", at); english() && warp != std::string::npos)
        end = std::min(end, warp);
    end = std::min(end, text_.size());
    const std::optional<LaneMask> told = lanesIn(std::string_view(text_).substr(from, end - from));
    markIn(from, end);
    if (!told || *told != lanes) fail(said, text_.substr(from, end - from), "other lanes touch it");
    for (const Token& token : *tokens_) {
        if (token.kind == Kind::Id && token.noun == "warp") {
            mark(token);
            if (token.value != cursor_.warp.value) fail(said, written(token), "not the cursor's warp");
        }
        if (!english() && token.kind == Kind::Count && token.noun == "lane" && token.begin <= from) {
            mark(token);
            if (token.value != lanes.count())
                fail(said, written(token), fmt::format("{} lanes", lanes.count()));
        }
    }
    const bool isCopy = access.kind == AccessKind::AsyncCopy,
               reads = access.kind == AccessKind::Load || (isCopy && access.space == Space::Global),
               writes = access.kind == AccessKind::Store || (isCopy && access.space == Space::Shared);
    if (says(text_, {" reads it now", "正在读取"}) && !reads) fail(said, "reads", "it is no load");
    if (says(text_, {" writes it now", "正在写入"}) && !writes) fail(said, "writes", "it is no store");
    if (says(text_, {" updates it now", "正在更新"}) && (reads || writes))
        fail(said, "updates", "it is no atomic");
}

// What the warp's lanes have read since each last wrote, before the cursor's step; of a store, the lanes that
// store. Of a loop that only reads, the end of it: as many steps as hold 2048 reads.
const std::vector<std::pair<LaneMask, std::pair<u64, u64>>>& Reader::readBefore() {
    if (readBefore_) return *readBefore_;
    readBefore_.emplace();
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    LaneMask waiting = LaneMask::firstLanes(block_.lanesOf(cursor_.warp.value));
    if (access_ && trace::writes(access_->kind)) waiting = access_->active;
    for (u32 s = cursor_.step; s-- > 0 && waiting.bits && readBefore_->size() < 2048;) {
        if (warp.steps[s].access == trace::Step::kNone) continue;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        if (access.space != Space::Global && access.space != Space::Shared) continue;
        if (access.kind == AccessKind::AsyncCopy) continue;  // no register takes it
        if (trace::writes(access.kind)) {
            waiting.bits &= ~access.active.bits;
            continue;
        }
        const u64 mark = access.space == Space::Shared ? u64{1} << 63 : 0;
        for (const Lane lane : access.active)
            if (waiting.has(lane)) {
                const u64 from = warp.address(access, lane) | mark;
                readBefore_->push_back({LaneMask{1u << lane.value}, {from, from + access.widthBytes}});
            }
    }
    return *readBefore_;
}

void Reader::lanesBefore(const Said& said, const Place& place, std::size_t at) {
    const u64 address = place.address | (place.array->space == Space::Shared ? u64{1} << 63 : 0);
    LaneMask lanes;
    for (const auto& [lane, range] : readBefore())
        if (address < range.second && range.first < address + place.array->componentBytes())
            lanes.bits |= lane.bits;
    const std::size_t from = english() ? at : text_.find("（", at),
                      end = english() ? text_.find(" of warp", at) : text_.find("）", from);
    if (end == std::string::npos || from == std::string::npos) return;
    const std::optional<LaneMask> told = lanesIn(std::string_view(text_).substr(from, end - from));
    markIn(from, end);
    if (!told || *told != lanes) fail(said, text_.substr(from, end - from), "other lanes have read it");
    // "of warp 0", "线程束 0 的 2 个通道（": its number, and how many.
    const std::size_t begin = english() ? end : text_.rfind("线程束", at);
    for (const Token& token : *tokens_) {
        if (token.begin < begin || token.begin > (english() ? end + 10 : at)) continue;
        if (token.noun == "warp" && token.kind == Kind::Id) {
            mark(token);
            if (token.value != cursor_.warp.value) fail(said, written(token), "not the cursor's warp");
        } else if (!english()) {
            mark(token);
            if (token.value != lanes.count())
                fail(said, written(token), fmt::format("{} lanes", lanes.count()));
        }
    }
}

// "out[3][0] = 5.0: lane 4 moves it.": the lane's access has this value, and the place has or will have it.
void Reader::movedBy(const Said& said, const Place& place) {
    if (tokens_->size() != 3) return;
    const Token &value = (*tokens_)[1], &lane = (*tokens_)[2];
    mark(value), mark(lane);
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const Lane of{u32(lane.value)};
    // At the cursor; between accesses the last one that moves something, or the first to come.
    const auto moves = [&](u32 s) {
        if (warp.steps[s].access == trace::Step::kNone) return false;
        const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
        return !access.active.empty() && (access.space == Space::Global || access.space == Space::Shared);
    };
    u32 at = cursor_.step;
    while (at > 0 && !moves(at))
        --at;
    for (u32 s = cursor_.step; !moves(at) && s < warp.steps.size(); ++s)
        at = s;
    if (!moves(at)) return fail(said, written(lane), "the warp moves nothing");
    const trace::StoredAccess& stored = warp.accesses[warp.steps[at].access];
    if (!stored.active.has(of)) return fail(said, written(lane), "the lane moves nothing");
    const std::span<const std::byte> bytes = warp.value(stored, of);
    bool has = false;
    for (u32 from = 0; from + 4 <= bytes.size(); from += 4)
        has = has || agrees(value, readNumber('f', 4, bytes.data() + from));
    if (!has) fail(said, written(value), "the lane moves another value");
    bool isThere = false;
    for (const BlockFacts::Touch& touch : block_.touchesAt(*place.array, place.address))
        isThere = isThere || (touch.value && agrees(value, *touch.value));
    if (!isThere) fail(said, written(value), "never stands there");
    // Of the array that is accessed: the lane's own place.
    const u64 own = warp.address(stored, of);
    const bool isAccessed = stored.space == place.array->space && own >= place.array->address &&
                            (place.array->bytes == 0 || own < place.array->address + place.array->bytes);
    if (isAccessed && (place.address < own || place.address >= own + stored.widthBytes))
        fail(said, written(lane), "another lane's place");
}

}  // namespace lockstep::witness
