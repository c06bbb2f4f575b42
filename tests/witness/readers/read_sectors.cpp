// What the sectors view says of bytes that move, under the rules of several devices.
#include "witness/readers/reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::Space;

// "32 bytes from byte 0: accessed by lanes 0–7", "64 bytes from byte 128, transferred for lane 31".
void Reader::itemHover(const Said& said) {
    if (!says(said.text, {" from byte ", "从第 "}) || !says(said.text, {"bytes", "字节"})) return;
    std::optional<u64> size, from;
    std::set<u32> lanes;
    std::optional<f64> lanesCount;
    std::optional<u32> last;
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (token.noun == "byte" && (token.kind == Kind::Id || (picture_.language == Language::Chinese &&
                                                                !from && text_.compare(0, 6, "从") == 0)))
            from = u64(token.value), done_[i] = true;
        else if (token.noun == "byte" && token.kind == Kind::Count && !size)
            size = u64(token.value), done_[i] = true;
        else if (token.noun == "lane" && token.kind == Kind::Count)
            lanesCount = token.value, done_[i] = true;
        else if ((token.noun == "lane" && token.kind == Kind::Id) ||
                 (token.kind == Kind::Bare && from && size)) {
            const bool isRange = last && std::string_view(text_).substr(0, token.begin).ends_with("–");
            for (u32 lane = isRange ? *last : u32(token.value); lane <= u32(token.value) && lane < 64; ++lane)
                lanes.insert(lane);
            last = u32(token.value), done_[i] = true;
        }
    }
    if (!size || !from) return;
    const bool all = says(said.text, {", accessed by ", "访问其中", "no lane", "没有通道"});
    if (lanesCount && *lanesCount != f64(lanes.size()))
        fail(said, "lanes", "not as many lanes as are listed");
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    std::vector<u32> steps =
        access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses();
    const bool right = std::ranges::any_of(steps, [&](u32 s) {
        const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
        if (access.space != Space::Global || access.active.empty()) return false;
        u64 base = 0;
        for (const Array& array : run_.arrays())
            if (array.space == Space::Global &&
                array.address >> 40 == access.addresses[access.active.lowest().value] >> 40)
                base = array.address;
        std::set<u32> in;
        for (Lane lane : access.active) {
            const s64 at = s64(access.addresses[lane.value] - base), end = at + access.widthBytes;
            if (at < s64(*from + *size) && end > s64(*from)) in.insert(lane.value);
        }
        return all ? in == lanes : std::ranges::includes(in, lanes);
    });
    if (!right) fail(said, "lanes", "the lanes of these bytes are others");
}

// "8 lanes at a time, in any order: each sector of 32 bytes ...": how many make one request.
void Reader::lanesAtATime(const Said& said) {
    if (!is("# lanes at a time, in any order: *", "每次 # 个通道，次序不限：*") &&
        !is("distinct * of # lanes", "每 # 个通道的不同*"))
        return;
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    const u32 major = run_.capability().major;
    std::set<f64> known;
    for (u32 s : access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses())
        if (const trace::StoredAccess& access = warp.accesses[warp.steps[s].access];
            access.space == Space::Global && access.widthBytes > 4 && major > 1 && major < 6) {
            const u32 lanes = 128 / access.widthBytes;
            known.insert(lanes);
        }
    done_[0] = true;
    if (!known.contains(tokens_->front().value)) fail(said, text_, "not as many lanes make one request");
}

// Rules of other devices: "Compute capability 1.0: 2 transactions." By name where there is one; else of
// any device on show.
void Reader::otherDevices(const Said& said) {
    if (picture_.view != "sectors" && picture_.view != "stage" && picture_.view != "compare") return;
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    std::vector<u32> steps =
        access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses();
    for (std::size_t i = 0; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        if (done_[i] || token.kind != Kind::Count ||
            (token.noun != "transaction" && token.noun != "sector" && token.noun != "byte" &&
             token.noun != "%" && token.noun != "line" && token.noun != "request"))
            continue;
        // The last capability that is named before it.
        std::vector<Capability> devices;
        for (const model::Profile& profile : model::profiles()) {
            const std::string number = fmt::format("{}.{}", profile.major, profile.minor);
            std::size_t last = std::string::npos;
            for (const char* before : {"capability ", "计算能力 ", "cc "})
                if (const std::size_t at =
                        std::string_view(said.text).substr(0, token.begin).rfind(before + number);
                    at != std::string::npos && (last == std::string::npos || at > last))
                    last = at;
            if (last != std::string::npos &&
                std::string_view(said.text).substr(last + 8, token.begin - last - 8).find("apability") ==
                    std::string_view::npos)
                devices.push_back({profile.major, profile.minor});
        }
        const bool named = !devices.empty();
        if (!named && (said.isSentence || said.isCaption)) continue;
        if (!named) devices = {{1, 0}, {1, 2}, {2, 0}, {9, 0}};
        for (u32 s : steps) {
            const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
            if (access.space != Space::Global) continue;
            std::set<u64> places;
            for (Lane lane : access.active)
                places.insert(access.addresses[lane.value]);
            for (const Capability device : devices) {
                const GlobalCost cost = globalCost(access, device);
                bool holds =
                    token.noun == "byte" ? agrees(token, f64(cost.bytes))
                    : token.noun == "%"
                        ? cost.bytes &&
                              agrees(token, 100.0 * f64(places.size() * access.widthBytes) / f64(cost.bytes))
                    : token.noun == "request" ? agrees(token, cost.requests)
                                              : agrees(token, cost.items);
                for (u32 half : cost.perHalf)
                    holds = holds || (token.noun != "byte" && token.noun != "%" && agrees(token, half));
                if (token.noun == "byte")
                    for (u32 bytes : cost.itemBytes)
                        holds = holds || agrees(token, bytes);
                if (holds) done_[i] = true;
            }
        }
        if (named && !done_[i] && token.noun == "transaction")
            done_[i] = true, fail(said, text_.substr(token.begin, token.end - token.begin),
                                  "under the rules of that device it is another number");
    }
}

// "half-warp 0: lane 3 accesses word 4 instead of 3, so each lane is served alone": words of the segment that
// the half's first lane begins.
void Reader::wordOfHalfWarp(const Said& said) {
    // "half-warp 0 starts 4 bytes past a multiple of 64"
    if (says(said.text, {"past a multiple of", "的整数倍多"}) && tokens_->size() >= 3 &&
        tokens_->front().noun == "half-warp") {
        const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
        for (u32 s :
             access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses()) {
            const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
            const u32 half = u32(tokens_->front().value);
            if (access.space != Space::Global || half > 1) continue;
            const LaneMask lanes = access.active & LaneMask{LaneMask::firstLanes(16).bits << (16 * half)};
            if (lanes.empty()) continue;
            const u64 segment = 16 * u64{access.widthBytes},
                      start = access.addresses[lanes.lowest().value] -
                              (lanes.lowest().value - 16 * half) * u64{access.widthBytes};
            const f64 behind = (*tokens_)[english() ? 1 : 2].value, of = (*tokens_)[english() ? 2 : 1].value;
            if (behind == f64(start % segment) && of == f64(segment)) done_[0] = done_[1] = done_[2] = true;
        }
        return;
    }
    if (!says(said.text, {" instead of ", "而不是字"}) || !says(said.text, {"accesses word", "访问的是字"}))
        return;
    const trace::WarpTrace& warp = traceOf(cursor_.warp.value);
    for (std::size_t i = 0; i + 3 < tokens_->size(); ++i) {
        if ((*tokens_)[i].noun != "half-warp") continue;
        const u32 half = u32((*tokens_)[i].value), lane = u32((*tokens_)[i + 1].value);
        for (u32 s :
             access_ && access_->space == Space::Global ? std::vector{cursor_.step} : nearestAccesses()) {
            const trace::WarpAccess access = warp.unpack(warp.accesses[warp.steps[s].access]);
            if (access.space != Space::Global || half > 1 || lane > 31 || !access.active.has(Lane{lane}))
                continue;
            const LaneMask lanes = access.active & LaneMask{LaneMask::firstLanes(16).bits << (16 * half)};
            if (lanes.empty()) continue;
            const u64 width = access.widthBytes, segment = 16 * width,
                      start = access.addresses[lanes.lowest().value] / segment * segment;
            const s64 word = (s64(access.addresses[lane]) - s64(start)) / s64(width);
            if (f64(word) == (*tokens_)[i + 2].value && f64(lane - 16 * half) == (*tokens_)[i + 3].value)
                for (std::size_t k = i; k < i + 4; ++k)
                    done_[k] = true;
        }
    }
}

// "Stride: warp 0 loads 128 bytes, 4 per lane, in 8 sectors under compute capability 9.0. ...": another
// variant of the family.
void Reader::variantText(const Said& said) {
    if (!said.isHover || !says(said.text, {"Click to run this variant", "单击即可运行这个版本",
                                           "This is the variant that runs", "现在运行的就是这个版本"}))
        return;
    for (const run::VariantAccess& variant : run_.run().variants) {
        if (!said.text.starts_with(variant.title.in(picture_.language) + (english() ? ":" : "："))) continue;
        const std::string lane = english() ? ", {} per lane, in " : "（每个通道 {} 字节），";
        for (const trace::WarpAccess& access : variant.ofWarps) {
            const std::string width = fmt::format(fmt::runtime(lane), access.widthBytes);
            const std::size_t at = said.text.find(width);
            const GlobalCost cost = globalCost(access, run_.capability());
            std::set<u64> places;
            for (Lane lane : access.active)
                for (u32 byte = 0; byte < access.widthBytes; ++byte)
                    places.insert(access.addresses[lane.value] + byte);
            for (std::size_t i = 0; i < tokens_->size(); ++i) {
                const Token& token = (*tokens_)[i];
                if (token.noun == "byte" && token.value == f64(places.size())) done_[i] = true;
                if (token.begin >= at && token.begin < at + width.size()) done_[i] = true;
                if ((token.noun == "sector" || token.noun == "transaction") && token.value == cost.items)
                    done_[i] = true;
            }
        }
        for (std::size_t i = 0; i < tokens_->size(); ++i)  // "its lanes 0 to 15"
            if ((*tokens_)[i].noun == "lane" && ((*tokens_)[i].value == 0 || (*tokens_)[i].value == 15))
                done_[i] = true;
    }
}

}  // namespace lockstep::witness
