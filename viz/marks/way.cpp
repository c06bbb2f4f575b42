// Draws ways.
#include "viz/marks/way.h"

namespace lockstep::viz {

void draw(Canvas& canvas, const Way& way) {
    const Stroke gone{way.role, way.read ? line::kRead : line::kUnread,
                      way.read ? Dash::Solid : Dash::Dashed};
    if (!(way.from == way.curve[0])) canvas.line(way.from, way.curve[0], gone);
    if (way.travelled > 0.01f) canvas.curve(part(way.curve, 0, way.travelled), gone);
    if (way.travelled < 0.95f)
        canvas.curve(part(way.curve, way.travelled, 0.97f), {way.role, 1.2f, Dash::Dotted}, 6);
}

}  // namespace lockstep::viz
