// The sentences and labels that the program shows for a kernel: its own texts, a run's results, and the
// views' drawn texts and tooltips.
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
    std::string view;    // a view's name; "kernel": the catalog's own; "run": results
    std::string kind;    // "sentence", "caption", "note", "label", "hover", "finding", "verdict", "look" ...
    std::string place;   // "opening", "phase 1"; empty: at no step
    std::optional<viz::Cursor> cursor;
    std::vector<std::string> said;  // in each language; empty: no text here in that one
};

// Sources of the texts, and the requested languages.
struct TextSources {
    const run::Resources& resources;
    const std::vector<run::RecordedMachine>& machines;
    std::vector<Language> languages;
    const viz::ViewRow* view = nullptr;  // only this one; none: all, and texts outside views
    Progress& progress;                  // used only for cancellation
};

// Title, story and parameters.
std::vector<ShownText> textsOfFamily(const catalog::Family& family, const TextSources& sources);
// Of a run with its defaults, each text once in a view; texts that differ only in numbers count as one.
Expected<std::vector<ShownText>> textsOfVariant(const catalog::Family& family,
                                                const catalog::Variant& variant, const TextSources& sources,
                                                const viz::Fonts& fonts);
// Of its presets.
std::vector<ShownText> textsOfPlayground(const TextSources& sources, const viz::Fonts& fonts);

}  // namespace lockstep::cli
