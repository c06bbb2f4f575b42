// The variants of a family side by side, as a recording of a real GPU has them: time, rate against what
// device memory can do, how much faster than the one before and than the first; beside it a second
// recording's times.
#include "base/text/counted.h"
#include "base/text/percent.h"
#include "base/text/punctuation.h"
#include "base/text/quantities.h"
#include "model/profiles/profile_of_card.h"
#include "run/recordings/times_facts.h"
#include "run/recordings/times_whole.h"
#include "viz/marks/cursor_box.h"
#include "viz/marks/fitting_text.h"
#include "viz/marks/frame.h"
#include "viz/marks/glyphs.h"
#include "viz/marks/size_text.h"
#include "viz/messages.h"
#include "viz/parts/chart.h"
#include "viz/phrases.h"
#include "viz/views/bounds_picture.h"
#include "viz/views/modeled_time.h"
#include "viz/views/roofline.h"
#include "viz/views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace lockstep::viz {
namespace {

using namespace message;

constexpr f32 kRow = 30, kLeastRow = 20, kNumbers = 66, kScrollBar = 6, kLeastName = 150,
              kTableShare = 0.56f /* of the width, beside the charts */, kLeastShareOfCopy = 0.2f,
              kLeastBar = 90, kNarrowBar = 56 /* in low pictures, whose names stand on one line */;
constexpr f32 kTimesOfTwo = 92, kHeadLine = 15,
              kTallHeadsFrom = 240;  // width of a machine's column, a line of the heads, and the room from
                                     // which on they have several
constexpr f32 kChartsBesideFrom = 1100, kLeastCharts = 186, kRooflineHeight = 300;
constexpr f32 kNoteLine = 17,
              kRowsBesideNotes = 8,  // at least, or all
    kNotesFrom = 420;  // how the variant was measured; below this height there is no room to say so

const TextStyle kNoteStyle{.size = type::kAxis, .role = role(RoleKind::TextSecond)};

constexpr Words kTwoRecordings = english("Two recordings: {0} and {1}");
constexpr Words kCopyReachesOn = english("a copy on the {0}: {1} GB/s");
constexpr Words kMeasuredSo = english(
    "How \"{0}\" was measured: {1} {1:run|runs} between two CUDA events, {2} times; interquartile "
    "range: {3} to {4}");
constexpr Words kAtClock = english("SM clock: {0} MHz.");
constexpr Words kCopied = english(
    "Transfers, measured separately, of all buffers, also of those that the kernel only reads: {0} to the "
    "GPU in {1} ({2} GB/s), {3} back in {4} ({5} GB/s). A program copies back only what it needs.");
constexpr Words kShareOfCopy = english("% of copy");
constexpr Words kShareOfPeak = english("% of peak");
constexpr Words kKeyOfStep = english("Speedup: over the variant that each one changes.");
constexpr Words kKeyOfStepHere =
    english("Speedup: over the variant that each one changes, \"{0}\" for the one on show.");
constexpr Words kKeyOfFastest = english(
    "Fastest: of the variants with a correct result that neither race nor assume warp-synchronous "
    "execution.");
constexpr Words kKeyOfWhiskers = english("Line at the end of a bar: interquartile range.");
constexpr Words kKeyOfTotal = english("Total: speedup over the first.");
constexpr Words kStepOver = english(" Speedup over its baseline, \"{1}\": {0}.");
constexpr Words kNoStepOver = english(
    " No speedup over its baseline, \"{0}\": one was timed run by run, the other many runs in a row.");
constexpr Words kTimedRunByRun = english(
    "It was timed run by run, the others many runs in a row; at this size its time cannot be compared with "
    "theirs.");
constexpr Words kSizeNotRecorded =
    english("This run's size, {0}, was not recorded; the times are of the most similar recorded size.");
constexpr Words kDeviceAtSize = english("{0} ({1})");
constexpr Words kKeyOfPeak = english("Peak: {0} TFLOP/s, with all FP32 units at work at {1} MHz.");
constexpr Words kKeyOfCopy = english("Copy: {0} GB/s, the fastest recorded on this GPU.");
constexpr Words kPublishedColumns = english("Published columns: {0}.");
// Where no other variant is known to do as much.
constexpr Words kTookSentence = english("On the {0} this variant took {1}.");
constexpr Words kTookAlone = english("On the {0} this variant took {1}; no other was recorded at this size.");
constexpr Words kHasNoTime =
    english("On the {0} no time was recorded for this variant; the fastest, \"{1}\", took {2}.");
constexpr Words kFastest = english("fastest");
constexpr Words kHangs = english("hangs");
constexpr Words kWrongResult = english("{0} (wrong result)");
constexpr Words kDataRace = english("{0} (race)");  // whose result came out right
constexpr Words kAssumesLockstep = english("{0} (warp-synchronous)");
constexpr Words kStopped = english("stopped");
constexpr Words kNotRecorded = english("not recorded");  // at this size, in brief
constexpr Words kHangsThere = english("still running at its time limit");
constexpr Words kHangsHover = english("\"{0}\": still running when its time limit was reached, and stopped");
constexpr Words kStoppedThere = english("stopped by the hardware");
constexpr Words kStoppedHover = english("\"{0}\": {1}");
constexpr Words kMostlyStarting = english(
    "At this size moving the data is only a small part of the time: at the bandwidth of a large copy, "
    "latency "
    "not counted, it would take {0} of these {1}.");
constexpr Words kLaunchPart =
    english("Launch overhead is part of the rest: an empty kernel already takes about {0}.");
constexpr Words kLaunchesPart = english(
    "The overhead of {1} {1:launch|launches} is part of the rest: an empty kernel already takes about {0} "
    "per launch.");
constexpr Words kMostlyLaunch =
    english("At this size launch overhead dominates: an empty kernel already takes about {0}.");
constexpr Words kMostlyLaunches = english(
    "At this size the overhead of {1} {1:launch|launches} dominates: an empty kernel already takes about {0} "
    "per launch.");
constexpr Words kMovingTakes =
    english("At the bandwidth of a large copy, latency not counted, moving the data would take only {0}.");
constexpr Words kRooflineHover = english(
    "\"{0}\": {1} FLOP per byte of device-memory traffic (bytes counted with L2 empty, time measured with L2 "
    "warm; an FMA counts as two), {2} GFLOP/s");
constexpr Words kRooflineHoverCold = english(
    "\"{0}\": {1} FLOP per byte of device-memory traffic (bytes counted and time measured with L2 empty; an "
    "FMA counts as two), {2} GFLOP/s");

// Of `whole`, in hundredths: "96", "4.2", "0.31".
std::string percent(f64 part, f64 whole) {
    if (part <= 0 || whole <= 0) return "–";
    const f64 share = 100 * part / whole;
    return percentOfShare(part / whole, share >= 10 ? 0 : share >= 1 ? 1 : 2);
}

// A factor beside others: "0.98", "1.00", "12.3".
std::string factorText(f64 factor) {
    constexpr f64 kLeast = 0.1;
    return factor < 1 && factor >= kLeast ? fmt::format("{:.2f}", factor) : threeDigits(factor);
}
std::string times(f64 factor) { return factor > 0 ? factorText(factor) + "×" : "–"; }

// "RTX 5090" of an NVIDIA GeForce RTX 5090: what tells one card from another.
std::string shortName(std::string device) {
    for (const std::string_view maker : {"NVIDIA ", "GeForce "})
        if (device.starts_with(maker)) device.erase(0, maker.size());
    return device;
}

// A column of figures: the lines above it, whose bars it explains, what it says of a kernel.
struct NumberColumn {
    std::vector<std::string> head;
    f32 width;
    std::function<std::string(const run::TimedKernel&)> text;
    std::optional<Role> bar = {};
    f32 right = 0;
};

struct Columns {
    f32 name = 0, bar = 0, barWidth = 0;
    bool barsBelow = false;  // the names, as wide as they may be
    std::vector<NumberColumn> numbers;
    std::size_t headLines = 1;
};

// Of "13.0 (580.159.04)" what stands before the driver's own release, for which there is not room everywhere.
std::string cudaOf(const std::string& driver) { return driver.substr(0, driver.find(' ')); }

class Picture {
public:
    Picture(const ViewInput& in, const run::TimesFacts& facts, const run::KnownMeasurements& known)
        : in_(in),
          facts_(facts),
          known_(known),
          family_(*in.run.catalog->family),
          unit_(timeUnitFor(longestOf(facts))),
          canvas_(in.size, in.metrics) {}

    Scene draw() {
        const run::HardwareRecording& recording = facts_.machine->recording;
        constexpr f32 kReleaseFrom = 560;
        const std::string driver = in_.size.width < kReleaseFrom ? cudaOf(recording.driver)
                                                                 : cudaText(in_.language, recording.driver);
        const std::string source =
            facts_.beside
                ? say(in_.language, kTwoRecordings, recording.device, facts_.beside->recording.device)
                : say(in_.language, kRecordedOn, recording.device, driver, recording.date);
        Rect body = head(canvas_, in_, kTimesTitle.in(in_.language), source);
        const bool beside = body.width >= kChartsBesideFrom && body.width * kTableShare >= leastTable();
        if (beside) {
            const f32 table = std::floor(body.width * kTableShare);
            drawCharts({table + space::kInset, body.y + 12, body.width - table - 2 * space::kInset,
                        body.height - 24});
            canvas_.line({table, body.y + 12}, {table, body.bottom() - 12}, {role(RoleKind::Line)});
            body.width = table;
        }
        f32 y = body.y + 24;
        if (!in_.titled) {  // else the head says it
            const TextStyle bold{.bold = true};
            const f32 width = body.width - 2 * space::kInset;
            canvas_.paragraph({space::kInset, y}, width, source, bold, type::kLineHeight, 2);
            y += 30 + f32(canvas_.wrap(source, width, bold).size() - 1) * bold.size * type::kLineHeight;
        }
        y = drawSizes(y, body.width);
        const bool isAlone = facts_.sizes.size() == 1 && facts_.sizes[0].empty();  // no sizes to stand among
        if (hasModeledLine(in_) && (isAlone || !modelButtonWidth(canvas_, in_))) {
            drawModeledLine(canvas_, in_, {space::kInset, y}, body.width - 2 * space::kInset);
            y += kModeledLine + 6;
        }
        lay(body);
        drawHeads(y);
        y += 1 + kHeadLine * f32(columns_.headLines);
        canvas_.line({space::kInset, y}, {body.right() - space::kInset, y}, {role(RoleKind::Line)});
        const f32 textWidth = body.width - 2 * space::kInset;
        const f32 count = f32(std::max<std::size_t>(facts_.kernels.size(), 1));
        // Notes come after the rows, which are what the view is for.
        const f32 key = (facts_.machine->copyRate > 0 && !facts_.countsOperations ? 54.0f : 32.0f) +
                        kNoteLine * f32(linesOf(footText(0), textWidth) - 1);
        const f32 rowsBesideNotes = std::min(count, kRowsBesideNotes) * kLeastRow;
        const bool hasNotes = timing() && body.height >= kNotesFrom &&
                              body.bottom() - y - key - notesHeight(textWidth) >= rowsBesideNotes;
        const f32 below = key + (hasNotes ? notesHeight(textWidth) : 0);
        // The charts stand below the rows, which give way down to their least height.
        if (!beside) {
            const f32 room = body.bottom() - y - below - count * kLeastRow;
            const f32 charts = std::min(room, std::max(chartsHeight(body.width - 2 * space::kInset),
                                                       body.bottom() - y - below - count * kRow));
            if (charts >= kLeastCharts) {
                body.height -= charts;
                drawCharts({space::kInset, body.bottom() + 8, body.width - 2 * space::kInset, charts - 16});
            }
        }
        const f32 row = std::clamp((body.bottom() - y - below) / count, kLeastRow, kRow);
        const f32 top = y;
        const std::size_t fitting =
                              std::min(facts_.kernels.size(),
                                       std::size_t(std::max(0.0f, (body.bottom() - below + 1 - y) / row))),
                          hidden = facts_.kernels.size() - fitting;
        const std::size_t first = std::min(hidden,
                                           std::size_t(std::lround(std::max(0.0f, -in_.state.pan.y) / row))),
                          shown = fitting;
        for (std::size_t i = first; i < first + fitting; ++i, y += row)
            drawRow(facts_.kernels[i], {space::kInset, y, body.width - 2 * space::kInset, row});
        if (shown == 0) return std::move(canvas_).take(sentence());
        if (hidden > 0)
            drawScrollBar({body.right() - kScrollBar - 3, top, kScrollBar, y - top}, first, fitting);
        drawCopyLine(top, y);
        const f32 foot = drawFoot(y + 18, body, facts_.kernels.size() - first - shown);
        if (hasNotes) drawNotes(foot + kNoteLine + 6, textWidth);
        Scene scene = std::move(canvas_).take(sentence());
        scene.panes = {{{0, 0, in_.size.width, in_.size.height + f32(hidden) * row}}};  // how far it scrolls
        scene.hiddenBelow = f32(hidden) * row;
        return scene;
    }

private:
    // Which of the rows are on show.
    void drawScrollBar(const Rect& track, std::size_t first, std::size_t shown) {
        const f32 row = track.height / f32(facts_.kernels.size());
        canvas_.rect(track, {.fill = role(RoleKind::Inactive), .radius = track.width / 2});
        canvas_.rect({track.x, track.y + f32(first) * row, track.width, f32(shown) * row},
                     {.fill = role(RoleKind::Edge), .radius = track.width / 2});
    }
    bool hasRates() const {
        return std::ranges::any_of(allKernels(),
                                   [](const run::TimedKernel* kernel) { return kernel->rate > 0; });
    }
    bool hasPublished() const { return !family_.publishedOn.en.empty(); }
    // What the table needs to show its columns, but for the rates, which the bars say too.
    f32 leastTable() const {
        f32 all = 2 * space::kInset + kLeastBar + kLeastName;
        for (const NumberColumn& column : numberColumns())
            if (!isRate(column)) all += column.width;
        return all;
    }
    bool isRate(const NumberColumn& column) const {
        const std::string& head = column.head.back();
        return head == "GB/s" || head == "GFLOP/s" || head == say(in_.language, kShareOfCopy) ||
               head == say(in_.language, kShareOfPeak);
    }
    bool showsPublished() const {
        return hasPublished() && columns_.numbers.back().head.back().starts_with("G80");
    }
    f64 longest() const {
        f64 most = 0;
        for (const run::TimedKernel* kernel : allKernels())
            if (kernel->variant) most = std::max(most, kernel->upperQuartile);
        if (const std::optional<ModeledTime> time = modeledTime(in_); time && facts_.isTheRuns)
            most = std::max(most, time->most());
        return most;
    }
    // A copy of far more speed would leave nothing to see of the rest: then it stays off the scale.
    f64 highestRate() const {
        f64 most = 0;
        for (const run::TimedKernel* kernel : allKernels())
            most = std::max(most, kernel->rate);
        return facts_.countsOperations || most < kLeastShareOfCopy * facts_.machine->copyRate
                   ? most
                   : std::max(most, facts_.machine->copyRate);
    }
    // Of both machines.
    std::vector<const run::TimedKernel*> allKernels() const {
        std::vector<const run::TimedKernel*> all;
        for (const std::vector<run::TimedKernel>* kernels : {&facts_.kernels, &facts_.kernelsBeside})
            for (const run::TimedKernel& kernel : *kernels)
                all.push_back(&kernel);
        return all;
    }

    // The card's profile; none where none says how fast it is.
    const model::Profile* profile() const {
        return model::timedProfileOf(facts_.machine->recording.computeCapability);
    }
    static f64 operationsPerSecond(const model::Profile& profile) {
        return 2e6 * profile.speed->clockMhz * profile.multiprocessors * profile.speed->fp32Lanes;
    }
    // What rates are measured by: the fastest copy, or what the card can compute at most; 0: neither is
    // known.
    f64 mostRate() const {
        if (!facts_.countsOperations) return facts_.machine->copyRate;
        return profile() ? operationsPerSecond(*profile()) : 0;
    }

    // What the card can do at most, and where the variants stand below that; none where they compute nothing,
    // or its figures are not known.
    std::optional<Roofline> roofline() const {
        if (!facts_.countsOperations || !profile()) return std::nullopt;
        Roofline roofline{.operationsPerSecond = operationsPerSecond(*profile()),
                          .bytesPerSecond = 1e6 * profile()->speed->memoryMBPerSecond,
                          .copyBytesPerSecond = facts_.machine->copyRate,
                          .kernels = {}};
        for (const run::TimedKernel& kernel : facts_.kernels) {
            if (!kernel.variant || !kernel.run || kernel.rate <= 0 || kernel.deviceBytes <= 0) continue;
            const f64 intensity = kernel.rate * kernel.milliseconds / 1000 / kernel.deviceBytes;
            const std::string name = kernel.variant->title.in(in_.language);
            roofline.kernels.push_back(
                {name,
                 say(in_.language,
                     kernel.run->measured.timing->coldCache ? kRooflineHoverCold : kRooflineHover, name,
                     threeDigits(intensity), threeDigits(kernel.rate / 1e9)),
                 intensity, kernel.rate, kernel.variant == in_.run.catalog->variant});
        }
        if (roofline.kernels.empty()) return std::nullopt;
        return roofline;
    }
    std::optional<model::Bounds> bounds() const {
        return in_.run.module ? model::boundsOf(*in_.run.module, in_.run.recording, in_.run.report,
                                                in_.run.emulated ? in_.run.caches : std::nullopt, in_.profile)
                              : std::nullopt;
    }

    // Beside times of another size the run says its own.
    BoundsPicture pictureOf(const model::Bounds& least) const {
        const run::Measured* measured = run::measuredOn(in_.profile, known_);
        return {least,
                measured && measured->timing ? std::optional(measured->timing->kernel.median) : std::nullopt,
                facts_.isTheRuns ? std::string() : sizeText(run::settingsOf(*in_.run.catalog), in_.language)};
    }

    f32 chartsHeight(f32 width) const {
        const std::optional<model::Bounds> least = bounds();
        return (roofline() ? kRooflineHeight : 0) +
               (least && least->binding() ? boundsHeight(canvas_, width, pictureOf(*least), in_.language) + 16
                                          : 0);
    }
    // The roofline, and below it the bounds of the run on show; where there is room for one, the roofline.
    void drawCharts(Rect area) {
        const std::optional<Roofline> roofs = roofline();
        const std::optional<model::Bounds> least = bounds();
        const f32 ofBounds = least && least->binding()
                                 ? boundsHeight(canvas_, area.width, pictureOf(*least), in_.language)
                                 : 0;
        if (roofs) {
            const bool both = ofBounds > 0 && area.height >= kLeastCharts + ofBounds + 16;
            const Rect upper{area.x, area.y, area.width,
                             std::min(area.height - (both ? ofBounds + 16 : 0), area.width * 0.8f)};
            drawRoofline(canvas_, upper, *roofs, in_.language);
            if (!both) return;
            area = {area.x, upper.bottom() + 16, area.width, area.bottom() - upper.bottom() - 16};
        }
        if (ofBounds == 0) return;
        drawBounds(canvas_, area, pictureOf(*least), in_.language);
    }

    // The sizes that were recorded, each a button, the smallest first. Where all have the same parameters
    // these are named once, before them.
    f32 drawSizes(f32 y, f32 width) {
        if (facts_.sizes.size() == 1 && facts_.sizes[0].empty())
            return y;  // a family without parameters has nothing to choose
        const std::vector<run::Setting>& own = facts_.sizes[facts_.size];
        const bool haveSameNames =
            facts_.sizes.size() > 1 &&
            std::ranges::all_of(facts_.sizes, [&](const std::vector<run::Setting>& size) {
                return std::ranges::equal(size, own, {}, &run::Setting::first, &run::Setting::first);
            });
        f32 x = space::kInset;
        if (haveSameNames) {
            std::string names;
            for (const auto& [name, value] : own)
                names += (names.empty() ? "" : listComma(in_.language)) + name;
            const TextStyle style{.size = type::kCode, .role = role(RoleKind::TextSecond)};
            canvas_.text({x, y}, names, style);
            x += canvas_.width(names, style) + 10;
        }
        const TextStyle style{.size = type::kCode, .align = Align::Centre};
        const bool isModeled = optionsAs<TimesOptions>(in_.state.options).isModeled;
        for (const std::size_t i : sizesInOrder()) {
            std::string text = sizeText(facts_.sizes[i], in_.language);
            const std::string whole = text;
            if (haveSameNames) {
                text.clear();
                for (const auto& [name, value] : facts_.sizes[i])
                    text += (text.empty() ? "" : listComma(in_.language)) + value;
            }
            const f32 wide = canvas_.width(text, style) + 16;
            if (x + wide > width - space::kInset && x > space::kInset) x = space::kInset, y += 28;
            const Rect box{x, y - 12, wide, 24};
            const bool on = i == facts_.size;
            canvas_.rect(
                box, {.fill = role(on ? RoleKind::Wasted : RoleKind::Raised), .radius = radius::kControl});
            canvas_.text(box.centre(), text,
                         {.size = type::kCode,
                          .align = Align::Centre,
                          .role = on ? inkOn(role(RoleKind::Wasted)) : role(RoleKind::Text)});
            canvas_.hit(box, {.hover = say(in_.language, kShowSize, whole),
                              .options = TimesOptions{u32(i) + 1, isModeled}});
            x += wide + 6;
        }
        if (const std::optional<f32> wide = modelButtonWidth(canvas_, in_)) {
            if (x + *wide > width - space::kInset) x = space::kInset, y += 28;
            drawModeledLine(canvas_, in_, {x, y}, *wide);
        }
        return y + 34;
    }
    std::vector<std::size_t> sizesInOrder() const {
        std::vector<std::size_t> order(facts_.sizes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        // Numbers by their value: the shorter one is the smaller.
        const auto key = [&](std::size_t i) {
            std::vector<std::pair<std::size_t, std::string>> values;
            for (const auto& [name, value] : facts_.sizes[i])
                values.emplace_back(value.size(), value);
            return values;
        };
        std::ranges::stable_sort(order, {}, key);
        return order;
    }

    static f64 longestOf(const run::TimesFacts& facts) {
        f64 longest = 0;
        for (const run::TimedKernel& kernel : facts.kernels)
            if (kernel.run) longest = std::max(longest, kernel.milliseconds);
        return longest;
    }

    std::string timeOf(const run::TimedKernel* kernel) const {
        if (kernel && kernel->ended)
            return say(in_.language, kernel->ended->ending == run::Ending::Hangs ? kHangs : kStopped);
        return kernel && kernel->run ? unit_.figure(kernel->milliseconds) : "–";
    }

    // Times first; of two machines each with what it is, and figures that are of the first with its name.
    std::vector<NumberColumn> numberColumns() const {
        std::vector<NumberColumn> columns;
        const auto machine = [&](const run::RecordedMachine& of, Role bar,
                                 std::function<std::string(const run::TimedKernel&)> text) {
            const run::HardwareRecording& recording = of.recording;
            columns.push_back({{shortName(recording.device), "CUDA " + cudaOf(recording.driver),
                                recording.date, unit_.name},
                               kTimesOfTwo,
                               std::move(text),
                               bar});
        };
        const auto time = [this](const run::TimedKernel& kernel) { return timeOf(&kernel); };
        if (facts_.beside) {
            machine(*facts_.machine, role(RoleKind::Load), time);
            machine(*facts_.beside, role(RoleKind::TextThird),
                    [this](const run::TimedKernel& kernel) { return timeOf(facts_.comparedOf(kernel)); });
        } else {
            columns.push_back({{unit_.name}, kNumbers, time});
        }
        const auto ofTheFirst = [&](std::string head,
                                    std::function<std::string(const run::TimedKernel&)> text) {
            const f32 width = std::max(kNumbers, canvas_.width(head, {.size = type::kCode}) + 8);
            NumberColumn& column =
                columns.emplace_back(NumberColumn{{std::move(head)}, width, std::move(text)});
            if (facts_.beside)
                column.head = {shortName(facts_.machine->recording.device), "", "", column.head.front()};
        };
        if (hasRates())
            ofTheFirst(facts_.countsOperations ? "GFLOP/s" : "GB/s", [](const run::TimedKernel& kernel) {
                return kernel.rate > 0 ? threeDigits(kernel.rate / 1e9) : "–";
            });
        if (const f64 most = mostRate(); hasRates() && most > 0)
            ofTheFirst(say(in_.language, facts_.countsOperations ? kShareOfPeak : kShareOfCopy),
                       [most](const run::TimedKernel& kernel) { return percent(kernel.rate, most); });
        ofTheFirst(say(in_.language, kStepFaster),
                   [](const run::TimedKernel& kernel) { return times(kernel.step); });
        ofTheFirst(say(in_.language, kTotalFaster),
                   [](const run::TimedKernel& kernel) { return times(kernel.total); });
        if (!facts_.beside) {
            ofTheFirst(say(in_.language, run::kWithCopiesHead),
                       [this](const run::TimedKernel& kernel) { return withCopiesCell(kernel, unit_); });
            ofTheFirst(say(in_.language, run::kFirstHead, unit_.name),
                       [this](const run::TimedKernel& kernel) {
                           return firstExecutionCell(kernel, unit_, in_.language);
                       });
        }
        if (!hasPublished()) return columns;
        const auto published = [&](const char* head, f64 catalog::Published::*value) {
            columns.push_back({{head}, kNumbers, [value](const run::TimedKernel& kernel) {
                                   return kernel.variant && kernel.variant->published
                                              ? fmt::format("{:.3f}", (*kernel.variant->published).*value)
                                              : "–";
                               }});
        };
        published("G80, ms", &catalog::Published::milliseconds);
        published("G80, GB/s", &catalog::Published::gigabytesPerSecond);
        return columns;
    }

    // A line each: the machine, or what the figure is.
    void shortenHeads() {
        for (NumberColumn& column : columns_.numbers) {
            column.head = {column.bar ? column.head.front() : column.head.back()};
            column.bar.reset();
        }
    }

    // In the least letters.
    f32 longestName() const {
        f32 longest = 0;
        for (const run::TimedKernel& kernel : facts_.kernels)
            longest =
                std::max(longest, canvas_.width(nameOf(kernel), {.size = type::kAxis, .bold = true}) + 4);
        return longest;
    }
    std::string nameOf(const run::TimedKernel& kernel) const {
        if (!kernel.variant) return say(in_.language, kProcessorLoop);
        std::string title = kernel.variant->title.in(in_.language);
        if (!kernel.run) return title;
        return !kernel.run->correct.value_or(true) ? say(in_.language, kWrongResult, title)
               : kernel.races                      ? say(in_.language, kDataRace, title)
               : kernel.assumesLockstep            ? say(in_.language, kAssumesLockstep, title)
                                                   : title;
    }

    // The column that goes first where there is no room: a rate, which the bars say too, before the times
    // with copies and of the first execution, which the notes say, and the factors, of these the step; else
    // the last one. A published table has rates to compare with.
    std::vector<NumberColumn>::iterator leastTelling() {
        std::vector<std::string> order{say(in_.language, kShareOfCopy), say(in_.language, kShareOfPeak)};
        const std::vector<std::string> rates{"GB/s", "GFLOP/s"},
            whole{say(in_.language, run::kFirstHead, unit_.name), say(in_.language, run::kWithCopiesHead)},
            published{"G80, GB/s", "G80, ms"};
        for (const auto* heads :
             hasPublished() ? std::array{&whole, &published, &rates} : std::array{&rates, &whole, &published})
            order.insert(order.end(), heads->begin(), heads->end());
        order.push_back(say(in_.language, kStepFaster));
        for (const std::string& head : order)
            if (const auto found = std::ranges::find_if(
                    columns_.numbers, [&](const NumberColumn& column) { return column.head.back() == head; });
                found != columns_.numbers.end())
                return found;
        return columns_.numbers.end() - 1;
    }

    bool isFactor(const NumberColumn& column) const {
        return column.head.back() == say(in_.language, kStepFaster) ||
               column.head.back() == say(in_.language, kTotalFaster);
    }

    // No wider than what stands in them.
    void tighten() {
        constexpr f32 kGap = 12;
        for (NumberColumn& column : columns_.numbers) {
            f32 most = canvas_.width(column.head.back(), {.size = type::kCode});
            for (const run::TimedKernel& kernel : facts_.kernels)
                most = std::max(most, canvas_.width(column.text(kernel),
                                                    {.size = type::kCode, .bold = true, .mono = true}));
            if (column.head.size() == 1) column.width = std::min(column.width, most + kGap);
        }
    }

    // Of the columns that tell most.
    f32 timeAndTotal() const {
        const auto total = std::ranges::find(columns_.numbers, say(in_.language, kTotalFaster),
                                             [](const NumberColumn& column) { return column.head.back(); });
        return columns_.numbers.front().width + (total != columns_.numbers.end() ? total->width : 0);
    }

    // Bars that would be too short to be compared, or take the room of a factor, go below the names.
    void lay(const Rect& body) {
        constexpr f32 kTooShort = 72;
        const auto factors = [this] {
            return std::ranges::count_if(columns_.numbers,
                                         [this](const NumberColumn& column) { return isFactor(column); });
        };
        layWith(body, true);
        const auto factorsBelow = factors();
        const Columns below = std::exchange(columns_, {});
        layWith(body, false);
        if (columns_.barWidth < kTooShort || factors() < factorsBelow) columns_ = below;
    }
    void layWith(const Rect& body, bool barsBelow) {
        columns_.barsBelow = barsBelow;
        const f32 width = body.width - 2 * space::kInset;
        columns_.numbers = numberColumns();
        if (body.height < kTallHeadsFrom) shortenHeads();
        const auto wide = [&] {
            f32 all = 0;
            for (const NumberColumn& column : columns_.numbers)
                all += column.width;
            return all;
        };
        // Bars give way to the time and to how fast each is beside the first; names that would be cut do not.
        const f32 leastBar = barsBelow ? 0 : kNarrowBar;
        const auto leastName = [&] {
            const f32 time = columns_.numbers.front().width, both = timeAndTotal();
            if (barsBelow) return std::clamp(longestName(), kLeastName, std::max(kLeastName, width - both));
            return std::clamp(
                longestName(), kLeastName,
                std::max(kLeastName,
                         width - leastBar - (longestName() + leastBar + both <= width ? both : time)));
        };
        const auto fits = [&] { return width - wide() >= leastBar + leastName(); };
        // Numbers that leave no room for bars and names go: rates first; factors where they have none without
        // the room between them, either.
        while (columns_.numbers.size() > 1 && !fits() && !isFactor(*leastTelling()))
            columns_.numbers.erase(leastTelling());
        if (!fits()) tighten();
        while (columns_.numbers.size() > 1 && !fits())
            columns_.numbers.erase(leastTelling());
        const f32 least = leastName();
        const f32 rest = width - wide();
        columns_.name = columns_.barsBelow
                            ? rest - 8
                            : std::max(std::min(300.0f, rest * 0.55f), std::min(least, rest - leastBar));
        columns_.bar = columns_.barsBelow ? space::kInset : space::kInset + columns_.name + 8;
        columns_.barWidth = columns_.barsBelow ? columns_.name : std::max(20.0f, rest - columns_.name - 16);
        f32 right = space::kInset + rest;
        for (NumberColumn& column : columns_.numbers) {
            column.right = right += column.width;
            columns_.headLines = std::max(columns_.headLines, column.head.size());
        }
    }

    // The last lines of all stand side by side.
    void drawHeads(f32 y) {
        const TextStyle style{.size = type::kCode, .align = Align::Right, .role = role(RoleKind::TextSecond)};
        const f32 last = y + kHeadLine * f32(columns_.headLines - 1);
        // What the bars say may begin over the names, which have no head.
        const std::string_view bars = (hasRates() ? kBarsAreRates : kBarsAreTimes).in(in_.language);
        const TextStyle left{.size = type::kCode, .role = role(RoleKind::TextSecond)};
        const f32 barsAt =
            std::min(columns_.bar, columns_.bar + columns_.barWidth - canvas_.width(bars, left));
        const f32 barsEnd = barsAt + canvas_.width(bars, left);
        canvas_.text({barsAt, last}, std::string(bars), left);
        const std::string_view fastest = kFastest.in(in_.language);
        const f32 starAt = columns_.barsBelow ? barsEnd + 20 : space::kInset + 4,
                  starEnd = starAt + 8 + canvas_.width(fastest, left);
        if (facts_.fastest() && starEnd < (columns_.barsBelow ? space::kInset + columns_.name : barsAt)) {
            star(canvas_, {starAt, last}, role(RoleKind::Text));
            canvas_.text({starAt + 8, last}, std::string(fastest), left);
        }
        for (const NumberColumn& column : columns_.numbers) {
            const f32 top = last - kHeadLine * f32(column.head.size() - 1);
            for (std::size_t line = 0; line < column.head.size(); ++line)
                canvas_.textWithin({column.right, top + kHeadLine * f32(line)}, column.width - 6,
                                   column.head[line], style);
            if (column.bar)
                canvas_.rect({column.right - column.width + 12, last - 4, 22, 8},
                             {.fill = *column.bar, .radius = 2});
        }
    }

    // On two smaller lines where one is too short for it.
    void drawName(const std::string& name, Point at, f32 height, TextStyle style) {
        constexpr f32 kLine = 13;
        TextStyle small = style;
        small.size = type::kAxis;
        const std::vector<std::string> lines = canvas_.wrap(name, columns_.name, small);
        if (height < 2 * kLine + 1 || lines.size() < 2)
            return (void)canvas_.textWithin(at, columns_.name, name,
                                            shrunkToFit(canvas_, columns_.name, style, name));
        if (canvas_.width(name, style) <= columns_.name) return (void)canvas_.text(at, name, style);
        canvas_.text({at.x, at.y - kLine / 2}, lines[0], small);
        canvas_.textWithin({at.x, at.y + kLine / 2}, columns_.name,
                           name.substr(name.find(lines[1], lines[0].size())), small);
    }

    void drawRow(const run::TimedKernel& kernel, const Rect& row) {
        const f32 middle = row.y + row.height / 2;
        const bool current = kernel.variant == in_.run.catalog->variant;
        const run::TimedKernel* there = facts_.comparedOf(kernel);
        const bool isTimed = kernel.run || (there && there->run);
        const std::string name = nameOf(kernel);
        if (current)
            canvas_.rect({row.x - 8, row.y + 1, row.width + 12, row.height - 2},
                         {.fill = role(RoleKind::Raised), .radius = radius::kControl});
        const bool isFastest = &kernel == facts_.fastest();
        if (isFastest) star(canvas_, {row.x - 8, middle}, role(RoleKind::Text));
        const f32 textAt = columns_.barsBelow && isTimed ? middle - 3 : middle;
        drawName(name, {row.x, textAt}, row.height,
                 {.bold = current, .role = role(isTimed ? RoleKind::Text : RoleKind::TextThird)});
        if (!isTimed) {
            const TextStyle why{.size = type::kCode,
                                .align = columns_.barsBelow ? Align::Right : Align::Left,
                                .role = role(RoleKind::TextThird)};
            const f32 from =
                columns_.barsBelow
                    ? row.x + std::min(columns_.name, canvas_.width(name, {.bold = current})) + 12
                    : columns_.bar;
            const f32 room = row.right() - from;
            const std::string brief = kernel.ended ? timeOf(&kernel) : say(in_.language, kNotRecorded);
            canvas_.textWithin({columns_.barsBelow ? row.right() : from, middle}, room,
                               firstFitting(canvas_, room, why,
                                            {std::string(whyNoTime(kernel).in(in_.language)), brief, "–"}),
                               why);
            const std::string reason =
                kernel.ended ? kernel.ended->why.in(in_.language) : say(in_.language, whyNoTime(kernel));
            canvas_.hit(row, {.hover = say(in_.language, kStoppedHover, name, reason)});
            return;
        }
        if (columns_.barsBelow) {
            const f32 thick = there ? 2 : 3, bottom = row.bottom() - 1;
            if (there) drawBar(*there, bottom - thick / 2, thick, RoleKind::TextThird);
            drawBar(kernel, bottom - thick / 2 - (there ? thick : 0), thick);
        } else if (facts_.beside) {
            const f32 half = std::min(9.0f, (row.height - 8) / 2);
            drawBar(kernel, middle - half / 2, half - 1);
            if (there) drawBar(*there, middle + half / 2, half - 1, RoleKind::TextThird);
        } else {
            drawBar(kernel, middle, std::min(14.0f, row.height - 8));
        }
        if (current) drawModeled(kernel, columns_.barsBelow ? row.bottom() - 2.5f : middle);
        for (const NumberColumn& column : columns_.numbers) {
            const std::string text = column.text(kernel);
            canvas_.textWithin({column.right, textAt}, column.width - 6, text,
                               {.size = type::kCode,
                                .bold = current || isFastest,
                                .mono = true,
                                .align = Align::Right,
                                .role = role(text == "–" ? RoleKind::TextThird : RoleKind::Text)});
        }
        canvas_.hit(row, {.hover = hoverOfBoth(kernel, there, name)});
    }

    static const Words& whyNoTime(const run::TimedKernel& kernel) {
        if (!kernel.ended) return kNoTimeAtThisSize;
        return kernel.ended->ending == run::Ending::Hangs ? kHangsThere : kStoppedThere;
    }

    // Where a time lies along the bars.
    f32 onBar(const run::TimedKernel& kernel, f64 milliseconds) const {
        const bool rates = hasRates();
        const f64 most = rates ? highestRate() : longest(),
                  share =
                      rates ? kernel.rate * kernel.milliseconds / milliseconds / most : milliseconds / most;
        return columns_.bar + columns_.barWidth * f32(std::min(share, 1.0));
    }
    // From where to where half of the measurements lie; none where that is too close to be seen.
    std::optional<std::pair<f32, f32>> whiskerOf(const run::TimedKernel& kernel) const {
        constexpr f32 kLeast = 2;
        if (!kernel.run || (hasRates() && kernel.rate <= 0)) return std::nullopt;
        const auto [from, to] =
            std::minmax({onBar(kernel, kernel.lowerQuartile), onBar(kernel, kernel.upperQuartile)});
        return to - from < kLeast ? std::nullopt : std::optional(std::pair(from, to));
    }

    // Where half of the measurements lie is a whisker.
    void drawBar(const run::TimedKernel& kernel, f32 middle, f32 height, RoleKind kind = RoleKind::Load) {
        const bool rates = hasRates();
        const f64 most = rates ? highestRate() : longest();
        if (!kernel.run || most <= 0 || (rates && kernel.rate <= 0)) return;
        const bool current = kernel.variant == in_.run.catalog->variant;
        const Role fill = kernel.variant || kind != RoleKind::Load ? role(kind, current ? 1.0f : 0.6f)
                                                                   : role(RoleKind::Edge);
        canvas_.rect({columns_.bar, middle - height / 2,
                      std::max(1.0f, onBar(kernel, kernel.milliseconds) - columns_.bar), height},
                     {.fill = fill, .radius = 2});
        const auto whisker = whiskerOf(kernel);
        if (!whisker) return;
        const auto [from, to] = *whisker;
        canvas_.line({from, middle}, {to, middle}, {role(RoleKind::Text), line::kHair});
        const f32 tall = std::min(4.0f, height / 2);
        for (const f32 end : {from, to})
            canvas_.line({end, middle - tall}, {end, middle + tall}, {role(RoleKind::Text), line::kHair});
    }

    // The modeled time of the run, on the bar of its variant.
    void drawModeled(const run::TimedKernel& kernel, f32 middle) {
        const std::optional<ModeledTime> time = modeledTime(in_);
        const bool rates = hasRates();
        const f64 most = rates ? highestRate() : longest();
        if (!time || !facts_.isTheRuns || most <= 0 || (rates && kernel.rate <= 0)) return;
        const auto x = [&](f64 milliseconds) { return onBar(kernel, milliseconds); };
        constexpr f32 kMark = 3.5f;
        drawModeledError(canvas_, {x(time->least()), middle}, {x(time->most()), middle});
        drawModeledMark(canvas_, {x(time->milliseconds), middle}, kMark);
    }

    void drawCopyLine(f32 top, f32 bottom) {
        if (facts_.countsOperations || facts_.machine->copyRate <= 0 || !hasRates()) return;
        if (facts_.machine->copyRate > highestRate()) {
            const std::string text =
                copyText() + say(in_.language, kBeyondTheBars, threeDigits(highestRate() / 1e9));
            const f32 room = columns_.numbers.back().right - columns_.bar;
            canvas_.text({std::max(space::kInset,
                                   columns_.bar - std::max(0.0f, canvas_.width(text, kNoteStyle) - room)),
                          bottom + 12},
                         text, kNoteStyle);
            return;
        }
        const f32 x = columns_.bar + columns_.barWidth * f32(facts_.machine->copyRate / highestRate());
        canvas_.line({x, top}, {x, bottom + 4}, {role(RoleKind::Edge), line::kNext, Dash::Dashed});
        canvas_.text({x, bottom + 12}, copyText(),
                     {.size = type::kAxis, .align = Align::Right, .role = role(RoleKind::TextSecond)});
    }

    std::string copyText() const {
        const std::string rate = threeDigits(facts_.machine->copyRate / 1e9);
        return facts_.beside
                   ? say(in_.language, kCopyReachesOn, shortName(facts_.machine->recording.device), rate)
                   : say(in_.language, kCopyReaches, rate);
    }

    // Of the variant on show.
    const run::KernelTiming* timing() const {
        const auto own =
            std::ranges::find(facts_.kernels, in_.run.catalog->variant, &run::TimedKernel::variant);
        return own == facts_.kernels.end() || !own->run || !own->run->measured.timing
                   ? nullptr
                   : &*own->run->measured.timing;
    }

    // How the variant on show was measured, and what its copies took.
    std::vector<std::string> notes() const {
        const run::KernelTiming& of = *timing();
        const std::string separator = sentenceGap(in_.language);
        std::string text =
            say(in_.language, kMeasuredSo, in_.run.catalog->variant->title.in(in_.language), of.batch,
                of.kernel.runs, timeText(of.kernel.lowerQuartile), timeText(of.kernel.upperQuartile)) +
            say(in_.language, of.coldCache ? kColdCache : kWarmCache);
        if (of.smMegahertz > 0)
            text += separator + say(in_.language, kAtClock, grouped(u64(std::llround(of.smMegahertz))));
        std::vector<std::string> notes{std::move(text)};
        const auto own =
            std::ranges::find(facts_.kernels, in_.run.catalog->variant, &run::TimedKernel::variant);
        const bool hasLoop = facts_.kernels.back().run && !facts_.kernels.back().variant;
        const std::string whole =
            wholeTimeText(*own, hasLoop ? &facts_.kernels.back() : nullptr, in_.language);
        if (!of.toDevice || !of.toHost) return notes.push_back(whole), notes;
        const auto rate = [](const run::KernelTiming::Copy& copy) {
            return copy.milliseconds > 0 ? threeDigits(f64(copy.bytes) / copy.milliseconds / 1e6) : "–";
        };
        notes.push_back(say(in_.language, kCopied, bytesText(f64(of.toDevice->bytes)),
                            timeText(of.toDevice->milliseconds), rate(*of.toDevice),
                            bytesText(f64(of.toHost->bytes)), timeText(of.toHost->milliseconds),
                            rate(*of.toHost)));
        notes.push_back(whole);
        return notes;
    }

    std::size_t linesOf(const std::string& text, f32 width) const {
        return std::max<std::size_t>(1, canvas_.wrap(text, width, kNoteStyle).size());
    }

    f32 notesHeight(f32 width) const {
        f32 height = kNoteLine + 6;
        for (const std::string& note : notes())
            height += kNoteLine * f32(linesOf(note, width)) + 4;
        return height;
    }

    void drawNotes(f32 y, f32 width) {
        for (const std::string& note : notes())
            y += kNoteLine * f32(canvas_.paragraph({space::kInset, y}, width, note, kNoteStyle,
                                                   kNoteLine / type::kAxis)) +
                 4;
    }

    bool hasColumn(const Words& head) const {
        return std::ranges::any_of(columns_.numbers, [&](const NumberColumn& column) {
            return column.head.back() == head.in(in_.language);
        });
    }
    // With the one that the variant on show changes, where its row has a factor.
    std::string keyOfStep() const {
        const auto own =
            std::ranges::find(facts_.kernels, in_.run.catalog->variant, &run::TimedKernel::variant);
        const catalog::Variant* changed = own != facts_.kernels.end() && own->step > 0 && own->variant
                                              ? family_.find(own->variant->after)
                                              : nullptr;
        return changed ? say(in_.language, kKeyOfStepHere, changed->title.in(in_.language))
                       : say(in_.language, kKeyOfStep);
    }
    // Whose result is wrong, or right by luck.
    bool hasFasterWithoutStar() const {
        const run::TimedKernel* best = facts_.fastest();
        return best && std::ranges::any_of(facts_.kernels, [&](const run::TimedKernel& kernel) {
                   return kernel.variant && kernel.run && kernel.milliseconds < best->milliseconds;
               });
    }

    // What the columns on show are measured against.
    std::string columnKey() const {
        std::string key;
        if (in_.size.height < kTallHeadsFrom) return key;
        const auto add = [&](const std::string& text) {
            key += (key.empty() ? std::string() : sentenceGap(in_.language)) + text;
        };
        if (hasColumn(kShareOfPeak))
            add(say(in_.language, kKeyOfPeak, threeDigits(mostRate() / 1e12),
                    grouped(profile()->speed->clockMhz)));
        if (hasColumn(kShareOfCopy)) add(say(in_.language, kKeyOfCopy, threeDigits(mostRate() / 1e9)));
        if (hasColumn(kStepFaster)) add(keyOfStep());
        if (hasColumn(kTotalFaster)) add(say(in_.language, kKeyOfTotal));
        if (hasFasterWithoutStar()) add(say(in_.language, kKeyOfFastest));
        if (std::ranges::any_of(facts_.kernels, [this](const run::TimedKernel& kernel) {
                return whiskerOf(kernel).has_value();
            }))
            add(say(in_.language, kKeyOfWhiskers));
        return key;
    }

    std::string footText(std::size_t left) const {
        const std::string size = sizeText(facts_.sizes[facts_.size], in_.language);
        std::string foot = size.empty() ? "" : say(in_.language, kSizeShown, size);
        const std::string space = sentenceGap(in_.language);
        if (!facts_.isTheRuns) foot += space + say(in_.language, kNotTheRunsSize);
        if (left > 0) foot += space + say(in_.language, kRowsLeftOut, left);
        if (const std::string key = columnKey(); !key.empty()) foot += (foot.empty() ? "" : space) + key;
        if (showsPublished())
            foot += space + say(in_.language, kPublishedColumns, family_.publishedOn.in(in_.language));
        return foot;
    }

    // Returns where its last line stands.
    f32 drawFoot(f32 y, const Rect& body, std::size_t left) {
        if (facts_.machine->copyRate > 0 && !facts_.countsOperations) y += 20;
        const f32 width = body.width - 2 * space::kInset;
        const std::string foot = footText(left);
        const f32 more = kNoteLine * f32(linesOf(foot, width) - 1),
                  at = std::min(y, body.bottom() - 12 - more);
        canvas_.paragraph({space::kInset, at}, width, foot, kNoteStyle, kNoteLine / type::kAxis);
        return at + more;
    }

    std::string hoverOfBoth(const run::TimedKernel& kernel, const run::TimedKernel* there,
                            const std::string& name) const {
        if (!facts_.beside) return hoverOf(kernel, *facts_.machine, name);
        std::string text;
        for (const auto& [one, machine] :
             {std::pair{&kernel, facts_.machine}, std::pair{there, facts_.beside}})
            if (one && (one->run || one->ended))
                text += (text.empty() ? "" : " ") + machine->recording.device + ": " +
                        hoverOf(*one, *machine, name);
        return text;
    }

    std::string hoverOf(const run::TimedKernel& kernel, const run::RecordedMachine& machine,
                        const std::string& name) const {
        if (kernel.ended)
            return say(in_.language, kernel.ended->ending == run::Ending::Hangs ? kHangsHover : kStoppedHover,
                       name, kernel.ended->why.in(in_.language));
        if (!kernel.variant)
            return say(in_.language, kLoopHover, timeText(kernel.milliseconds), machine.recording.cpuThreads);
        const run::KernelTiming& timing = *kernel.run->measured.timing;
        const catalog::Variant* changed = kernel.step > 0 ? family_.find(kernel.variant->after) : nullptr;
        return say(in_.language, kTimeHover, name, timeText(kernel.milliseconds),
                   timeText(kernel.lowerQuartile), timeText(kernel.upperQuartile), timing.kernel.runs) +
               say(in_.language, timing.coldCache ? kColdCache : kWarmCache) +
               (changed
                    ? say(in_.language, kStepOver, factorText(kernel.step), changed->title.in(in_.language))
                    : noStepText(kernel));
    }

    // Where a variant and the one that it changes were timed in different ways.
    std::string noStepText(const run::TimedKernel& kernel) const {
        const auto before = std::ranges::find_if(facts_.kernels, [&](const run::TimedKernel& other) {
            return other.variant && other.run && other.variant->name == kernel.variant->after;
        });
        if (before == facts_.kernels.end() || run::areTimedAlike(*before, kernel)) return {};
        return say(in_.language, kNoStepOver, before->variant->title.in(in_.language));
    }

    // What a short time is of, where it is not that of the kernel's work: where its bytes would take a small
    // part of it at the speed of a copy, or an empty kernel takes most of it.
    std::string startingText(const run::TimedKernel& kernel) const {
        constexpr f64 kSmallPart = 0.2, kShortMs = 0.02;
        constexpr f64 kGoodPart = 0.2;
        const std::string space = sentenceGap(in_.language);
        const model::Profile* card = profile();
        const std::optional<f64> launch = card ? card->speed->launchMilliseconds() : std::nullopt;
        const std::size_t launches =
            kernel.variant ? std::max<std::size_t>(kernel.variant->launches.size(), 1) : 1;
        const auto ofLaunch = [&](const Words& one, const Words& several) {
            return space + (launches == 1 ? say(in_.language, one, timeText(*launch))
                                          : say(in_.language, several, timeText(*launch), launches));
        };
        std::optional<f64> moving;  // where that is a small part
        if (!facts_.countsOperations && facts_.machine->copyRate > 0 && kernel.rate > 0 &&
            kernel.milliseconds <= kShortMs)
            moving = kernel.rate * kernel.milliseconds / facts_.machine->copyRate;
        if (moving && *moving > kSmallPart * kernel.milliseconds) moving.reset();
        if (launch && card->speed->isMostlyLaunch(kernel.milliseconds / f64(launches)))
            return ofLaunch(kMostlyLaunch, kMostlyLaunches) +
                   (moving ? space + say(in_.language, kMovingTakes, timeText(*moving)) : std::string());
        if (!moving) return {};
        return space + say(in_.language, kMostlyStarting, timeText(*moving), timeText(kernel.milliseconds)) +
               (launch && *launch * f64(launches) >= kGoodPart * kernel.milliseconds
                    ? ofLaunch(kLaunchPart, kLaunchesPart)
                    : std::string());
    }

    std::string sentence() const {
        const std::string measured = measuredSentence(), modeled = modeledSentence(in_);
        if (measured.empty() || modeled.empty()) return measured + modeled;
        return measured + sentenceGap(in_.language) + modeled;
    }
    std::string measuredSentence() const {
        const run::TimedKernel* best = facts_.fastest();
        if (!best) return "";
        // Times of another size than the run's are never told as the run's.
        const std::string& card = facts_.machine->recording.device;
        const std::string device = facts_.isTheRuns ? card
                                                    : say(in_.language, kDeviceAtSize, card,
                                                          sizeText(facts_.sizes[facts_.size], in_.language));
        const std::string before = facts_.isRunRecorded
                                       ? ""
                                       : say(in_.language, kSizeNotRecorded,
                                             sizeText(run::settingsOf(*in_.run.catalog), in_.language)) +
                                             sentenceGap(in_.language);
        const auto own =
            std::ranges::find(facts_.kernels, in_.run.catalog->variant, &run::TimedKernel::variant);
        const auto title = [&] { return best->variant->title.in(in_.language); };
        const bool isTimed = own != facts_.kernels.end() && own->run;
        // A variant that has less to do says nothing of this one.
        if (isTimed && !run::doAsMuch(*own, *best)) best = facts_.fastestLike(*own);
        if (isTimed && best && own->run->measured.timing->batch == 1 && !run::areTimedAlike(*own, *best))
            return before + say(in_.language, kTookSentence, device, timeText(own->milliseconds)) +
                   sentenceGap(in_.language) + say(in_.language, kTimedRunByRun) + startingText(*own);
        if (isTimed && (!best || (best == &*own && best != facts_.fastest())))
            return before + say(in_.language, kTookSentence, device, timeText(own->milliseconds)) +
                   startingText(*own);
        const auto timed = std::ranges::count_if(
            facts_.kernels, [](const run::TimedKernel& kernel) { return kernel.variant && kernel.run; });
        if (isTimed && best == &*own && timed == 1)
            return before + say(in_.language, kTookAlone, device, timeText(own->milliseconds)) +
                   startingText(*own);
        if (!isTimed || best == &*own)
            return before +
                   say(in_.language, isTimed ? kFastestSentence : kHasNoTime, device, title(),
                       timeText(best->milliseconds)) +
                   startingText(*best);
        constexpr f64 kTold = 1.005;  // a factor that is more than 1.00 where it is written
        if (own->milliseconds < kTold * best->milliseconds)
            return before + say(in_.language, kAsFastSentence, device, timeText(own->milliseconds), title()) +
                   startingText(*own);
        return before +
               say(in_.language, kTimesSentence, device, timeText(own->milliseconds), title(),
                   factorText(own->milliseconds / best->milliseconds)) +
               startingText(*own);
    }

    const ViewInput& in_;
    const run::TimesFacts& facts_;
    const run::KnownMeasurements& known_;
    const catalog::Family& family_;
    const TimeUnit unit_;  // of the table
    Canvas canvas_;
    Columns columns_;
};

// From one picture to the next.
struct TimesCache {
    std::optional<u32> chosen;
    std::optional<run::TimesFacts> facts;
    run::KnownMeasurements known;
};

// The modeled time alone, where it can be asked for.
Scene withoutRecordings(const ViewInput& in, const std::string& why) {
    if (!hasModeledLine(in)) return emptyScene(in, kTimesTitle, why);
    Canvas canvas(in.size, in.metrics);
    const Rect body = head(canvas, in, kTimesTitle.in(in.language), "");
    const f32 width = body.width - 2 * space::kInset;
    const TextStyle style{.size = type::kTitle, .role = role(RoleKind::TextSecond)};
    const f32 top = body.y + 28;
    const u32 lines = canvas.paragraph({space::kInset, top}, width, why, style);
    drawModeledLine(canvas, in,
                    {space::kInset, top + f32(lines) * style.size * type::kLineHeight + kModeledLine / 2},
                    width);
    const std::string modeled = modeledSentence(in);
    return std::move(canvas).take(modeled.empty() ? why : why + sentenceGap(in.language) + modeled);
}

}  // namespace

Scene buildTimes(const ViewInput& in) {
    if (!in.run.catalog) return withoutRecordings(in, say(in.language, kTimesNeedTheCatalogue));
    const std::span<const run::RecordedMachine> machines =
        in.machines ? std::span(*in.machines) : std::span<const run::RecordedMachine>();
    const u32 chosen = optionsAs<TimesOptions>(in.state.options).size;
    TimesCache anew;
    TimesCache* kept = in.cache ? std::any_cast<TimesCache>(&in.cache->facts) : nullptr;
    if (!kept) kept = in.cache ? &in.cache->facts.emplace<TimesCache>() : &anew;
    if (kept->chosen != chosen)
        *kept = {chosen, run::timesFacts(*in.run.catalog, machines, chosen),
                 run::measurementsOf(in.run, machines)};
    if (!kept->facts) return withoutRecordings(in, say(in.language, kNoTimes));
    return Picture(in, *kept->facts, kept->known).draw();
}

}  // namespace lockstep::viz
