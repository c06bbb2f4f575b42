// The table of views: one row each.
#include "viz/views/views.h"

#include "viz/least_size.h"
#include "viz/messages.h"
#include "viz/playground.h"
#include "viz/wheel.h"

#include <algorithm>
#include <array>

namespace lockstep::viz {
namespace {

// Where nothing is said, nothing.
constexpr std::array kWheels{std::pair{std::string_view("stage"), Wheel::Zooms},
                             std::pair{std::string_view("timeline"), Wheel::Zooms},
                             std::pair{std::string_view("compare"), Wheel::Zooms},
                             std::pair{std::string_view("lanes"), Wheel::Scrolls},
                             std::pair{std::string_view("source"), Wheel::Scrolls},
                             std::pair{std::string_view("findings"), Wheel::Scrolls},
                             std::pair{std::string_view("memory"), Wheel::Scrolls},
                             std::pair{std::string_view("times"), Wheel::Scrolls},
                             std::pair{std::string_view("read"), Wheel::Scrolls}};

constexpr std::array kLeastSizes{std::pair{std::string_view("stage"), Size{560, 280}},
                                 std::pair{std::string_view("banks"), Size{560, 240}},
                                 std::pair{std::string_view("sectors"), Size{320, 240}},
                                 std::pair{std::string_view("lanes"), Size{480, 280}},
                                 std::pair{std::string_view("timeline"), Size{480, 120}},
                                 std::pair{std::string_view("source"), Size{400, 160}},
                                 std::pair{std::string_view("memory"), Size{480, 160}},
                                 std::pair{std::string_view("times"), Size{560, 200}},
                                 std::pair{std::string_view("findings"), Size{480, 280}},
                                 std::pair{std::string_view("compare"), Size{480, 240}},
                                 std::pair{std::string_view("read"), Size{320, 160}}};

}  // namespace

std::span<const ViewRow> views() {
    static const std::array kViews{
        ViewRow{"stage", message::kStageTitle, buildStage},
        ViewRow{"banks", message::kBanksTitle, buildBanks, true, true, true},
        ViewRow{"sectors", message::kSectorsTitle, buildSectors},
        ViewRow{"lanes", message::kLanesTitle, buildLanes, false, true, true},
        ViewRow{"timeline", message::kTimelineTitle, buildTimeline},
        ViewRow{"source", message::kSourceTitle, buildSource},
        ViewRow{"memory", message::kMemoryTitle, buildMemory, false, true, true},
        ViewRow{"times", message::kTimesTitle, buildTimes, false, true, true},
        ViewRow{"findings", message::kFindingsTitle, buildFindings},
        ViewRow{"compare", message::kCompareTitle, buildCompare, false, true, true},
        ViewRow{.name = "playground", .title = kPlaygroundTitle, .build = buildPlayground, .needsRun = false},
        ViewRow{"read", english("Read"), buildRead},
    };
    return kViews;
}

const ViewRow* findView(std::string_view name) {
    const auto found = std::ranges::find(views(), name, &ViewRow::name);
    return found == views().end() ? nullptr : &*found;
}

Size leastSizeOf(std::string_view view) {
    const auto found = std::ranges::find(kLeastSizes, view, [](const auto& row) { return row.first; });
    return found == kLeastSizes.end() ? Size{480, 320} : found->second;
}

Wheel wheelOf(std::string_view view) {
    const auto found = std::ranges::find(kWheels, view, [](const auto& row) { return row.first; });
    return found == kWheels.end() ? Wheel::Nothing : found->second;
}

}  // namespace lockstep::viz
