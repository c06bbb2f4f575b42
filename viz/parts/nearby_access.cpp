#include "viz/parts/nearby_access.h"

#include "base/text/punctuation.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/messages.h"
#include "viz/phrases.h"

#include <algorithm>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kStrip = 34;
constexpr Words kBefore = english("No request at the cursor; previous one: step {0}, line {1}");
constexpr Words kAfter = english("No request at the cursor; next one: step {0}, line {1}");
constexpr Words kBeforeBrief = english("Previous request: step {0}");
constexpr Words kAfterBrief = english("Next request: step {0}");
constexpr Words kLastIs = english("The previous one that does is at step {0}, line {1}:");
constexpr Words kNextIs = english("The next one that does is at step {0}, line {1}:");

}  // namespace

std::optional<Cursor> accessNearby(const CursorContext& here, const Cursor& cursor, Wanted wanted) {
    if (!here.warp) return std::nullopt;
    const auto& steps = here.warp->steps;
    const auto at = [&](u32 step) {
        Cursor found = cursor;
        found.step = step;
        return found;
    };
    const auto fits = [&](u32 step) {
        return steps[step].access != trace::Step::kNone && wanted(here.warp->accesses[steps[step].access]);
    };
    for (u32 step = std::min(cursor.step + 1, u32(steps.size())); step-- > 0;)
        if (fits(step)) return at(step);
    for (u32 step = cursor.step; step < steps.size(); ++step)
        if (fits(step)) return at(step);
    return std::nullopt;
}

Scene sceneNearby(const ViewInput& in, const CursorContext& here, const Cursor& there, const Words& title,
                  const std::string& none, Scene (*build)(const ViewInput&)) {
    const Language l = in.language;
    const std::string goText = say(l, kGoToStep, there.step + 1);
    constexpr f32 kLeastHeight = 210, kLeastWidth = 280;  // of a picture that is more than a word
    if (in.size.width < kLeastWidth || in.size.height < kLeastHeight + kStrip + space::kHead)
        return emptyScene(in, title, none, Hit{.hover = goText, .go = there});
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, title.in(l), placeText(in, here));
    const bool before = there.step < in.cursor.step;
    const u32 line = explain::lineOf(*in.run.module, here.warp->steps[there.step].pc).line;

    const Rect strip{body.x, body.y, body.width, kStrip};
    canvas.rect(strip, {.fill = role(RoleKind::Panel)});
    canvas.line({strip.x, strip.bottom() - 0.5f}, {strip.right(), strip.bottom() - 0.5f},
                {role(RoleKind::Edge), 1, Dash::Dashed});
    const f32 button = canvas.width(goText, {.size = type::kBody}) + 12,
              room = strip.width - 2 * space::kInset - button - 16;
    const TextStyle style{.bold = true};
    canvas.textWithin({strip.x + space::kInset, strip.centre().y}, room,
                      firstFitting(canvas, room, style,
                                   {say(l, before ? kBefore : kAfter, there.step + 1, line),
                                    say(l, before ? kBeforeBrief : kAfterBrief, there.step + 1)}),
                      style);
    chip(canvas, {strip.right() - space::kInset, strip.centre().y}, goText,
         {.size = type::kBody, .align = Align::Right});
    canvas.hit(strip, {.hover = goText, .go = there});

    ViewInput nearby = in;
    nearby.cursor = there, nearby.motion = 1, nearby.titled = false;
    const Rect area{body.x, strip.bottom(), body.width, body.bottom() - strip.bottom()};
    nearby.size = {area.width, area.height};
    Scene picture = build(nearby);
    const std::string between = sentenceGap(l);
    const std::string sentence = none + between + say(l, before ? kLastIs : kNextIs, there.step + 1, line) +
                                 between + picture.sentence;
    canvas.include(std::move(picture), area);
    return std::move(canvas).take(sentence);
}

std::string pictureIsOf(Language language, u32 step, bool isAhead) {
    static constexpr Words kAhead = english(" The picture shows the next request: step {0}.");
    static constexpr Words kBehind = english(" The picture shows the last request: step {0}.");
    return say(language, isAhead ? kAhead : kBehind, step + 1);
}

}  // namespace lockstep::viz
