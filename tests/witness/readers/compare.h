// Reads a picture of two runs: each half as a picture of its own run, and what is said of both.
#pragma once

#include "witness/forms.h"
#include "witness/readers/reader.h"

namespace lockstep::witness {

class CompareReader {
public:
    CompareReader(Witness& a, Witness& b, const Picture& picture);
    void look();

private:
    // One of the two: where its head and its picture are, and what is read there.
    struct Side {
        Witness& witness;
        const viz::Cursor cursor;
        f32 left = 0, right = 0, top = 0, pictureTop = 0, bottom = 0;
        Picture picture;
        bool isHead(const Said& said) const { return isIn(said) && said.at.y < pictureTop; }
        bool isIn(const Said& said) const {
            return said.at.x >= left && said.at.x < right && said.at.y >= top && said.at.y < bottom;
        }
        const RunFacts& facts() const { return witness.run_; }
        const run::Run& run() const { return facts().run(); }
    };
    // A figure of both. Several values: which of them it is the compiler knows.
    struct Both {
        std::set<f64> a, b;
        bool isTime = false;  // milliseconds, in four digits
        bool isProblems = false;
        bool areUnlike = false;  // times: one measured run by run, the other many runs in a row
    };
    bool english() const { return picture_.language == Language::English; }
    std::optional<Slots> is(const Said& said, std::string_view en, std::string_view zh) const {
        return match(said.text, english() ? en : zh);
    }
    void fail(const Said& said, std::string_view token, std::string why);
    void expect(const Said& said, bool holds, std::string_view token, std::string_view why) {
        if (!holds) fail(said, token, std::string(why));
    }
    bool areas();
    void cursors();
    void frames();  // read_compare_frames.cpp

    bool caption(const Said& said);
    bool headOf(const Side& side, const Said& said);
    std::string nameOf(const Side& side, const Side& other) const;
    std::string common() const;
    bool isPartOfHead(std::string_view said, const std::string& shared) const;
    std::optional<Both> both(std::string_view what) const;
    std::optional<Both> timeOfBoth() const;
    std::optional<Both> measuredOfBoth(std::string_view metric) const;
    bool leftOut(const Said& said);
    bool isValue(std::string_view text, const std::set<f64>& values, const Both& of) const;
    std::string wrongChange(std::string_view text, const Both& both) const;
    void table();
    bool figureSentence(const Said& said);
    bool predictedSentence(const Said& said);
    bool priceIn(const Said& said, std::string_view rest, const Both& both);
    void sentences();
    std::optional<std::string> wrongCause(std::string_view text) const;  // none: it is no such sentence
    std::optional<std::string> wrongRound(std::string_view text) const;
    std::set<u64> sameFigures() const;
    u64 onlyIn(const Side& side) const;  // lines of code
    bool mayBeOnlyIn(const Side& side, const Side& other, u32 line) const;
    static std::optional<f64> unitOf(std::string_view unit);                          // in milliseconds
    bool isBrief(const Slots& slots, std::string_view unit, f64 milliseconds) const;  // two digits that count
    bool note(const Said& said);

    Witness& w_;
    const Picture& picture_;
    Side a_, b_;
    f32 foot_ = 0;
    std::set<const Said*> read_;
    mutable std::optional<u64> common_;  // lines of code
};

}  // namespace lockstep::witness
