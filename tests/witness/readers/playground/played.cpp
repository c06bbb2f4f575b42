#include "witness/readers/playground/played.h"

#include <algorithm>

namespace lockstep::witness {
namespace {

s64 floored(s64 a, s64 b) { return a / b - (a % b < 0 ? 1 : 0); }

// What C makes of the operators that the playground's expressions have here.
class Index {
public:
    Index(std::string_view text, s64 tid) : text_(text), tid_(tid) {}
    std::optional<s64> value() {
        const s64 result = choice();
        blanks();
        return known_ && text_.empty() ? std::optional(result) : std::nullopt;
    }

private:
    void blanks() {
        while (text_.starts_with(' '))
            text_.remove_prefix(1);
    }
    bool take(std::string_view sign) {
        blanks();
        if (!text_.starts_with(sign)) return false;
        text_.remove_prefix(sign.size());
        return true;
    }
    s64 choice() {
        const s64 condition = equal();
        if (!take("?")) return condition;
        const s64 yes = choice();
        if (!take(":")) known_ = false;
        const s64 no = choice();
        return condition ? yes : no;
    }
    s64 equal() {
        s64 left = sum();
        while (take("=="))
            left = left == sum();
        return left;
    }
    s64 sum() {
        s64 left = product();
        while (true)
            if (take("+"))
                left += product();
            else if (take("-"))
                left -= product();
            else
                return left;
    }
    s64 product() {
        s64 left = one();
        while (true)
            if (take("*") || take("·"))
                left *= one();
            else if (take("%")) {
                const s64 by = one();
                known_ = known_ && by != 0;
                left = by ? left % by : 0;
            } else
                return left;
    }
    s64 one() {
        if (take("-")) return -one();
        if (take("(")) {
            const s64 inner = choice();
            known_ = take(")") && known_;
            return inner;
        }
        if (take("tid")) return tid_;
        blanks();
        std::size_t n = 0;
        while (n < text_.size() && text_[n] >= '0' && text_[n] <= '9')
            ++n;
        if (n == 0 || n > 15) return known_ = false, 0;
        const s64 number = std::stoll(std::string(text_.substr(0, n)));
        text_.remove_prefix(n);
        return number;
    }
    std::string_view text_;
    s64 tid_;
    bool known_ = true;
};

}  // namespace

std::optional<s64> indexOf(std::string_view expression, s64 tid) { return Index(expression, tid).value(); }

s64 placeOf(const model::RowLayout& rows, s64 element) {
    const s64 length = rows.elements, row = floored(element, length), column = element - row * length;
    return row * (length + rows.padding) +
           (rows.swizzled ? column ^ (((row % length) + length) % length) : column);
}

Capability deviceOf(const model::Profile& profile) {
    return {profile.major, profile.minor, profile.mode == "8 B"};
}

Played::Played(const Play& play) : pattern_(play.playground.pattern), device_(deviceOf(*play.profile)) {
    for (u32 lane = 0; lane < 32; ++lane) {
        if (pattern_.off.has(Lane{lane})) continue;
        std::optional<s64> place = pattern_.moved[lane];
        if (!place)
            if (const auto index = indexOf(pattern_.expression, lane)) place = placeOf(pattern_.rows, *index);
        if (place) offsets_[lane] = *place * s64{pattern_.widthBytes};
    }
}

trace::WarpAccess Played::access(trace::Space space) const {
    trace::WarpAccess access{.pc = {},
                             .active = {},
                             .space = space,
                             .kind = pattern_.operation,
                             .widthBytes = u8(pattern_.widthBytes),
                             .addresses = {}};
    for (u32 lane = 0; lane < 32; ++lane)
        if (offsets_[lane])
            access.active = access.active | LaneMask::of(Lane{lane}),
            access.addresses[lane] = kZero + u64(*offsets_[lane]);
    return access;
}

std::set<u32> Played::lanesWith(s64 byte, s64 bytes) const {
    std::set<u32> lanes;
    for (u32 lane = 0; lane < 32; ++lane)
        if (offsets_[lane] &&
            *offsets_[lane]<byte + bytes&& * offsets_[lane] + s64{pattern_.widthBytes}> byte)
            lanes.insert(lane);
    return lanes;
}

u64 Played::used() const {
    std::set<s64> places;
    for (const std::optional<s64>& offset : offsets_)
        if (offset) places.insert(*offset);
    return places.size() * pattern_.widthBytes;
}

Played::Figures Played::figures(trace::Space space, Capability device) const {
    const trace::WarpAccess access = this->access(space);
    Figures figures{{"lanes", f64(access.active.count())}, {"all", 32}, {"width", f64(pattern_.widthBytes)}};
    if (space == trace::Space::Shared) {
        const SharedCost cost = sharedCost(access, device, {});
        std::set<u64> firsts;
        for (const Lane lane : access.active)
            firsts.insert(access.addresses[lane.value] / 4);
        figures["wavefronts"] = cost.wavefronts, figures["ideal"] = cost.least;
        figures["words"] = cost.words, figures["groups"] = cost.groups, figures["banks"] = cost.banks;
        figures["most"] = cost.mostInOneBank;
        figures["bank"] = cost.banks == 1 ? cost.onlyBank : -1;
        return figures;
    }
    const GlobalCost cost = globalCost(access, device);
    const std::size_t leastSectors = (used() + 31) / 32;
    figures["requests"] = cost.requests, figures["items"] = cost.items, figures["moved"] = f64(cost.bytes);
    figures["wanted"] = f64(used()), figures["least"] = f64(leastSectors);
    figures["sector"] = 32, figures["line"] = 128;
    return figures;
}

}  // namespace lockstep::witness
