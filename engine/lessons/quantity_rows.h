// The rows of quantities(), by what they are of.
#pragma once

#include "lessons/quantities.h"

namespace lockstep::lessons {

std::vector<Quantity> memoryRows();     // the tables of global memory, and what a kernel leaves there
std::vector<Quantity> atomicRows();     // lanes that update one word
std::vector<Quantity> exchangeRows();   // what lanes hand each other
std::vector<Quantity> occupancyRows();  // what fits on an SM, and what limits it
std::vector<Quantity> recordedRows();   // measured on a GPU
std::vector<Quantity> timeRows();       // by the cycle model
std::vector<Quantity> codeRows();       // PTX and machine code; other orders

}  // namespace lockstep::lessons
