// The sentences and labels that the program shows for a kernel: its own texts, what came of a run, and what
// the views draw and say at the mouse.
#pragma once

#include "base/progress.h"
#include "catalog/catalog.h"
#include "run/recordings/times_facts.h"
#include "run/resources.h"
#include "viz/cursor/cursor.h"
#include "viz/scene/fonts.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::cli {

struct ShownText {
    std::string kernel;  // "matmul/tiled"; "matmul": of the family
    std::string view;    // of the table of views; "kernel": the catalog's own; "run": what came of it
    std::string kind;    // "sentence", "caption", "note", "label", "hover", "finding", "verdict", "look" ...
    std::string place;   // "opening", "phase 1"; empty: it stands at no step
    std::optional<viz::Cursor> cursor;
    std::vector<std::string> said;  // in each language; empty: that one has nothing at this place
};

// Where texts come from, and in which languages they are wanted.
struct TextSources {
    const run::Resources& resources;
    const std::vector<run::RecordedMachine>& machines;
    std::vector<Language> languages;
    const viz::ViewRow* view = nullptr;  // this one alone; none: all, and what stands in no view
    Progress& progress;                  // looked at for a cancel alone
};

// Title, story and parameters.
std::vector<ShownText> textsOfFamily(const catalog::Family& family, const TextSources& sources);
// Of a run with its defaults, each text once in a view; texts that differ in their numbers alone are one.
Expected<std::vector<ShownText>> textsOfVariant(const catalog::Family& family,
                                                const catalog::Variant& variant, const TextSources& sources,
                                                const viz::Fonts& fonts);
// Of its presets.
std::vector<ShownText> textsOfPlayground(const TextSources& sources, const viz::Fonts& fonts);

}  // namespace lockstep::cli
