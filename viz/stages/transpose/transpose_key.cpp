#include "viz/stages/transpose/transpose_key.h"

#include "viz/marks/cursor_box.h"
#include "viz/messages.h"

namespace lockstep::viz {

using namespace message;

namespace {

constexpr Words kKeyWay = english("path of an element");

}  // namespace

std::vector<KeyRow> transposeKey(Language language, Role mine, bool hasTile, bool hasPadding) {
    std::vector<KeyRow> rows;
    rows.push_back({[mine](Canvas& c, Point p) {
                        c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = mine, .radius = 2});
                    },
                    say(language, kKeyMovedNow)});
    rows.push_back({[mine](Canvas& c, Point p) {
                        c.rect({p.x - 7.5f, p.y - 5.5f, 15, 11}, {.stroke = {mine, 1.5f}, .radius = 2});
                    },
                    say(language, kKeySameElement)});
    rows.push_back({[](Canvas& c, Point p) {
                        c.rect({p.x - 8, p.y - 6, 16, 12}, {.fill = role(RoleKind::Wasted), .radius = 2});
                    },
                    say(language, kKeyMovedBefore)});
    if (hasTile)
        rows.push_back({[](Canvas& c, Point p) {
                            for (u32 w = 0; w < 2; ++w)
                                c.rect({p.x - 8 + 8 * f32(w), p.y - 6, 8, 12},
                                       {.fill = warpRole(Warp{w}, Lane{0}, 0, 0.5f)});
                        },
                        say(language, kKeyTileHolds)});
    if (hasPadding)
        rows.push_back({[](Canvas& c, Point p) {
                            c.rect({p.x - 8, p.y - 6, 16, 12}, kTransposePadding);
                        },
                        say(language, kKeyPadding)});
    rows.push_back({[mine](Canvas& c, Point p) {
                        c.line({p.x - 8, p.y}, {p.x + 8, p.y}, {mine, line::kUnread});
                    },
                    say(language, kKeyWay)});
    rows.push_back({[](Canvas& c, Point p) {
                        cursorBox(c, {p.x - 7, p.y - 5, 14, 10}, 3);
                    },
                    say(language, kKeyCursor)});
    return rows;
}

}  // namespace lockstep::viz
