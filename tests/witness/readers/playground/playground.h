// Reads a picture of the playground: it knows the access that was drawn, and no run.
#pragma once

#include "witness/forms.h"
#include "witness/readers/playground/played.h"
#include "witness/witness.h"

#include <cmath>

namespace lockstep::witness {

class PlaygroundReader {
public:
    PlaygroundReader(Witness& witness, const Picture& picture);
    void look();

private:
    // One of the pictures of global memory that stand side by side, and the device that its head names.
    struct Column {
        f32 left = 0, right = 0;
        const model::Profile* device = nullptr;
        GlobalCost cost;
        std::vector<Moved> moved;
    };
    bool english() const { return picture_.language == Language::English; }
    std::optional<Slots> is(const Said& said, std::string_view en, std::string_view zh) const {
        return match(said.text, english() ? en : zh);
    }
    void fail(const Said& said, std::string_view token, std::string why);
    void expect(const Said& said, bool holds, std::string_view token, std::string_view why) {
        if (!holds) fail(said, token, std::string(why));
    }
    void columns();
    const Column* columnOf(const Said& said) const;

    // Each says whether the text was one of its own.
    bool laneHover(const Said& said);
    bool segmentHover(const Said& said);
    bool wordHover(const Said& said);
    bool deviceHover(const Said& said);
    bool heading(const Said& said);
    bool formula(const Said& said);
    bool words(const Said& said);
    bool sentence(const Said& said);
    bool deviceText(const Said& said);
    bool notes(const Said& said);
    bool label(const Said& said);
    std::string target(const Slots& slots, s64 offset) const;
    std::string wrongNote(std::string_view note, const Column& column) const;
    std::string captionText() const;
    void elementsInPlace();  // that have a tooltip
    void wordsInPlace();
    void piles();
    bool tick(const Said& said, f64 number) const;
    bool lanesOfGroup(const Said& said);

    Witness& w_;
    const Picture& picture_;
    Played played_;
    std::vector<Column> columns_;
    Column other_;  // of the small picture, whose device is the playground's
    // A piece of the piles of banks, as the mouse is told; middle: of all that its bank gives in its pass.
    struct Pile {
        const Said* said;
        u32 bank, pass;
        s32 word;
        std::set<u32> lanes;
        viz::Point middle;
    };
    std::vector<Pile> piles_;
    // Along a picture's edge numbers grow evenly: what stands at a place.
    struct Scale {
        f32 origin = 0, each = 0;  // each: pixels of one
        f64 at(f32 place) const { return each > 0 ? (place - origin) / each : NAN; }
    };
    Scale banks_, passes_;
    std::set<const Said*> joined_;               // lines that were read together with the one before
    std::map<std::pair<u32, u32>, u64> served_;  // (bank, pass) -> what the bank gives
};

}  // namespace lockstep::witness
