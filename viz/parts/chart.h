// A chart: one figure over the values of a parameter, in one or several series, named where their lines end.
#pragma once

#include "viz/parts/chart_scale.h"
#include "viz/scene/canvas.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::viz {

// Where a point's figure comes from: each has a mark and an ink of its own.
enum class PointSource : u8 {
    Measured,  // here, just now
    Recorded,  // somewhere, once
    Counted,   // by the emulator's model
    Modeled,   // by the cycle model, with an error
};

struct ChartPoint {
    f64 x = 0, y = 0;        // in the units of the axes
    f64 low = 0, high = 0;   // what y may be; the same: it is exact
    std::string hover;       // a sentence with the exact figures
    bool isWrong = false;    // the result of that run was wrong
    bool isCurrent = false;  // the run on show
};

// Series of one name have one color and one label.
struct ChartSeries {
    std::string name;
    PointSource source = PointSource::Counted;
    bool isCurrent = false;            // of the run on show
    std::vector<ChartPoint> points{};  // ascending by x
};

struct Chart {
    std::string across, up;                           // what the axes show, with units
    std::function<std::string(f64)> tick = tickText;  // a number on the axis upwards
    std::vector<ChartSeries> series;
    AxisScaling x = AxisScaling::Auto, y = AxisScaling::Auto;
    // What each source is: the key's words. Empty: it is not in the key.
    std::string measured, recorded, counted, modeled, wrong;
};

// The mark of a modeled point: a hollow disc; the same wherever modeled and measured figures stand together.
void drawModeledMark(Canvas& canvas, Point at, f32 radius);
// From the least to the most that a modeled figure may be, across or upwards.
void drawModeledError(Canvas& canvas, Point from, Point to);

// Fills the area. What has no room is left out: first the key, then the names of the axes, then all.
void drawChart(Canvas& canvas, const Rect& area, const Chart& chart);
// Below this nothing is drawn.
inline constexpr Size kLeastChart{160, 70};

}  // namespace lockstep::viz
