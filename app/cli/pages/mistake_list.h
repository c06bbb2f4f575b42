// Mistakes in files that a lecturer writes: a line each, or rows of JSON.
#pragma once

#include "app/cli/session.h"
#include "app/cli/terminal/output.h"

#include <string>

namespace lockstep::cli {

class MistakeList {
public:
    // json: where they are written; empty: each is printed as it is found.
    MistakeList(std::string json, Language language) : json_(std::move(json)), language_(language) {}

    void add(const Fault& fault);
    std::size_t count() const { return count_; }
    // Prints the summary, or writes the JSON. The exit status; fault: it cannot be written.
    Expected<int> finish(const std::string& summary) const;

private:
    std::string json_;
    Language language_;
    std::size_t count_ = 0;
    Json rows_ = Json::array();
};

}  // namespace lockstep::cli
