// What a user chose in a view: one type for each view that offers a choice.
#pragma once

#include "base/integers.h"

#include <array>
#include <string_view>
#include <variant>

namespace lockstep::viz {

enum class SourceTab : u8 { Cuda, Ptx, Machine };
inline constexpr std::array<std::string_view, 3> kSourceTabs{"cuda", "ptx", "machine"};  // of --tab
constexpr std::string_view nameOf(SourceTab tab) { return kSourceTabs[std::size_t(tab)]; }

struct SourceOptions {
    SourceTab tab = SourceTab::Cuda;
    bool operator==(const SourceOptions&) const = default;
};

struct StageOptions {
    u8 stage = 0;  // which one was chosen, from 1 (views/stage.h); 0: the one that shows the run best
    bool operator==(const StageOptions&) const = default;
};

struct TimesOptions {
    u32 size = 0;            // which of the recorded sizes, from 1; 0: the run's own
    bool isModeled = false;  // the cycle model's time of the run stands beside them
    bool operator==(const TimesOptions&) const = default;
};

enum class AxisScaling : u8 { Auto, Linear, Log };  // of a chart's axis; Auto: as its values are spread

struct ChartOptions {
    u16 metric = 0;    // which of run::sweepMetrics(), from 1; 0: the one that tells most
    u8 parameter = 0;  // which of the variant's run::sweepableParameters(), from 1; 0: the view chooses
    AxisScaling x = AxisScaling::Auto, y = AxisScaling::Auto;
    bool isCost = false;  // instead, what a sum costs by the theorem of Brent (views/cost_page.h)
    u64 processors = 0;   // there: with how many; 0: as many as the theorem asks for
    bool operator==(const ChartOptions&) const = default;
};

struct OccupancyOptions {       // what if; 0, or none: as the kernel on show has it
    u32 threads = 0;            // per block
    u32 registers = 0;          // per thread
    s64 sharedBytes = -1;       // per block
    std::string_view device{};  // model::Profile::name
    bool operator==(const OccupancyOptions&) const = default;
};

// How much of the time: around the cursor, all, single cycles; or what hides latency, in the launch as it is
// and with other warps.
enum class IssueZoom : u8 { Around, Launch, Cycles, Hiding };
inline constexpr std::array<std::string_view, 4> kIssueZooms{"around", "launch", "cycles",
                                                             "hiding"};  // of --zoom
constexpr std::string_view nameOf(IssueZoom zoom) { return kIssueZooms[std::size_t(zoom)]; }

struct IssueOptions {
    IssueZoom zoom = IssueZoom::Around;
    u8 subcore = 0;  // from 1; 0: the one of the cursor's warp
    bool operator==(const IssueOptions&) const = default;
};

// Of a view that stands in the compare view, for both runs.
using ComparedOptions = std::variant<std::monostate, SourceOptions, StageOptions, IssueOptions>;

enum class Tie : u8 {
    Phase,  // the same barriers passed, and in that phase the access of the same kind that comes as often (in
            // the last phase of a run that has fewer, as often from where it begins); where it has none and
            // other barriers, that comes as often from the start; else as far into the phase
    Step,   // the same number of the warp's instructions
};

struct CompareOptions {
    std::string_view view = "stage";  // ViewRow::name of one that isCompared
    Tie tie = Tie::Phase;
    ComparedOptions each{};
    bool operator==(const CompareOptions&) const = default;
};

using ViewOptions = std::variant<std::monostate, SourceOptions, StageOptions, TimesOptions, ChartOptions,
                                 OccupancyOptions, IssueOptions, CompareOptions>;

// The choice of one view; its default where none was made.
template <class Options, class Variant> Options optionsAs(const Variant& options) {
    const Options* chosen = std::get_if<Options>(&options);
    return chosen ? *chosen : Options{};
}

// From one of the two variants to the other: nothing of what cannot stand in compare.
inline ComparedOptions comparedOptions(const ViewOptions& options) {
    if (const auto* source = std::get_if<SourceOptions>(&options)) return *source;
    if (const auto* stage = std::get_if<StageOptions>(&options)) return *stage;
    if (const auto* issue = std::get_if<IssueOptions>(&options)) return *issue;
    return {};
}
inline ViewOptions byItself(const ComparedOptions& options) {
    return std::visit([](const auto& one) -> ViewOptions { return one; }, options);
}

}  // namespace lockstep::viz
