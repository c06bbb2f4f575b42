// A value on its way: a filled token with its lane's number, hatched where nothing was read.
#pragma once

#include "viz/scene/canvas.h"

namespace lockstep::viz {

struct Token {
    Point centre;
    f32 width = 46, height = 30;
    std::string lane, value;  // no value: the lane alone, where it fits
    Role fill;                // the lane's color
    bool hollow = false;      // nothing was read: the value was made up by the kernel
};
Rect bounds(const Token& token);
void draw(Canvas& canvas, const Token& token);
// A key's sign for cells with a value: of the lanes' color, with a number where the picture has numbers.
void drawValueSign(Canvas& canvas, Point centre, Role color, bool hasNumber);

}  // namespace lockstep::viz
