// The roofline (Williams, Waterman, Patterson: Communications of the ACM 52 (2009), 65-76): how much a kernel
// computes for each byte of device memory against how fast it computes, below what memory and arithmetic can
// do at most.
#pragma once

#include "base/text/text.h"
#include "viz/scene/canvas.h"

#include <string>
#include <vector>

namespace lockstep::viz {

struct Roofline {
    f64 operationsPerSecond = 0, bytesPerSecond = 0;  // at most: the two roofs
    f64 copyBytesPerSecond = 0;                       // what a copy reached; 0: not known
    struct Kernel {
        std::string name, hover;
        f64 operationsPerByte = 0, operationsPerSecond = 0;
        bool current = false;
    };
    std::vector<Kernel> kernels;
};

// Fills the area; nothing where it is too small or there is no kernel.
void drawRoofline(Canvas& canvas, const Rect& area, const Roofline& roofline, Language language);

}  // namespace lockstep::viz
