// Holds what a picture says against what the record says.
#pragma once

#include "witness/pictures.h"
#include "witness/record/counters.h"
#include "witness/record/facts.h"
#include "witness/record/rounds.h"
#include "witness/record/tile_spans.h"
#include "witness/record/times.h"
#include "witness/tokens.h"
#include "witness/vocabulary.h"

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace lockstep::witness {

class Reader;            // reader.h
class PlaygroundReader;  // playground.h
class CompareReader;     // compare.h

// A number or a name that the witness could not trace, or traced to something else.
struct Failure {
    std::string trial, view, text, token, why;
    Language language = Language::English;
    viz::Cursor cursor;
};

// A row of allowed.txt: what need not be traced, and why.
struct Allowed {
    std::string view, part, reason;  // view "*": any; part: of the text. "#" stands for any number, and at
                                     // both ends of a text "^" and "$"
    mutable u64 uses = 0;
};
std::vector<Allowed> readAllowed(const std::string& file);

// What is known of one trial: the witness's own, whatever the views are shown.
class Witness {
public:
    // beside: of the run that it is compared with; none: it is compared with none.
    Witness(const World& world, const Trial& trial, const run::Run& run, Witness* beside,
            const std::vector<Allowed>& allowed);
    ~Witness();

    // Numbers and names read so far, and of these the ones that a row of the table lets pass; by view.
    struct Count {
        u64 read = 0, let = 0;
    };
    std::map<std::string, Count, std::less<>> counts;
    Count& of(const std::string& view) { return counts[view]; }
    std::vector<Failure> failures;
    void look(const Picture& picture);
    // Texts that are not code against the words of the program.
    void readWords(const Picture& picture);
    std::string nameOfTrial() const { return trial_.name(); }

private:
    friend class Reader;
    friend class CompareReader;
    const Amounts& amounts();  // of the whole run
    // What a text says in the program's own words: without the code and the parameters that it names.
    std::string withoutCode(std::string text) const;
    std::string withoutParameters(std::string text) const;
    BlockFacts& block(LaunchId launch, Dim3 at);

    const World& world_;
    const Trial& trial_;
    RunFacts run_;
    Witness* beside_;
    std::map<std::pair<u32, u64>, std::unique_ptr<BlockFacts>> blocks_;
    std::map<const trace::FocusBlock*, std::optional<Rounds>> threadRounds_;
    std::map<const trace::FocusBlock*, TileSpans> tileSpans_;
    std::optional<Amounts> amounts_;
    std::optional<RecordedTimes> times_;
    bool timesKnown_ = false;
    std::set<Language> authored_;  // in which the authors' texts have been read whole
    const std::vector<Allowed>& allowed_;
    std::set<std::string> worded_;    // texts whose words have been read
    std::vector<std::string> code_;   // lines of both sources, which texts quote, the longest first
    std::vector<std::string> names_;  // titles, devices and the like, whose digits are names
};

}  // namespace lockstep::witness
