// The glossary as a page of documentation, in both languages, and as JSON.
#pragma once

#include "app/cli/json/json.h"

#include <string>

namespace lockstep::cli {

// The text of docs/guide/glossary.md.
std::string glossaryPage();

// [{id, term: {en, zh}, text: {en, zh}, see: [..]}]
Json glossaryJson();

}  // namespace lockstep::cli
