// Times of the cycle model, in pictures of measured ones: what is said of them, always with their error, and
// the line by which the Times view asks for the time of the run on show.
#pragma once

#include "viz/scene/canvas.h"
#include "viz/view.h"

#include <optional>
#include <string>

namespace lockstep::viz {

// What a modeled time is.
inline constexpr Words kHowModeled = english(
    "A model executes the machine code, from empty caches and with the start of the launch; its error is "
    "that "
    "of elapsed cycles, beside ncu's.");
// Why it differs from a recorded one beside the error.
inline constexpr Words kColdBesideWarm = english(
    "Modeled times are of one launch from empty caches; recorded ones are of many in a row, and what stays "
    "in "
    "L2 makes the short ones shorter.");

// "modeled for NVIDIA H200, mean error 8%"
std::string modeledOrigin(const std::string& device, std::optional<f64> errorPercent, Language language);
// "8"
std::string errorText(f64 percent);

struct ModeledTime {
    f64 milliseconds = 0;
    std::optional<f64> errorPercent{};
    // What it may be, by its error.
    f64 least() const { return milliseconds * (1 - errorPercent.value_or(0) / 100); }
    f64 most() const { return milliseconds * (1 + errorPercent.value_or(0) / 100); }
};
// Of the run on show, where the Times view asked for it (TimesOptions::isModeled) and it is there.
std::optional<ModeledTime> modeledTime(const ViewInput& in);

// Whether there is a line: where it was asked for, or can be.
bool hasModeledLine(const ViewInput& in);
// Whether that is a button that asks for it, so wide: it can stand among others.
std::optional<f32> modelButtonWidth(const Canvas& canvas, const ViewInput& in);
// The time, how far it is, why there is none, or that button.
void drawModeledLine(Canvas& canvas, const ViewInput& in, Point at, f32 width);
inline constexpr f32 kModeledLine = 28;  // its height
// The same as a sentence; empty: it was not asked for.
std::string modeledSentence(const ViewInput& in);

}  // namespace lockstep::viz
