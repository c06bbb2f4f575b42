// Reads one picture: every number and name of its texts is held against what the record says of the place.
#pragma once

#include "witness.h"

namespace lockstep::witness {

bool says(std::string_view text, std::initializer_list<std::string_view> parts);
std::string formOf(std::string_view text);  // "#" for every number

class Reader {
public:
    Reader(Witness& witness, const Picture& picture);
    void look();

private:
    // What a text is about.
    struct Scope {
        Facts facts;
        std::optional<u32> warp, step;  // named by the text
        bool isOwn = false;             // the text names what it is about
    };

    // ---- The general course (read_text.cpp)
    void text(const Said& said);
    bool isAllowed(const Said& said) const;
    void settings();
    Scope scopeOf(const Said& said);
    void special(const Said& said);
    std::string explain(const Said& said, std::size_t i);  // empty: traced
    std::string bare(const Said& said, std::size_t i);
    std::string percent(const Said& said, const Token& token);
    bool inHover(const Said& said, const Token& token) const;
    void fail(const Said& said, std::string_view token, std::string why);
    void mark(const Token& token) { done_[std::size_t(&token - tokens_->data())] = true; }
    const Token* firstId(std::string_view noun, std::size_t from = 0) const;
    std::string_view written(const Token& token) const {
        return std::string_view(text_).substr(token.begin, token.end - token.begin);
    }
    // The accesses next to the cursor in its warp, of shared and of global memory, ahead and behind.
    std::vector<u32> nearestAccesses() const;
    Facts nearest(u32 step) const;
    const Facts& whole();  // of the cursor's lines, its block and the grid (whole_facts.cpp)
    const trace::WarpTrace& traceOf(u32 warp) const { return block_.block().warps[warp]; }

    // ---- Elements and threads (read_elements.cpp)
    std::string element(const Said& said, std::size_t i);
    bool touched(const Array& array, u64 address) const { return !block_.valuesAt(array, address).empty(); }
    std::string valueOf(const Array& array, u64 first, u64 last, const Token& value) const;
    std::string pair(const Said& said, const Token& token);
    void laneAndThread(const Said& said);
    void laneValue(const Said& said);
    void accessRange(const Said& said);

    // ---- Tables: cells below a head, in the row of a name (read_tables.cpp)
    struct Head {
        f32 right = 0, top = 0;
        const Said* said = nullptr;
    };
    std::optional<Head> head(std::initializer_list<std::string_view> names, f32 below = 0) const;
    const Said* cell(const Head& head, f32 top, f32 slack = 4) const;
    // The text has this form ("*": anything, "#": any number), in its language.
    bool is(std::string_view english, std::string_view chinese) const;
    // Its numbers are these, in turn; none: somebody else looks at it.
    void expectAll(const Said& said, const std::vector<std::optional<f64>>& values);
    void take(const Said& said);  // it is traced, or has failed: nothing more is asked of it
    // The cell's number is this; none: it has to be a dash.
    void expect(const Said& said, std::optional<f64> value, std::string_view what);

    // ---- By view
    static bool isFinding(std::string_view text);
    void finding(const Said& said, const std::string& line);
    void bankHover(const Said& said);
    void wordOfLane(const Said& said);
    void itemHover(const Said& said);
    void otherDevices(const Said& said);
    void whyOff(const Said& said);
    void branchText(const Said& said);
    void wordOfHalfWarp(const Said& said);
    void halfWarps(const Said& said);
    void variantText(const Said& said);
    void laneRows();
    f64 noteFigure(std::string_view name, std::string_view variant);
    bool noteOf(const Said& said, const std::vector<Text>& sentences);
    void noteText(const Said& said);
    void lineHover(const Said& said);
    void timelinePicture();
    void timelineText(const Said& said);
    void firstAccessText(const Said& said);
    void findingsText(const Said& said);
    void findingsPicture();
    void tally(const Said& said, u64 problems, u64 remarks, u64 listed, u64 leftOut);
    void memoryPicture();
    void accessRows();
    void sharedMeasured(const Said& said, const Head& wavefronts, const Head& conflicts,
                        std::optional<trace::AccessKind> kind, f64 predicted);
    void levelRows();
    struct Level;  // a row of the memory levels
    std::vector<Level> levels() const;
    void memoryText(const Said& said);
    void levelText(const Said& said);
    void sharedText(const Said& said);
    void betweenText();
    std::string readsBesides(f64 left) const;
    void sentenceInHover(std::string_view line, std::size_t i);
    void timesPicture();
    void boundRows();
    void timesText(const Said& said);
    const RecordedTimes* times() const;
    f64 peak() const;
    std::size_t sizesOfSentence(const Said& said);
    void sizeOnly(const Said& said, std::string_view size);
    void footText(const Said& said);
    void noteText(const Said& said, const RecordedTime& own);
    void wholeText(const Said& said, const RecordedTime& own);
    void rowHover(const Said& said);
    void rooflineHover(const Said& said, const RecordedTime& time);
    bool english() const { return picture_.language == Language::English; }
    struct Bound {
        std::string_view en, zh;
        f64 least = 0, most = 0;  // the same where it is known exactly
        f64 perSecond = 0;
    };
    std::vector<Bound> bounds() const;
    void boundText(const Said& said);
    bool isFactor(const Token& token, f64 factor) const;
    void boundNotes(const Said& said, bool ofMultiprocessors, std::optional<bool> tooFew);
    struct Occupied {
        std::map<std::string, u64> limits;
        std::optional<u32> registers;
        u64 grid = 0, blocks = 0, warps = 0, warpsOfBlock = 0, perWave = 0, waves = 0, last = 0, places = 0,
            multiprocessors = 0;
    };
    Occupied occupied() const;
    void occupancyText(const Said& said);
    void occupancyPicture();

    Witness& w_;
    const Picture& picture_;
    const RunFacts& run_;
    viz::Cursor cursor_;
    const Launch& launch_;
    BlockFacts& block_;
    Facts step_;
    std::optional<trace::WarpAccess> access_;
    std::optional<f64> largestBound_;  // milliseconds, as the picture has it
    u32 line_ = 0;
    Scope scope_;
    std::string text_, form_;  // form: "#" for every number
    const std::vector<Token>* tokens_ = nullptr;
    std::vector<bool> done_;
    mutable std::vector<u32> nearest_;
    mutable bool nearestKnown_ = false;
    Facts whole_;
    bool wholeKnown_ = false;
    std::set<const Said*> rowTexts_;  // that are traced already
};

}  // namespace lockstep::witness
