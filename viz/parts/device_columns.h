// The same access to global memory under the rules of one to three devices, side by side, or one above the
// other where there is no room for that; and the chips that choose them.
#pragma once

#include "model/access/global_sectors.h"
#include "viz/parts/access_on_show.h"
#include "viz/scene/canvas.h"

#include <span>
#include <string>
#include <vector>

namespace lockstep::viz {

using Devices = std::vector<const model::Profile*>;

// What is shown, ascending: the devices that the user set side by side, else the view's own device, with the
// oldest rules and the relaxed ones beside it where `width` has room for three.
Devices devicesOnShow(const ViewInput& in, f32 width);

// One chip a device of those that there are; a click puts it beside the others or takes it away. Returns the
// height used.
f32 drawDeviceChoice(Canvas& canvas, const ViewInput& in, const Devices& shown, const Rect& area);

// Area is bytes, to one scale in all of them. Returns what the access costs on each.
std::vector<model::GlobalCost> drawDeviceColumns(Canvas& canvas, const AccessOnShow& access,
                                                 const Devices& devices, const Rect& area);

}  // namespace lockstep::viz
