#include "model/access/request_lines.h"

namespace lockstep::model {

RequestLines::Place RequestLines::workOut(const trace::RequestShape& shape, u64 address,
                                          const trace::RequestSite& site) {
    constexpr u64 kFarFromZero = u64{1} << 44;  // distances may be negative
    const u64 base = kFarFromZero + address % (site.local ? 4 : trace::kLineBytes);
    trace::LaneAddresses addresses{};
    for (Lane lane : shape.active)
        addresses[lane.value] = base + shape.distances[lane.value];
    trace::linesOf(shape.active, addresses, site.widthBytes, site.local, found_);
    const u64 origin = site.local ? kFarFromZero / 4 : kFarFromZero / trace::kLineBytes;
    for (trace::LineSectors& line : found_)
        line.line -= origin;
    return lines_.emplace_back(found_);
}

}  // namespace lockstep::model
