// The driver interface is not offered; programs often include this for the runtime's types alone.
#pragma once

#include "cuda_runtime.h"
