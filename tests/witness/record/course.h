// Goes through trials: builds their pictures, has them read, and says what was not traced.
#pragma once

#include "witness/witness.h"

#include <optional>

namespace lockstep::witness {

// Which pictures of a trial are looked at.
struct Look {
    std::vector<std::string> views;                 // empty: all
    u32 steps = 20, hovers = 250, hoversEvery = 5;  // what the mouse is told: of every so many-th step
    std::vector<std::pair<std::string, std::string>> notYet;  // view and part of a trial's name: left out
    std::vector<std::string> viewsOfOldCards;  // of a trial under other rules than cc90's; empty: `views`
    bool texts = false;                        // say what is read
};

struct Sum {
    u64 pictures = 0, texts = 0;
    std::map<std::string, Witness::Count, std::less<>> counts;  // by view
    std::vector<Failure> failures;
    void add(const Sum& other);
    u64 read() const, let() const;
};

void witnessTrial(const World& world, const Trial& trial, const std::vector<Allowed>& allowed,
                  const viz::Fonts& fonts, const Look& look, Sum& sum);

// The most frequent forms of failures, a table by view, and the whole.
void report(const Sum& sum, std::size_t trials, u32 forms, f64 seconds);

}  // namespace lockstep::witness
