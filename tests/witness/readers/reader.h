// Reads one picture: every number and name of its texts is held against what the record says of the place.
#pragma once

#include "sass/machine_code.h"
#include "witness/record/order_facts.h"
#include "witness/record/rounds.h"
#include "witness/witness.h"

namespace lockstep::witness {

bool says(std::string_view text, std::initializer_list<std::string_view> parts);
std::string shareOf(u64 part, u64 whole);             // "12%", "<1%"
std::string_view withoutDots(std::string_view text);  // of code that was cut: without what says so
std::string formOf(std::string_view text);            // "#" for every number
// Compute capability 1.x: what shared memory does for each half-warp, in words.
std::string halfWarpText(trace::WarpAccess access, Capability capability, std::string_view instruction,
                         bool english);

// Findings: how many are listed, how many were left out, and how many stand at each place: kind, lines and
// array.
struct Places {
    u64 listed = 0, leftOut = 0, problems = 0, remarks = 0;
    std::map<std::string, u64> sizes;
    std::vector<std::set<std::string>> lines;  // of each place, in the order in which they were met
};
Places placesOf(const RunFacts& run);
std::string tallyText(const Places& places, bool english);  // "3 problems, found 1,537 times"

// The rounds of sums that fall into a barrier interval; strides are nought where they are not one for all.
struct RoundsIn {
    enum class Part : u8 { None, First, Last, FirstStride, LastStride };
    f64 first = 0, last = 0, firstStride = 0, lastStride = 0;
    f64 of(Part part) const {
        switch (part) {
            case Part::First: return first;
            case Part::Last: return last;
            case Part::FirstStride: return firstStride;
            case Part::LastStride: return lastStride;
            case Part::None: break;
        }
        return 0;
    }
};

struct IssuePicture;   // read_issue.cpp
struct HidingPicture;  // read_hiding.cpp

class Reader {
public:
    Reader(Witness& witness, const Picture& picture);
    void look();

private:
    friend class CompareReader;
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
    // What accesses are said to do (read_verbs.cpp)
    std::optional<trace::AccessKind> kindAt(u32 warp, u32 step) const;
    void verbText(const Said& said);
    void valueRows();
    void laneValue(const Said& said);
    std::optional<u64> componentBehind(const Array& array, const Token& element) const;
    void accessRange(const Said& said);
    void accessLayout(const Said& said);
    void accessOfLine(const Said& said);
    void sharedWord(const Said& said);
    void shuffleText(const Said& said);

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
    void lanesAtATime(const Said& said);
    void whyOff(const Said& said);
    void branchText(const Said& said);
    void wordOfHalfWarp(const Said& said);
    void halfWarps(const Said& said);
    void halfWarpsLeftOut(const Said& said);
    void lanesOfGroup(const Said& said);
    void variantText(const Said& said);
    void laneRows();
    f64 noteFigure(std::string_view name, std::string_view variant);
    bool noteOf(const Said& said, const std::vector<Text>& sentences);
    void noteText(const Said& said);
    // Source, timeline and read (read_source.cpp, read_timeline.cpp, read_claims.cpp)
    void sourcePicture();
    bool isPtx() const;
    const std::map<u32, PcSums>& costs() const;
    std::string_view codeOf(u32 line) const;
    std::optional<u32> lineTold(std::string_view hover) const;
    void sourceText(const Said& said);
    // Machine code (read_machine.cpp)
    void machinePicture();
    void machineText(const Said& said);
    const sass::Function* machineKernel() const;  // of the cursor's launch; null: there is none
    std::vector<const sass::Instruction*> machineAt(u32 offset) const;  // in it, or in what it calls
    bool machineHoverIs(std::string_view hover, const sass::Instruction& instruction, u32 offset) const;
    std::optional<std::string> machineShare(const sass::Instruction& instruction, u64 PcSums::*cost) const;
    void ptxHover(const Said& said);
    void atomicLane(const Said& said);
    void lineHover(const Said& said);
    void hoversOfTexts();
    // The issue timeline (read_issue.cpp)
    void issueText(const Said& said);
    void hidingText(const Said& said);
    void noTime(const Said& said, const std::optional<Fault>& why);
    // Arrays that are drawn in part (read_cut_arrays.cpp)
    void cutArray(const Said& said);
    // Times of the cycle model beside measured ones (read_modeled.cpp)
    void modeledText(const Said& said);
    bool isSaving(f64 percent, std::optional<f64> error) const;
    bool isOwnValue(std::string_view before, const Token& token) const;
    void recordedBeside(const Said& said);
    // Other orders of the threads (read_orders.cpp)
    void ordersText(const Said& said);
    bool orderCounts(const Said& said, const run::OrderSearch& search);
    bool orderFigure(const Said& said, const run::OrderSearch& search);
    void orderTurn(const Said& said, const OrderFacts& facts);
    void orderRest(const Said& said, const OrderFacts& facts);
    void changedElements(const Said& said, const run::BadOrder& bad);
    bool isOfChangedOrder(const Said& said) const;
    std::size_t elementsShown() const;
    // What warps wait for (read_waits.cpp)
    void waitsText(const Said& said);
    void timelinePicture();
    void timelineText(const Said& said);
    RoundsIn roundsIn(u32 phase);
    void bandName(const Said& said, std::size_t end, std::optional<u32> phase);
    void bandHover(const Said& said);
    u32 tiles() const;
    std::optional<s64> loopValue(std::string_view name, u32 barrier) const;
    struct Sides {
        u32 taken = 0, onwards = 0, meeting = 0;  // lines; 0: none
    };
    Sides sidesOf(Pc branch, Pc target) const;
    void branchSentence(const Said& said);
    void issueSentence(const Said& said);
    void accessSentence(const Said& said);
    void captionText(const Said& said);
    void authoredWhole();
    bool authoredText(const Said& said);
    void readLink(const Said& said);
    void firstAccessText(const Said& said);
    void findingsText(const Said& said);
    void hintText(const Said& said);
    void findingsPicture();
    void tally(const Said& said, const Places& places);
    void memoryPicture();
    void accessRows();
    void sharedMeasured(const Said& said, const Head& wavefronts, const Head& conflicts,
                        std::optional<trace::AccessKind> kind, f64 predicted);
    void levelRows();
    void rowsBelow(const Said& said);
    void levelsAddUp();
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
    void boundsPicture();
    void timesText(const Said& said);
    const RecordedTimes* times() const;
    // The chart (read_chart.cpp)
    const run::RecordedRun* recordedAt(const std::string& kernel, std::string_view parameter, s64 value,
                                       bool withCpu) const;
    void chartText(const Said& said);
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
    struct Tried {  // instead of the run's
        std::optional<u64> threads, registers, sharedBytes;
    };
    Occupied occupied(const Tried& tried = {}) const;
    void occupancyText(const Said& said);
    void occupancyPicture();
    void occupancyBars(const Said& said);
    void occupancyTable();

    // ---- The stage (read_stage*.cpp)
    struct Place {
        const Array* array = nullptr;
        u64 address = 0;
    };
    std::optional<Place> placeOf(const Token& token) const;
    u32 order() const { return traceOf(cursor_.warp.value).steps[cursor_.step].order; }
    void stageText(const Said& said);
    void momentText(const Said& said);
    void requestOfStage();
    void partExists(const Said& said);
    void partOfPlanesExists(const Said& said);
    void cellText(const Said& said);
    void numberInCell(const Said& said);
    void cellValue(const Said& said, const Token& element, const Place& place);
    void lanesNow(const Said& said, const Place& place, std::size_t at);
    void lanesBefore(const Said& said, const Place& place, std::size_t at);
    void movedBy(const Said& said, const Place& place);
    const std::vector<std::pair<LaneMask, std::pair<u64, u64>>>& readBefore();
    void markIn(std::size_t begin, std::size_t end);
    const Array* namedLeftOf(const Said& said) const;
    void sheetText(const Said& said);
    void transposeText(const Said& said);
    struct Part {  // first and last
        std::pair<u64, u64> rows, columns;
        std::vector<const Token*> of;  // the numbers of what it is a part of
    };
    std::optional<Part> partOf();
    const Rounds* allRounds();
    bool pipelineText(const Said& said);
    std::optional<u32> stripStep() const;
    const Said* queueTitle() const;
    bool queueText(const Said& said);
    u32 readsSoFar(const Array& array, u64 address) const;
    bool readsText(const Said& said);
    void savesText(const Said& said);
    void takeThreadRounds();
    std::optional<u32> roundOfThreads();
    u64 takenBy(const std::vector<Rounds::Own>& own) const;
    void ownText(const Said& said);
    bool threadText(const Said& said);
    bool turnText(const Said& said);
    void roundText(const Said& said);
    void additionText(const Said& said);
    void standingText(const Said& said);
    void roundSentence(const Said& said);
    std::optional<u32> roundNow();
    struct Parting {
        u32 branch = 0, end = 0;
        LaneMask came, taken;
        bool meets = false;
        u64 used = 0, slots = 0;
        std::vector<LaneMask> groups;
    };
    const std::vector<Parting>& partings();
    std::vector<Parting> partingsOf(u32 w) const;
    const Parting* partingNow();
    void divergenceText(const Said& said);
    void stretchText(const Said& said);
    void splitText(const Said& said);
    void askedText(const Said& said);
    bool loadedBy(u32 warp, u32 lane, const Array& array, u64 address) const;
    void branchLines(const Said& said);
    void divergenceSentence(const Said& said);
    struct Products {
        u32 count = 0;
        f64 sum = 0;
        std::optional<std::pair<u64, u64>> last;  // addresses of the factors
        f64 m = 0, n = 0;
        std::optional<f64> stored;
    };
    Products productsOf(u32 warp, u32 lane) const;
    std::pair<const Array*, const Array*> factors() const;
    struct Tile {
        u32 now, all;
    };
    const Tile& tile();
    u32 tileOfStore(const Array& array, u32 warp, u32 lane, u32 step);
    std::pair<u64, u64> elementOfThread(Dim3 block, Dim3 thread);
    void matmulText(const Said& said);
    void productText(const Said& said);
    bool rowText(const Said& said);
    std::optional<f64> keptBy(const Array& tile, u32 lane, u32 number) const;
    void ownerText(const Said& said);
    // Where threads compute several elements each (read_stage_patches.cpp).
    const std::vector<std::pair<u64, u64>>& patchOf(u32 warp, u32 lane);
    bool isPatches();
    const Array* sharedArray() const;
    u64 productsBy(u32 warp, u32 lane, u32 step) const;
    u64 sumsOf(u32 warp, u32 lane) const;
    std::optional<f64> sumAfter(u64 row, u64 column, u64 count) const;
    bool isSomeSum(u32 warp, u32 lane, const Token& number);
    bool fills(const Array& tile, u32 warp, u32 step) const;
    const std::vector<u32>& fillings();
    u32 fillingOf(u32 warp, u32 step);
    u32 fillingNow();
    void patchText(const Said& said);
    void patchRow(const Said& said);

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
    std::optional<std::vector<std::pair<LaneMask, std::pair<u64, u64>>>> readBefore_;
    std::optional<Rounds> rounds_;
    bool roundsKnown_ = false;
    std::optional<std::vector<Parting>> partings_;
    std::optional<Tile> tile_;
    std::optional<bool> isSwapped_;
    std::map<std::pair<u32, u32>, std::vector<std::pair<u64, u64>>> patches_;  // by warp and lane
    std::optional<std::vector<u32>> fillings_;
    std::shared_ptr<IssuePicture> issuePicture_;    // of the issue timeline
    std::shared_ptr<HidingPicture> hidingPicture_;  // of its page on latency
};

}  // namespace lockstep::witness
