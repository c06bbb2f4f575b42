#include "viz/views/modeled_time.h"

#include "base/text/quantities.h"
#include "run/sweep/modeled_times.h"
#include "viz/issues_on_show.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/parts/chart.h"

#include <fmt/format.h>

#include <algorithm>

namespace lockstep::viz {
namespace {

constexpr f64 kMicroPerMilli = 1000;
constexpr f32 kChip = 24, kGap = 8;

constexpr Words kFor = english("modeled for {0}, mean error {1}%"),
                kForUnknown = english("modeled for {0}, error not measured yet");
constexpr Words kAsk = english("Model the time of this run"),
                kAskHover = english(
                    "Let a model of the {0} execute the machine code of this run, in the "
                    "background; it says how far it may be off"),
                kUnderWay = english("Executing the machine code: {0}%"),
                kWithout = english("Hide the modeled time"), kTime = english("{0}, {1}"),
                kTimeFull = english("This run: {0}, {1}, from empty caches"),
                kNone = english("No modeled time: {0}"), kSentence = english("This run takes {0}, {1}."),
                kNoneSentence = english("No modeled time: {0}.");

bool isAsked(const ViewInput& in) { return optionsAs<TimesOptions>(in.state.options).isModeled; }
// In a file there is nothing to click on.
bool canBeAsked(const ViewInput& in) { return !in.titled && !run::modeledDevice(in.run.profile).empty(); }

std::string originOf(const ViewInput& in, const ModeledTime& time) {
    return modeledOrigin(run::modeledDevice(in.run.profile), time.errorPercent, in.language);
}

// Returns where it ends.
f32 drawButton(Canvas& canvas, Point at, const std::string& text, Hit hit) {
    const TextStyle style{.size = type::kCode, .align = Align::Centre};
    const Rect box{at.x, at.y - kChip / 2, canvas.width(text, style) + 16, kChip};
    canvas.rect(box, {.fill = role(RoleKind::Raised), .radius = radius::kControl});
    canvas.text(box.centre(), text, style);
    canvas.hit(box, std::move(hit));
    return box.right();
}

Hit toggled(const ViewInput& in, std::string hover) {
    TimesOptions options = optionsAs<TimesOptions>(in.state.options);
    options.isModeled = !options.isModeled;
    return {.hover = std::move(hover), .options = options};
}

const Fault* whyNone(const ViewInput& in) { return in.issues ? in.issues->whyNotTimed() : nullptr; }

}  // namespace

std::string errorText(f64 percent) { return fmt::format("{:.0f}", percent); }

std::string modeledOrigin(const std::string& device, std::optional<f64> errorPercent, Language language) {
    return errorPercent ? say(language, kFor, device, errorText(*errorPercent))
                        : say(language, kForUnknown, device);
}

std::optional<ModeledTime> modeledTime(const ViewInput& in) {
    const run::TimedRun* const timed = isAsked(in) && in.issues ? in.issues->timed() : nullptr;
    if (!timed) return std::nullopt;
    return ModeledTime{timed->microseconds / kMicroPerMilli, timed->errorPercent};
}

bool hasModeledLine(const ViewInput& in) { return isAsked(in) || canBeAsked(in); }

std::optional<f32> modelButtonWidth(const Canvas& canvas, const ViewInput& in) {
    if (isAsked(in) || !canBeAsked(in)) return std::nullopt;
    return canvas.width(say(in.language, kAsk), {.size = type::kCode}) + 16;
}

void drawModeledLine(Canvas& canvas, const ViewInput& in, Point at, f32 width) {
    const Language l = in.language;
    if (!isAsked(in)) {
        drawButton(canvas, at, say(l, kAsk),
                   toggled(in, say(l, kAskHover, run::modeledDevice(in.run.profile))));
        return;
    }
    const f32 end = at.x + width;
    if (canBeAsked(in)) at.x = drawButton(canvas, at, "×", toggled(in, say(l, kWithout))) + kGap;
    TextStyle style{.size = type::kCode};
    const std::optional<ModeledTime> time = modeledTime(in);
    if (!time) {
        style.role = role(RoleKind::TextSecond);
        const Fault* const why = whyNone(in);
        const std::string text =
            why ? say(l, kNone, describe(*why, l)) : say(l, kUnderWay, in.issuesPercent.value_or(0));
        canvas.textWithin(at, end - at.x, text, shrunkToFit(canvas, end - at.x, style, text));
        canvas.hit({at.x, at.y - kChip / 2, end - at.x, kChip}, {.hover = text});
        return;
    }
    constexpr f32 kMark = 4.5f;
    drawModeledMark(canvas, {at.x + kMark + 1, at.y}, kMark);
    at.x += 2 * kMark + kGap;
    const std::string figure = timeText(time->milliseconds), origin = originOf(in, *time);
    canvas.textWithin(at, end - at.x,
                      firstFitting(canvas, end - at.x, style,
                                   {say(l, kTimeFull, figure, origin), say(l, kTime, figure, origin)}),
                      style);
    canvas.hit({at.x, at.y - kChip / 2, end - at.x, kChip},
               {.hover = say(l, kSentence, figure, origin) + "\n" + say(l, kHowModeled)});
}

std::string modeledSentence(const ViewInput& in) {
    if (!isAsked(in)) return {};
    if (const std::optional<ModeledTime> time = modeledTime(in))
        return say(in.language, kSentence, timeText(time->milliseconds), originOf(in, *time));
    const Fault* const why = whyNone(in);
    return why ? say(in.language, kNoneSentence, describe(*why, in.language)) : std::string();
}

}  // namespace lockstep::viz
