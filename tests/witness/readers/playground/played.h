// What an access of the playground is and comes to, from its expression, rows and lanes: by rules of the
// witness's own.
#pragma once

#include "witness/pictures.h"
#include "witness/record/rules.h"

#include <array>
#include <map>
#include <optional>
#include <set>

namespace lockstep::witness {

// An index expression of C over numbers and tid; none: it says something that is not known here.
std::optional<s64> indexOf(std::string_view expression, s64 tid);

// The element where the n-th element of an array with such rows lies.
s64 placeOf(const model::RowLayout& rows, s64 element);

class Played {
public:
    static constexpr u64 kZero = u64{1} << 40;  // where byte 0 lies
    explicit Played(const Play& play);

    const model::AccessPattern& pattern() const { return pattern_; }
    Capability device() const { return device_; }
    std::optional<s64> offset(u32 lane) const { return offsets_[lane]; }
    trace::WarpAccess access(trace::Space space) const;
    std::set<u32> lanesWith(s64 byte, s64 bytes) const;  // that ask for some of these bytes
    u64 used() const;                                    // bytes, each once

    // Numbers by what the sentences call them: "wavefronts", "wanted".
    using Figures = std::map<std::string, f64, std::less<>>;
    Figures figures(trace::Space space, Capability device) const;

private:
    model::AccessPattern pattern_;
    Capability device_;
    std::array<std::optional<s64>, 32> offsets_{};
};

Capability deviceOf(const model::Profile& profile);

}  // namespace lockstep::witness
