// The views, one file each; views.cpp has the table.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

Scene buildStage(const ViewInput& in);
std::pair<Scene, Scene> buildStages(const ViewInput& a, const ViewInput& b);
Scene buildBanks(const ViewInput& in);
Scene buildSectors(const ViewInput& in);
Scene buildLanes(const ViewInput& in);
Scene buildTimeline(const ViewInput& in);
Scene buildSource(const ViewInput& in);
Scene buildMemory(const ViewInput& in);
Scene buildTimes(const ViewInput& in);
Scene buildOccupancy(const ViewInput& in);
Scene buildFindings(const ViewInput& in);
Scene buildCompare(const ViewInput& in);
Scene buildPlayground(const ViewInput& in);
Scene buildRead(const ViewInput& in);
Scene buildChart(const ViewInput& in);
Scene buildIssue(const ViewInput& in);
std::pair<Scene, Scene> buildIssues(const ViewInput& a, const ViewInput& b);
Scene buildWaits(const ViewInput& in);
Scene buildOrders(const ViewInput& in);

// For tests, before anything else asks for the table: one more row.
void addView(const ViewRow& row);

}  // namespace lockstep::viz
