// For tests: a view that the program does not have, as a row of the table and nothing else.
#pragma once

#include "viz/scene/canvas.h"
#include "viz/views/views.h"

#include <string>

namespace lockstep::viz {

inline Scene buildAdded(const ViewInput& in) {
    Canvas canvas(in.size, in.metrics);
    canvas.caption("added");
    canvas.text({20, 20}, "a picture of step " + std::to_string(in.cursor.step + 1), {});
    return std::move(canvas).take("The added view speaks.");
}

inline const ViewRow& addedView() {
    static const bool isAdded = [] {
        addView({.name = "added",
                 .title = english("Timeline"),  // any text that is translated
                 .build = buildAdded,
                 .inCompare = ComparedTraits{},
                 .isLens = true});
        return true;
    }();
    (void)isAdded;
    return *findView("added");
}

}  // namespace lockstep::viz
