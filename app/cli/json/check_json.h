// The verdicts of `lockstep check` as JSON, and as JUnit XML. docs/guide/exercises.md documents the keys.
#pragma once

#include "app/cli/json/json.h"
#include "exercises/judge.h"

#include <span>
#include <string>

namespace lockstep::cli {

struct Grading {
    const exercises::Exercise& exercise;
    u64 seed;
    std::vector<exercises::Verdict> verdicts;
    u64 passed() const;
};

Json checkJson(const Grading& grading);
Json exercisesJson(const exercises::Shelf& shelf);
// A suite for each file, a case for each rule; the sentences in English.
std::string checkJunit(const Grading& grading);

}  // namespace lockstep::cli
