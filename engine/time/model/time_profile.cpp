#include "time/model/time_profile.h"

#include "base/check.h"
#include "base/files/toml.h"
#include "model/profiles/built_in_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <variant>

namespace lockstep::time {
namespace {

struct Key {
    std::string_view name;
    std::variant<u32 TimeProfile::*, f64 TimeProfile::*> member;
};

constexpr std::array kKeys = {
    Key{"branch_taken", &TimeProfile::branchTakenCycles},
    Key{"switch_path", &TimeProfile::switchPathCycles},
    Key{"shuffle_by_register", &TimeProfile::shuffleByRegisterCycles},
    Key{"constant_per_address", &TimeProfile::constantPerAddressCycles},
    Key{"match_per_value", &TimeProfile::matchPerValueCycles},
    Key{"barrier", &TimeProfile::barrierCycles},
    Key{"barrier_per_warp", &TimeProfile::barrierPerWarpCycles},
    Key{"barrier_blocks", &TimeProfile::barrierBlocksCycles},
    Key{"queue_entries", &TimeProfile::queueEntries},
    Key{"per_wavefront", &TimeProfile::perWavefrontCycles},
    Key{"subcore_wavefront", &TimeProfile::subcoreWavefrontCycles},
    Key{"adu", &TimeProfile::aduCycles},
    Key{"adu_constant", &TimeProfile::aduConstantCycles},
    Key{"unused_access", &TimeProfile::unusedAccessCycles},
    Key{"global_widest_load", &TimeProfile::globalWidestLoadCycles},
    Key{"shared_swap", &TimeProfile::sharedSwapCycles},
    Key{"async_copy", &TimeProfile::asyncCopyCycles},
    Key{"wide_load", &TimeProfile::wideLoadCycles},
    Key{"widest_load", &TimeProfile::widestLoadCycles},
    Key{"lines_per_cycle", &TimeProfile::linesPerCycle},
    Key{"wide_store", &TimeProfile::wideStoreCycles},
    Key{"widest_store", &TimeProfile::widestStoreCycles},
    Key{"global_wide_store", &TimeProfile::globalWideStoreCycles},
    Key{"global_widest_store", &TimeProfile::globalWidestStoreCycles},
    Key{"store_request", &TimeProfile::storeRequestCycles},
    Key{"store_whole_sector", &TimeProfile::storeWholeSectorCycles},
    Key{"store_part_sector", &TimeProfile::storePartSectorCycles},
    Key{"store_drain", &TimeProfile::storeDrainCycles},
    Key{"exit_branch", &TimeProfile::exitBranchCycles},
    Key{"atomic_packets_on_the_way", &TimeProfile::atomicPacketsOnTheWay},
    Key{"global_entries", &TimeProfile::globalEntries},
    Key{"atomic_whole_sector", &TimeProfile::atomicWholeSectorCycles},
    Key{"atomic_lone_float", &TimeProfile::atomicLoneFloatCycles},
    Key{"atomic_lone_sector", &TimeProfile::atomicLoneSectorCycles},
    Key{"l2_near", &TimeProfile::l2NearCycles},
    Key{"l2_far", &TimeProfile::l2FarCycles},
    Key{"dram_near", &TimeProfile::dramNearCycles},
    Key{"dram_far", &TimeProfile::dramFarCycles},
    Key{"atomic_sector", &TimeProfile::atomicSectorCycles},
    Key{"dram_late_one_in", &TimeProfile::dramLateOneIn},
    Key{"dram_late", &TimeProfile::dramLateCycles},
    Key{"atomic", &TimeProfile::atomicCycles},
    Key{"reduction_pace", &TimeProfile::reductionPace},
    Key{"sm_sectors_per_cycle", &TimeProfile::smSectorsPerCycle},
    Key{"l2_sectors_per_cycle", &TimeProfile::l2SectorsPerCycle},
    Key{"dram_sectors_per_cycle", &TimeProfile::dramSectorsPerCycle},
    Key{"l2_fill_cost", &TimeProfile::l2FillCost},
    Key{"l2_whole_stores_per_cycle", &TimeProfile::l2WholeStoresPerCycle},
    Key{"l2_part_stores_per_cycle", &TimeProfile::l2PartStoresPerCycle},
    Key{"l2_scattered_stores_per_cycle", &TimeProfile::l2ScatteredStoresPerCycle},
    Key{"l2_atomic_sectors_per_cycle", &TimeProfile::l2AtomicSectorsPerCycle},
    Key{"first_line", &TimeProfile::firstLineCycles},
    Key{"next_line", &TimeProfile::nextLineCycles},
    Key{"repeated_first_line", &TimeProfile::repeatedFirstLineCycles},
    Key{"repeated_next_line", &TimeProfile::repeatedNextLineCycles},
    Key{"constant_line", &TimeProfile::constantLineCycles},
    Key{"lines_ahead", &TimeProfile::linesAhead},
    Key{"code_line_pace", &TimeProfile::codeLinePace},
    Key{"constant_line_pace", &TimeProfile::constantLinePace},
    Key{"sector_pace", &TimeProfile::sectorPace},
    Key{"launch", &TimeProfile::launchCycles},
    Key{"first_block", &TimeProfile::firstBlockCycles},
    Key{"next_block", &TimeProfile::nextBlockCycles},
    Key{"block_return", &TimeProfile::blockReturnCycles},
    Key{"l2_lines_per_cycle", &TimeProfile::l2LinesPerCycle},
    Key{"block_gap", &TimeProfile::blockGapCycles},
    Key{"blocks_at_once", &TimeProfile::blocksAtOnce},
    Key{"cycles_per_block", &TimeProfile::cyclesPerBlock},
    Key{"cycles_per_large_block", &TimeProfile::cyclesPerLargeBlock},
    Key{"warp_gap", &TimeProfile::warpGapCycles},
    Key{"exit", &TimeProfile::exitCycles},
};

constexpr std::array<std::string_view, kLaunchKinds> kErrorKeys = {"short", "memory", "other"};

constexpr u32 kMostCycles = 1'000'000;

class Reader {
public:
    Reader(const toml::table& section, std::string file) : section_(section), file_(std::move(file)) {}

    void read(TimeProfile& profile) {
        for (const Key& key : kKeys) {
            const toml::node_view<const toml::node> node = section_[key.name];
            const std::optional<f64> value = node.value<f64>();
            if (!value || *value < 0 || *value > kMostCycles)
                return wrong(key.name, node, english("must be a number from 0 to 1,000,000"));
            std::visit(
                [&](auto member) {
                    using T = std::decay_t<decltype(profile.*member)>;
                    profile.*member = T(*value);
                },
                key.member);
        }
        const toml::table* const classes = section_["classes"].as_table();
        if (!classes) return wrong("classes", section_["classes"], english("must be a table"));
        for (const sass::ClassRow& row : sass::instructionClasses())
            readClass(*classes, row, profile);
        checkKeys(*classes);
        readErrors(profile);
    }
    const std::optional<Fault>& fault() const { return fault_; }

private:
    void readClass(const toml::table& classes, const sass::ClassRow& row, TimeProfile& profile) {
        const toml::node_view<const toml::node> node = classes[row.name];
        const toml::array* const pair = node.as_array();
        const auto number = [&](std::size_t at) { return (*pair)[at].value<u32>(); };
        if (!pair || pair->size() != 2 || !number(0) || !number(1) || *number(0) > kMostCycles ||
            *number(1) < 1 || *number(1) > kMostCycles)
            return wrong(row.name, node, english("must be a list of a latency and an interval in cycles"));
        profile.classes[std::size_t(row.of)] = {.latencyCycles = *number(0), .intervalCycles = *number(1)};
    }
    // None where the times were not held against measured ones.
    void readErrors(TimeProfile& profile) {
        const toml::table* const errors = section_["errors"].as_table();
        if (!errors) return;
        for (std::size_t kind = 0; kind < kLaunchKinds; ++kind) {
            const toml::node_view<const toml::node> node = (*errors)[kErrorKeys[kind]];
            const toml::array* const numbers = node.as_array();
            const auto number = [&](std::size_t at) { return (*numbers)[at].value<f64>().value_or(-1); };
            if (!numbers || numbers->size() != 2 || number(0) < 1 || number(1) < 0)
                return wrong(kErrorKeys[kind], node,
                             english("must be a list of launches and mean error in percent"));
            profile.errors[kind] = {.launches = u32(number(0)), .meanPercent = number(1)};
        }
    }
    void checkKeys(const toml::table& classes) {
        for (const auto& [key, node] : section_)
            if (key != "classes" && key != "errors" &&
                std::ranges::find(kKeys, std::string_view(key.str()), &Key::name) == kKeys.end())
                return wrong(key.str(), toml::node_view<const toml::node>(node),
                             english("is not a figure of the cycle model"));
        for (const auto& [key, node] : classes)
            if (!sass::findInstructionClass(key.str()))
                return wrong(key.str(), toml::node_view<const toml::node>(node),
                             english("is not a class of instructions"));
    }
    void wrong(std::string_view key, toml::node_view<const toml::node> node, Words what) {
        if (fault_) return;
        SourcePlace place{.file = file_};
        place.line = node ? node.node()->source().begin.line : section_.source().begin.line;
        fault_ = fail(FaultKind::Syntax,
                      Message(english("'{0}' of section [time] {1}"), std::string(key), Message(what)), place)
                     .value();
    }

    const toml::table& section_;
    std::string file_;
    std::optional<Fault> fault_;
};

}  // namespace

LaunchKind kindOf(u64 elapsedCycles, const StallCycles& stalls) {
    if (elapsedCycles <= kShortCycles) return LaunchKind::Short;
    u64 most = 0;
    for (std::size_t i = std::size_t(Stall::NotSelected) + 1; i < kStalls; ++i)
        most = std::max(most, stalls[i]);
    const bool waitsForMemory =
        std::max(stalls[std::size_t(Stall::LongScoreboard)], stalls[std::size_t(Stall::LgThrottle)]) == most;
    return waitsForMemory ? LaunchKind::Memory : LaunchKind::Other;
}

Expected<std::optional<TimeProfile>> parseTimeProfile(std::string_view text, const std::string& file) {
    const toml::parse_result parsed = toml::parse(text, file);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return fail(FaultKind::Syntax,
                    Message(english("this is no valid TOML: {0}"), std::string(error.description())),
                    {.file = file, .line = error.source().begin.line, .column = error.source().begin.column});
    }
    const toml::table* const section = parsed.table()["time"].as_table();
    if (!section) return std::optional<TimeProfile>();
    TimeProfile profile;
    profile.device = parsed.table()["card"].value_or(std::string());
    Reader reader(*section, file);
    reader.read(profile);
    if (reader.fault()) return Unexpected{*reader.fault()};
    return std::optional(profile);
}

const TimeProfile* timeProfileOf(const model::Profile& profile) {
    static std::mutex mutex;
    static std::map<std::string, std::optional<TimeProfile>, std::less<>> known;
    const std::scoped_lock lock(mutex);
    auto found = known.find(profile.name);
    if (found == known.end()) {
        std::optional<TimeProfile> times;
        const std::string end = "/" + profile.name + ".toml";
        for (const model::ProfileText& text : model::builtInProfiles())
            if (text.file.ends_with(end)) {
                Expected<std::optional<TimeProfile>> read =
                    parseTimeProfile(text.text, std::string(text.file));
                CHECK(read.has_value(), "built-in profiles are tested");
                times = *read;
            }
        found = known.emplace(profile.name, times).first;
    }
    return found->second ? &*found->second : nullptr;
}

}  // namespace lockstep::time
