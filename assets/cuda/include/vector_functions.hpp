// Part of vector_types.h.
#pragma once

#include "vector_types.h"
