// One request to shared memory: a column per bank, a row per pass, a cell per word with its lanes; and the
// same words where they lie in memory.
#pragma once

#include "model/access/shared_wavefronts.h"
#include "viz/parts/access_on_show.h"
#include "viz/scene/canvas.h"

#include <functional>
#include <string>
#include <vector>

namespace lockstep::viz {

// One word in one pass, and the lanes that it serves. part, parts: compute capability 3.x, whose banks give
// two words at once.
struct BankCell {
    u32 pass, bank;
    u64 word;
    LaneMask lanes;
    u32 part = 0, parts = 1;
};

struct BankPicture {
    Canvas& canvas;
    const AccessOnShow& shown;
    std::vector<model::Pass> passes;
    std::vector<BankCell> cells;
    std::vector<LaneMask> groups;  // lanes served together: one, or several of a wide access
    u32 banks = 32, wavefronts = 0, ideal = 0;
    u32 lineWords = 32;  // of 4 bytes, once through all banks

    s64 wordNumber(u64 word) const {
        return s64(word - shown.zero / 4);
    }  // below 0 where a lane lies before the start
};
// module: which knows what kind of atomic it is; none: without a kernel.
BankPicture makeBankPicture(Canvas& canvas, const AccessOnShow& shown, const model::Profile& profile,
                            const ptx::Module* module = nullptr);

// The array that the words belong to. Words are addresses / 4.
struct WordsOnShow {
    std::string name;                                          // "Mds"; may be empty
    u64 first = 0, last = 0;                                   // that there are
    std::function<std::vector<bool>(u64 from, u64 end)> used;  // false: nobody ever touches it, it is hatched
    std::string hatched;                                       // what that means
    std::vector<std::string> notes;                            // said below
    bool brief = false;                                        // not whose the order of the passes is
};
// Once through all banks each.
u64 linesOf(const BankPicture& picture, const WordsOnShow& words);
// "word = 32·lane + 3, so bank 3 for every lane": which word each active lane wants, where one formula says
// it of all. Else empty.
std::string wordsInAFormula(const BankPicture& picture);

void drawPiles(const BankPicture& picture, const Rect& area);
// The height from which on every piece of the piles has its lanes' number, heads included.
f32 numberedPiles(const BankPicture& picture);
// Of the room that drawPiles fills, the largest part in which no piece lies and a memory with so many lines
// can be drawn.
Rect roomBesidePiles(const BankPicture& picture, const Rect& area, u64 lines);
// 32 words a line, from the array's first line to its last, or as many lines around the access as fit.
// atRight: in the area's right corner.
void drawMemory(const BankPicture& picture, const WordsOnShow& words, Rect area, bool atRight = false);

// "32 wavefronts"
std::string figureOf(const BankPicture& picture);

}  // namespace lockstep::viz
