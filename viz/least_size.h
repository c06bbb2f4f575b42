// How small a picture of a view alone may be.
#pragma once

#include "viz/scene.h"

#include <string_view>

namespace lockstep::viz {

// Below, its texts are cut or run into each other (tests/visual/least_size_test.cpp).
Size leastSizeOf(std::string_view view);

}  // namespace lockstep::viz
