#include "viz/parts/access_on_show.h"

#include "base/device_addresses.h"
#include "viz/phrases.h"

namespace lockstep::viz {

Hit AccessOnShow::hitOf(Lane lane, std::string hover) const {
    Hit hit = this->hit(lane);
    hit.hover = std::move(hover);
    hit.hoverLater = {};
    return hit;
}

AccessOnShow accessOnShow(const ViewInput& in, const CursorContext& here) {
    AccessOnShow shown{.access = here.warp->unpack(*here.access),
                       .language = in.language,
                       .warp = in.cursor.warp,
                       .cursor = in.cursor.lane,
                       .exist = explain::lanesOf(*here.block, in.cursor.warp),
                       .motion = in.motion};
    if (shown.access.space != trace::Space::Shared && !shown.access.active.empty())
        if (const auto buffer = bufferOfAddress(shown.access.addresses[shown.access.active.lowest().value]))
            shown.zero = deviceAddressOf(*buffer);
    shown.hit = [&in, here](Lane lane) {
        Cursor go = in.cursor;
        go.lane = lane;
        return Hit{.hover = laneSentence(in, here, lane), .go = go};
    };
    return shown;
}

}  // namespace lockstep::viz
