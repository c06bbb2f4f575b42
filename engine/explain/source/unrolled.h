// A source line of a loop that the compiler unrolled: the same instructions several times.
#pragma once

#include "ptx/module.h"

#include <optional>
#include <utility>
#include <vector>

namespace lockstep::explain {

// Of which copy of its line an instruction is, from 1, and how many there are.
struct LineCopy {
    u32 number = 0, of = 0;
    bool operator==(const LineCopy&) const = default;
};

// Looks at each line once; one for each picture.
class UnrolledLines {
public:
    explicit UnrolledLines(const ptx::Module& module) : module_(module) {}

    // None where the line has one copy, or where its text may ask for all its loads and stores: nothing is
    // claimed that could be wrong.
    std::optional<LineCopy> copyAt(Pc pc);

private:
    struct Line {
        Pc any;
        std::vector<Pc> instructions;
        u32 copies = 1;
    };

    const Line& lineAt(Pc pc);
    bool areOfOneLine(Pc a, Pc b) const;
    u32 copiesOf(const Line& line) const;
    bool isInLoop(const Line& line) const;

    const ptx::Module& module_;
    std::vector<Line> lines_;
};

}  // namespace lockstep::explain
