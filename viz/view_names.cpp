#include "viz/view_names.h"

#include "viz/view.h"

namespace lockstep::viz {

std::vector<std::string> namesOfViews() {
    std::vector<std::string> names;
    for (const ViewRow& row : views())
        names.emplace_back(row.name);
    return names;
}

}  // namespace lockstep::viz
