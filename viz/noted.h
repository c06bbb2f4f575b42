// A view with the questions that its figures raise below it: answered under the mouse, and in full in the
// view that is read.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

// The view's scene; where notes stand there and it has the room, above a line or two of them. Notes must
// never cost a view what it shows.
Scene buildNoted(const ViewRow& view, const ViewInput& in);

}  // namespace lockstep::viz
