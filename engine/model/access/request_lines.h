// The lines and sectors that requests access, computed once per pattern of distances between lanes and per
// offset in a line.
#pragma once

#include "trace/request_stream.h"
#include "trace/sector_size.h"

#include <array>
#include <deque>
#include <span>
#include <vector>

namespace lockstep::model {

class RequestLines {
public:
    // Pointers stay valid as long as this. LineSectors::line counts from the line of the lowest lane's
    // address (modulo 2^64); for local memory, from the lowest lane's word.
    std::span<const trace::LineSectors> of(const trace::RequestShape& shape, u64 address,
                                           const trace::RequestSite& site) {
        const u32 key = shape.number * kWidths + u32(std::countr_zero(u32{site.widthBytes})) * 2 + site.local;
        if (key >= rows_.size()) [[unlikely]]
            rows_.resize(key + kWidths);
        u32& row = rows_[key];
        if (!row) [[unlikely]] {
            places_.emplace_back();
            row = u32(places_.size());
        }
        Place& place = places_[row - 1][address % (site.local ? 4 : trace::kLineBytes)];
        if (place.empty()) [[unlikely]]
            place = workOut(shape, address, site);
        return place;
    }

private:
    static constexpr u32 kWidths = 12;  // 1 to 32 bytes, local or not
    using Place = std::span<const trace::LineSectors>;
    Place workOut(const trace::RequestShape& shape, u64 address, const trace::RequestSite& site);

    std::vector<u32> rows_;
    std::vector<std::array<Place, trace::kLineBytes>> places_;
    std::deque<std::vector<trace::LineSectors>> lines_;
    std::vector<trace::LineSectors> found_;
};

}  // namespace lockstep::model
