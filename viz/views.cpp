// The table of views: one row each.
#include "viz/views/views.h"

#include "base/check.h"
#include "viz/cursor/playground.h"
#include "viz/messages.h"
#include "viz/orders_on_show.h"

#include <algorithm>
#include <array>
#include <vector>

namespace lockstep::viz {
namespace {

using Layout = ComparedTraits::Layout;
using trace::Space;

constexpr std::array<std::string_view, 1> kOfShared{"shared"}, kOfInstructions{"inst_executed"};
constexpr std::array<std::string_view, 2> kOfGlobal{"global", "sectors_per"},
    kOfLanes{"branches", "threads_per"};

std::vector<ViewRow> allRows() {
    return {
        ViewRow{.name = "stage",
                .title = message::kStageTitle,
                .build = buildStage,
                .wheel = Wheel::Zooms,
                .least = {560, 280},
                .says = true,
                .inCompare = ComparedTraits{.layout = Layout::ByWidth, .buildBoth = buildStages},
                .drawsPresented = true},
        ViewRow{.name = "banks",
                .title = message::kBanksTitle,
                .build = buildBanks,
                .accessesOf = Space::Shared,
                .asTheMachineRunsIt = true,
                .showsGrid = true,
                .least = {560, 240},
                .says = true,
                .inCompare = ComparedTraits{.namesLine = true},
                .explains = kOfShared,
                .isLens = true,
                .drawsPresented = true},
        ViewRow{.name = "sectors",
                .title = message::kSectorsTitle,
                .build = buildSectors,
                .accessesOf = Space::Global,
                .least = {320, 240},
                .says = true,
                .inCompare = ComparedTraits{.namesLine = true},
                .explains = kOfGlobal,
                .isLens = true},
        ViewRow{.name = "lanes",
                .title = message::kLanesTitle,
                .build = buildLanes,
                .asTheMachineRunsIt = true,
                .wheel = Wheel::Scrolls,
                .least = {480, 280},
                .inCompare = ComparedTraits{.namesLine = true},
                .explains = kOfLanes,
                .isLens = true},
        ViewRow{.name = "timeline",
                .title = message::kTimelineTitle,
                .build = buildTimeline,
                .followsRange = true,
                .wheel = Wheel::Zooms,
                .least = {480, 120},
                .leastCaptioned = 120,
                .isStrip = true,
                .inCompare = ComparedTraits{.layout = Layout::Stacked},
                .explains = kOfInstructions},
        ViewRow{.name = "source",
                .title = message::kSourceTitle,
                .build = buildSource,
                .followsProgram = true,
                .showsGrid = true,
                .wheel = Wheel::Scrolls,
                .least = {400, 160},
                .inCompare = ComparedTraits{.marksLines = true},
                .explains = kOfInstructions,
                .isLens = true,
                .showsRegisters = true},
        ViewRow{.name = "memory",
                .title = message::kMemoryTitle,
                .build = buildMemory,
                .asTheMachineRunsIt = true,
                .followsCaches = true,
                .showsGrid = true,
                .wheel = Wheel::Scrolls,
                .least = {480, 160}},
        ViewRow{.name = "times",
                .title = message::kTimesTitle,
                .build = buildTimes,
                .asTheMachineRunsIt = true,
                .modeled = Modeled::Time,
                .asksModel = [](const ViewOptions& o) { return optionsAs<TimesOptions>(o).isModeled; },
                .showsGrid = true,
                .wheel = Wheel::Scrolls,
                .least = {560, 200}},
        ViewRow{.name = "occupancy",
                .title = english("Occupancy"),
                .build = buildOccupancy,
                .asTheMachineRunsIt = true,
                .hasNotes = false,
                .least = {480, 320},
                .says = true},
        ViewRow{.name = "findings",
                .title = message::kFindingsTitle,
                .build = buildFindings,
                .modeled = Modeled::Waits,
                .followsProgram = true,
                .asksModel = [](const ViewOptions&) { return false; },
                .showsGrid = true,
                .wheel = Wheel::Scrolls,
                .least = {480, 280}},
        ViewRow{
            .name = "compare",
            .title = message::kCompareTitle,
            .build = buildCompare,
            .asTheMachineRunsIt = true,
            .modeled = Modeled::Issues,
            .asksModel =
                [](const ViewOptions& options) { return optionsAs<CompareOptions>(options).view == "issue"; },
            .showsGrid = true,
            .wheel = Wheel::Zooms,
            .least = {480, 240},
            .says = true,
            .showsBoth = true,
            .drawsPresented = true},
        ViewRow{.name = "playground",
                .title = kPlaygroundTitle,
                .build = buildPlayground,
                .needsRun = false,
                .hasNotes = false,
                .says = true},
        ViewRow{.name = "read",
                .title = english("Read"),
                .build = buildRead,
                .showsGrid = true,
                .hasNotes = false,
                .wheel = Wheel::Scrolls,
                .least = {320, 160},
                .isLens = true,
                .drawsPresented = true},
        ViewRow{.name = "chart",
                .title = english("Chart"),
                .build = buildChart,
                .asTheMachineRunsIt = true,
                .followsSweeps = true,
                .showsGrid = true,
                .least = {480, 240}},
        ViewRow{.name = "issue",
                .title = english("Issue timeline"),
                .build = buildIssue,
                .modeled = Modeled::Issues,
                .hasNotes = false,
                .wheel = Wheel::Zooms,
                .least = {560, 280},
                .inCompare = ComparedTraits{.layout = ComparedTraits::Layout::Stacked,
                                            .marksLines = true,
                                            .buildBoth = buildIssues},
                .isLens = true},
        ViewRow{.name = "waits",
                .title = english("the view of what warps wait for", "Waits"),
                .build = buildWaits,
                .modeled = Modeled::Waits,
                .hasNotes = false,
                .least = {480, 320},
                .says = true},
        ViewRow{.name = "orders",
                .title = kOrdersTitle,
                .build = buildOrders,
                .followsOrders = true,
                .hasNotes = false,
                .least = {560, 480},
                .says = true,
                .drawsPresented = true},
    };
}

// A row stays where it is while the program runs, whatever a test adds (testing/added_view.h).
std::vector<ViewRow>& table() {
    constexpr std::size_t kRoom = 32;
    static std::vector<ViewRow> rows = [] {
        std::vector<ViewRow> all = allRows();
        all.reserve(kRoom);
        return all;
    }();
    return rows;
}

}  // namespace

std::span<const ViewRow> views() { return table(); }

void addView(const ViewRow& row) {
    CHECK(table().size() < table().capacity(), "there is room for a few views more");
    table().push_back(row);
}

Modeled modeledBy(const ViewRow& view, const ViewOptions& options) {
    return !view.asksModel || view.asksModel(options) ? view.modeled : Modeled::None;
}

const ViewRow* findView(std::string_view name) {
    const auto found = std::ranges::find(views(), name, &ViewRow::name);
    return found == views().end() ? nullptr : &*found;
}

}  // namespace lockstep::viz
