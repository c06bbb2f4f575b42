// The words of the field that the program uses, explained: for the window, the page docs/guide/glossary.md
// and list --json.
#pragma once

#include "explain/glossary/term.h"

#include <span>

namespace lockstep::explain {

struct GlossaryChapter {
    Words title;
    std::span<const Term> terms;
};

std::span<const GlossaryChapter> glossaryChapters();

// All terms, chapter by chapter.
std::span<const Term* const> glossary();

const Term* findTerm(std::string_view id);

}  // namespace lockstep::explain
