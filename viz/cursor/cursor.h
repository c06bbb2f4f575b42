// The one selection that all views share.
#pragma once

#include "base/cursor.h"

namespace lockstep::viz {

using lockstep::Cursor;

}  // namespace lockstep::viz
