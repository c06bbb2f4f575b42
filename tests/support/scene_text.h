// For tests: a scene as a short text in whole pixels and roles, to be compared and read as a difference. What
// hovers and clicks say is not in it, only how many there are of each.
#pragma once

#include "viz/scene/scene.h"

#include <string>

namespace lockstep {

// Marks in painter's order, one a line: what it is, where, its role or text. Marks alike in all but place and
// content that go on by one step are one line, "16x +8.0,+0.0", whose contents follow one another; "of 2":
// two kinds of marks take turns. So are rows of rows.
std::string sceneText(const viz::Scene& scene);

// With `name`, an expected text in tests/golden: equal, or a failure that leaves expected.txt, actual.txt,
// difference.txt and actual.svg in the folder golden/<name> of the build. LOCKSTEP_UPDATE_GOLDEN=1 writes
// what is expected.
void expectGolden(const std::string& name, const viz::Scene& scene);

}  // namespace lockstep
