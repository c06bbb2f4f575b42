// What the witness looks at: experiments of the catalog, and the pictures that the views make of them, as
// texts with their places. Views are asked for Scenes here and nowhere else.
#pragma once

#include "run/recordings/recordings.h"
#include "run/recordings/times_facts.h"
#include "run/resources.h"
#include "run/run.h"
#include "viz/compare/comparison.h"
#include "viz/cursor/playground.h"
#include "viz/issues_on_show.h"
#include "viz/orders_on_show.h"
#include "viz/scene/fonts.h"
#include "viz/sweeps_on_show.h"
#include "viz/view.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::witness {

using Settings = std::vector<std::pair<std::string, std::string>>;

// What all pictures need: read once.
struct World {
    run::Resources resources;
    catalog::Catalog catalog;
    std::vector<run::RecordedMachine> machines;
    std::vector<std::string> recordingFiles;  // paths of the JSON behind `machines`
};
Expected<World> readWorld(const std::filesystem::path& root);

// One variant at one size.
struct Trial {
    const catalog::Family* family = nullptr;
    const catalog::Variant* variant = nullptr;
    Settings settings;
    std::string size;     // "default", "small", "awkward"
    std::string profile;  // whose rules; empty: cc90's
    u32 index = 0;        // among all trials

    std::string name() const;  // "matmul/tiled, awkward (width 13)"
};
// Up to three of every variant, in the catalog's order.
std::vector<Trial> trialsOf(const World& world);
Expected<run::Run> ran(const World& world, const Trial& trial);
// The time of the block at the cursor, with the machine code that is shipped.
viz::IssuesOnShow issuesAt(const World& world, const run::Run& run, const viz::Cursor& cursor,
                           viz::Modeled what);

// Some orders of the run's threads, where they can be tried.
viz::OrdersOnShow ordersOf(const run::Run& run);

// What a trial is compared with: the variant that it came after, else the next one of the family, at the same
// sizes where both take them; every so often, and where the family has only one, itself on another device.
Trial comparedOf(const World& world, const Trial& trial);

// What the playground is given: an access, a lane of it, and a device.
struct Play {
    viz::Playground playground;
    const model::Profile* profile = nullptr;
    const Trial* trial = nullptr;  // beside whose run it is shown
};
// Of each trial a few, so that all of them meet every preset, width and device.
std::vector<Play> playsOf(const Trial& trial, const run::Run& run);

// Twenty steps of several warps, the same for every view: spread over the run, and every kind of access among
// them.
std::vector<viz::Cursor> cursorsOf(const run::Run& run, u32 most);

// A text of a picture, and its tooltip.
struct Said {
    viz::Point at;                    // its middle
    std::string text;                 // of a paragraph, all its lines
    f32 left = 0, top = 0, size = 0;  // of its first line
    viz::Face face = viz::Face::Text;
    std::string hover;  // of the area that the text stands in; empty: none
    std::string below;  // of the area that this one covers
    std::optional<viz::Cursor> leadsTo;
    bool isSentence = false, isCaption = false, isHover = false;
};

struct Picture {
    std::string view;
    Language language = Language::English;
    viz::Cursor cursor;
    viz::Size size;
    viz::SourceTab tab{};                       // of the source view
    std::vector<Said> texts;                    // as painted, then hovers, caption and sentence
    const Play* play = nullptr;                 // of the playground
    std::optional<viz::Cursor> comparedCursor;  // of compare: where it shows the other run
    viz::CompareOptions compared;
    const viz::IssuesOnShow* issues = nullptr;  // of the issue timeline
    bool isHiding = false;                      // of it: what hides latency
    const viz::OrdersOnShow* orders = nullptr;  // of the view of orders
    std::vector<viz::Rect> frames;              // of compare: around what differs
    std::string partOf;                         // the view that this picture is a part of; empty: of none
    const std::string& countedAs() const { return partOf.empty() ? view : partOf; }
};

// What a picture is made of; the planted errors put something else in its place.
struct Model {
    const run::Run* run = nullptr;
    const run::Run* other = nullptr;  // to compare with
    const std::vector<run::RecordedMachine>* machines = nullptr;
    const model::Profile* profile = nullptr;
    const Play* play = nullptr;                 // of the playground
    viz::CompareOptions compared{};             // of compare: what it shows of both runs
    const viz::IssuesOnShow* issues = nullptr;  // of the cycle model
    const viz::SweepsOnShow* sweeps = nullptr;  // of the chart
    const viz::OrdersOnShow* orders = nullptr;  // of the view of orders
    bool isHiding = false;                      // of the issue timeline: what hides latency
};
// For the chart: the run's own point with its modeled time, where there is one.
viz::SweepsOnShow modeledPoint(const World& world, const run::Run& run, const viz::IssuesOnShow& issues);
Picture pictureOf(const viz::ViewRow& view, const Model& model, const viz::Cursor& cursor, Language language,
                  const viz::Fonts& fonts, viz::ViewCache* kept,
                  u32 hovers /* at most so many areas that the mouse is told something of */,
                  viz::SourceTab tab = {} /* of the source view */,
                  std::optional<viz::Size> size = {} /* none: the view's usual one */);
// Of a picture the texts that say which part of an array it shows.
Picture partsOf(Picture picture);

}  // namespace lockstep::witness
