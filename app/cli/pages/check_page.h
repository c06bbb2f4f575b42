// What `lockstep check` prints for people: exercises, a task, the rules of one file, and a table of many.
#pragma once

#include "app/cli/json/check_json.h"
#include "base/text/language.h"

namespace lockstep::cli {

void printExercises(const exercises::Shelf& shelf, Language language);
void printTask(const exercises::Exercise& exercise, Language language);
// The quantities that rules can speak of.
void printQuantities(Language language);
void printVerdict(const exercises::Verdict& verdict, Language language);
void printGrading(const Grading& grading, Language language);

}  // namespace lockstep::cli
