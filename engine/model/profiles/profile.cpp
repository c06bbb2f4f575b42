#include "model/profiles/profile.h"

#include "base/check.h"
#include "base/files/text_file.h"
#include "base/files/toml.h"
#include "base/nearest.h"
#include "model/profiles/built_in_profiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>
#include <vector>

namespace lockstep::model {
namespace {

template <class Rule> struct RuleName {
    std::string_view name;
    Rule rule;
};
constexpr std::array kSharedRules = {
    RuleName<SharedRule>{"broadcast_word", SharedRule::BroadcastWord},
    RuleName<SharedRule>{"words", SharedRule::Words},
    RuleName<SharedRule>{"word_pairs", SharedRule::WordPairs},
    RuleName<SharedRule>{"double_words", SharedRule::DoubleWords},
    RuleName<SharedRule>{"merging_words", SharedRule::MergingWords},
};
constexpr std::array kGlobalRules = {
    RuleName<GlobalRule>{"in_order", GlobalRule::InOrder},
    RuleName<GlobalRule>{"segments", GlobalRule::Segments},
    RuleName<GlobalRule>{"sectors", GlobalRule::Sectors},
};

// Reads keys in order and keeps the first mistake.
class Reader {
public:
    Reader(const toml::table& root, std::string file) : root_(root), file_(std::move(file)) {}

    void number(std::string_view path, u32& into, u32 least, u32 most) {
        const toml::node_view<const toml::node> node = at(path);
        const std::optional<s64> value = node.is_integer() ? node.value<s64>() : std::nullopt;
        if (!value || *value < s64{least} || *value > s64{most})
            return wrong(path, node, Message(english("must be a whole number from {0} to {1}"), least, most));
        into = u32(*value);
    }
    void numbers(std::string_view path, std::span<u32* const> into, u32 least, u32 most) {
        const toml::node_view<const toml::node> node = at(path);
        if (!node.is_array() || node.as_array()->size() != into.size())
            return wrong(path, node, Message(english("must be a list of {0} whole numbers"), into.size()));
        for (std::size_t at = 0; at < into.size(); ++at)
            number(fmt::format("{}[{}]", path, at), *into[at], least, most);
    }
    bool has(std::string_view path) { return bool(at(path)); }
    // One or more numbers.
    std::vector<u32> list(std::string_view path, u32 least, u32 most) {
        const toml::node_view<const toml::node> node = at(path);
        std::vector<u32> numbers(node.is_array() ? node.as_array()->size() : 0);
        if (numbers.empty()) wrong(path, node, english("must be a list of whole numbers"));
        for (std::size_t at = 0; at < numbers.size(); ++at)
            number(fmt::format("{}[{}]", path, at), numbers[at], least, most);
        return numbers;
    }
    void flag(std::string_view path, bool& into) {
        const toml::node_view<const toml::node> node = at(path);
        if (!node.is_boolean()) return wrong(path, node, english("must be true or false"));
        into = *node.value<bool>();
    }
    void text(std::string_view path, std::string& into) {
        const toml::node_view<const toml::node> node = at(path);
        const std::optional<std::string> value = node.value<std::string>();
        if (!node.is_string() || !value || value->empty())
            return wrong(path, node, english("must be a text in quotes"));
        into = *value;
    }
    // A list of texts, or nothing.
    void optionalTexts(std::string_view path, std::vector<std::string>& into) {
        if (!has(path)) return;
        const toml::node_view<const toml::node> node = at(path);
        if (!node.is_array()) return wrong(path, node, english("must be a list of texts in quotes"));
        into.resize(node.as_array()->size());
        for (std::size_t at = 0; at < into.size(); ++at)
            text(fmt::format("{}[{}]", path, at), into[at]);
    }
    template <class Rule, std::size_t N>
    void rule(std::string_view path, Rule& into, const std::array<RuleName<Rule>, N>& names) {
        const toml::node_view<const toml::node> node = at(path);
        const std::optional<std::string> value = node.value<std::string>();
        std::string known;
        for (const RuleName<Rule>& row : names) {
            if (value && *value == row.name) {
                into = row.rule;
                return;
            }
            known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", row.name);
        }
        wrong(path, node, Message(english("must be one of {0}"), known));
    }
    // A section that others read: its keys are not looked at here.
    void leave(std::string section) { left_ = std::move(section); }
    void reject(std::string_view path, const Message& what) { wrong(path, at(path), what); }

    // The file's first error, if any. An unknown key is reported before a missing one: it may be that one,
    // misspelled.
    std::optional<Fault> fault() {
        if (fault_ && fault_->place.line > 0) return fault_;
        checkKeys(root_, "");
        return unknown_ ? unknown_ : fault_;
    }

private:
    // Remembers the path as one that a profile has: "caches.groups.sms" of "caches.groups[2].sms".
    toml::node_view<const toml::node> at(std::string_view path) {
        std::string known;
        bool isIndex = false;
        for (char c : path) {
            isIndex = isIndex || c == '[';
            if (!isIndex) known += c;
            if (c == ']') isIndex = false;
        }
        for (std::size_t dot = known.find('.'); dot != std::string::npos; dot = known.find('.', dot + 1))
            known_.insert(known.substr(0, dot));
        known_.insert(std::move(known));
        return root_.at_path(path);
    }
    void checkKeys(const toml::table& table, const std::string& prefix) {
        for (const auto& [key, node] : table) {
            if (unknown_) return;
            const std::string path = prefix + std::string(std::string_view(key.str()));
            if (path == left_) continue;
            if (!known_.contains(path))
                tellUnknown(path, prefix, node);
            else if (const toml::table* section = node.as_table())
                checkKeys(*section, path + ".");
            else if (const toml::array* list = node.as_array())
                for (const toml::node& item : *list)
                    if (const toml::table* section = item.as_table()) checkKeys(*section, path + ".");
        }
    }
    void tellUnknown(const std::string& path, const std::string& prefix, const toml::node& node) {
        std::vector<std::string> besides;
        for (const std::string& known : known_)
            if (known.starts_with(prefix) && known.find('.', prefix.size()) == std::string::npos)
                besides.push_back(known.substr(prefix.size()));
        unknown_ = fail(FaultKind::Syntax,
                        Message(node.is_table() ? english("a profile has no section '{0}'{1}")
                                                : english("a profile has no key '{0}'{1}"),
                                path, didYouMean(path.substr(prefix.size()), besides)),
                        {.file = file_, .line = node.source().begin.line})
                       .value();
    }
    void wrong(std::string_view path, toml::node_view<const toml::node> node, const Message& what) {
        if (fault_) return;
        const u32 line = node.node() ? node.node()->source().begin.line : 0;
        fault_ =
            fail(FaultKind::Syntax, Message(english("'{0}' {1}"), path, what), {.file = file_, .line = line})
                .value();
    }

    const toml::table& root_;
    std::string file_;
    std::optional<Fault> fault_, unknown_;
    std::set<std::string> known_;
    std::string left_;
};

// The text in ASCII only, because toml++ 3.3 has undefined behavior when it tests other characters for being
// a space: full-line comments lose such characters; elsewhere they are an error.
Expected<std::string> plainText(std::string_view text, const std::string& file) {
    std::string plain(text);
    u32 line = 1;
    bool begun = false, comment = false;  // a non-space was seen on this line; it was a #
    for (char& c : plain) {
        if (c == '\n')
            ++line, begun = comment = false;
        else if (!begun && c != ' ' && c != '\t')
            begun = true, comment = c == '#';
        if (u8(c) < 0x80) continue;
        if (!comment)
            return fail(FaultKind::Syntax,
                        english("only plain ASCII may stand here; write comments on lines of their own"),
                        {.file = file, .line = line});
        c = '?';
    }
    return plain;
}

constexpr u32 kAnySize = 1u << 30, kMostModes = 8;

void readRules(Reader& reader, Profile& profile) {
    reader.rule("shared_memory.rule", profile.sharedRule, kSharedRules);
    reader.number("shared_memory.banks", profile.banks, 1, 32);
    GroupLanes& shared = profile.sharedGroups;
    reader.numbers("shared_memory.lanes_per_group", std::array{&shared.of4, &shared.of8, &shared.of16}, 1,
                   32);

    for (u32 at = 0; at < kMostModes && reader.has(fmt::format("shared_memory.modes[{}]", at)); ++at) {
        const std::string path = fmt::format("shared_memory.modes[{}]", at);
        SharedMode& mode = profile.sharedModes.emplace_back();
        reader.text(path + ".name", mode.name);
        reader.text(path + ".width", mode.width);
        reader.rule(path + ".rule", mode.rule, kSharedRules);
    }

    reader.rule("global_memory.rule", profile.globalRule, kGlobalRules);
    GroupLanes& global = profile.globalGroups;
    reader.numbers("global_memory.lanes_per_request", std::array{&global.of4, &global.of8, &global.of16}, 1,
                   32);
    reader.flag("global_memory.l1_caches_loads", profile.l1CachesGlobalLoads);
    reader.flag("global_memory.cached_loads_fetch_lines", profile.cachedLoadsFetchLines);
}

void readLimits(Reader& reader, Profile& profile) {
    reader.number("limits.multiprocessors", profile.multiprocessors, 1, 65536);
    reader.number("limits.threads_per_sm", profile.threadsPerSm, 32, 65536);
    reader.number("limits.warps_per_sm", profile.warpsPerSm, 1, 2048);
    reader.number("limits.blocks_per_sm", profile.blocksPerSm, 1, 2048);
    reader.number("limits.threads_per_block", profile.threadsPerBlock, 32, 65536);
    reader.number("limits.shared_bytes_per_sm", profile.sharedBytesPerSm, 1024, kAnySize);
    reader.number("limits.shared_bytes_per_block", profile.sharedBytesPerBlock, 1024, kAnySize);
    reader.number("limits.shared_bytes_opt_in", profile.sharedBytesOptIn, 1024, kAnySize);
    reader.number("limits.registers_per_sm", profile.registersPerSm, 1024, kAnySize);
    reader.number("limits.registers_per_thread", profile.registersPerThread, 1, 1024);
    Dim3 &block = profile.largestBlock, &grid = profile.largestGrid;
    reader.numbers("limits.block", std::array{&block.x, &block.y, &block.z}, 1, 65536);
    reader.numbers("limits.grid", std::array{&grid.x, &grid.y, &grid.z}, 1, 2147483647);

    reader.number("allocation.shared_unit_bytes", profile.sharedAllocationUnit, 1, 65536);
    reader.number("allocation.shared_reserved_bytes", profile.sharedReservedPerBlock, 0, 65536);
    reader.number("allocation.register_unit", profile.registerAllocationUnit, 1, 65536);
    reader.flag("allocation.registers_per_warp", profile.registersPerWarp);
    reader.number("allocation.register_partitions", profile.registerPartitions, 1, 16);
}

constexpr u32 kMostKilobytes = 1u << 20, kMostGroups = 64;

// A profile may omit its caches.
void readCaches(Reader& reader, Profile& profile) {
    if (!reader.has("caches")) return;
    CacheFigures caches;
    const auto kilobytes = [&](std::string_view path, u64& into) {
        u32 value = 0;
        reader.number(path, value, 0, kMostKilobytes);
        into = u64{value} * 1024;
    };
    kilobytes("caches.l1_and_shared_kb", caches.unifiedBytes);
    for (u32 split : reader.list("caches.shared_splits_kb", 0, kMostKilobytes))
        caches.sharedSplits.push_back(u64{split} * 1024);
    kilobytes("caches.headroom_split_kb", caches.headroomBytes);
    kilobytes("caches.l1_unused_kb", caches.unusedBytes);
    kilobytes("caches.l2_kb", caches.l2Bytes);
    kilobytes("caches.l2_dirty_kb", caches.l2DirtyBytes);
    kilobytes("caches.l2_partial_alone_kb", caches.l2PartialAloneBytes);
    kilobytes("caches.l2_partial_kb", caches.l2PartialBytes);
    kilobytes("caches.l2_filled_kb", caches.l2FilledBytes);
    reader.number("caches.dram_sectors", caches.dramSectors, 1, 4);
    reader.number("caches.launch_sectors", caches.launchSectors, 0, 1u << 16);
    reader.number("caches.merged_requests", caches.mergedRequests, 1, 255);
    std::set<u32> dealt;
    for (u32 group = 0; group < kMostGroups && reader.has(fmt::format("caches.groups[{}]", group)); ++group) {
        const std::string path = fmt::format("caches.groups[{}]", group);
        SmGroup& sms = caches.groups.emplace_back();
        sms.sms = reader.list(path + ".sms", 0, profile.multiprocessors - 1);
        for (u32 sm : sms.sms)
            if (!dealt.insert(sm).second)
                reader.reject(
                    path + ".sms",
                    Message(english("lists SM {0} a second time; each belongs to one group, once"), sm));
        reader.number(path + ".cluster", sms.cluster, 0, kMostGroups);
        reader.number(path + ".turns", sms.turns, 1, 1000);
    }
    profile.caches = std::move(caches);
}

// A profile may omit its timing figures.
void readSpeed(Reader& reader, Profile& profile) {
    if (!reader.has("speed")) return;
    Speed& speed = profile.speed.emplace();
    reader.number("speed.clock_mhz", speed.clockMhz, 1, 100000);
    reader.number("speed.memory_mb_per_s", speed.memoryMBPerSecond, 1, kAnySize);
    reader.number("speed.fp32_lanes", speed.fp32Lanes, 1, 4096);
    reader.number("speed.fp64_lanes", speed.fp64Lanes, 0, 4096);
    reader.number("speed.issue_lanes", speed.issueLanes, 1, 4096);
    constexpr std::string_view kL2 = "speed.l2_read_mb_per_s";
    if (reader.has(kL2)) reader.number(kL2, speed.l2ReadMBPerSecond.emplace(), 1, kAnySize);
    constexpr std::string_view kLaunch = "speed.launch_clocks";
    if (reader.has(kLaunch)) reader.number(kLaunch, speed.launchClocks.emplace(), 1, 1'000'000);
}

// "cc90" in assets/profiles/cc90.toml; the last digit is the minor number.
std::string_view deviceOf(const ProfileText& file) {
    const std::size_t begin = file.file.rfind('/') + 1;
    return file.file.substr(begin, file.file.rfind('.') - begin);
}
u32 capabilityIn(std::string_view device) {
    u32 number = 0;
    std::from_chars(device.data() + 2, device.data() + device.size(), number);
    return number;
}

// The device of one file, and its modes.
std::vector<Profile> parseBuiltIn(const ProfileText& file) {
    Expected<Profile> profile = parseProfile(file.text, std::string(file.file));
    CHECK(profile, "the profiles that are built in were tested");
    std::vector<Profile> profiles;
    for (const SharedMode& mode : profile->sharedModes) {
        Profile& made = profiles.emplace_back(*profile);
        made.name = mode.name;
        made.mode = mode.width;
        made.sharedRule = mode.rule;
    }
    profiles.push_back(*std::move(profile));
    return profiles;
}

std::vector<Profile> parseBuiltInProfiles() {
    std::vector<Profile> profiles;
    for (const ProfileText& file : builtInProfiles())
        std::ranges::move(parseBuiltIn(file), std::back_inserter(profiles));
    std::ranges::sort(profiles, {}, [](const Profile& p) {
        return std::tuple(p.major, p.minor, std::string_view(p.name));
    });
    CHECK(!profiles.empty(), "there is a file in assets/profiles");
    return profiles;
}

}  // namespace

Expected<Profile> parseProfile(std::string_view text, const std::string& file) {
    const Expected<std::string> plain = plainText(text, file);
    if (!plain) return Unexpected{plain.error()};
    const toml::parse_result parsed = toml::parse(*plain, file);
    if (!parsed) {
        const toml::parse_error& error = parsed.error();
        return fail(FaultKind::Syntax,
                    Message(english("this is no valid TOML: {0}"), std::string(error.description())),
                    {.file = file, .line = error.source().begin.line, .column = error.source().begin.column});
    }
    Profile profile;
    Reader reader(parsed.table(), file);
    reader.text("name", profile.name);
    reader.text("card", profile.card);
    std::vector<std::string> cards;  // card_names.h has them
    reader.optionalTexts("cards", cards);
    reader.numbers("compute_capability", std::array{&profile.major, &profile.minor}, 0, 99);
    reader.flag("measured", profile.measured);
    readRules(reader, profile);
    readLimits(reader, profile);
    readCaches(reader, profile);
    readSpeed(reader, profile);
    reader.leave("time");  // engine/time has the cycle model's figures
    if (std::optional<Fault> fault = reader.fault()) return Unexpected{*std::move(fault)};
    return profile;
}

Expected<Profile> readProfile(const std::filesystem::path& file) {
    constexpr u64 kMostBytes = u64{1} << 20;
    const Expected<std::string> text = readTextFile(
        file, english("give the name of a profile, a .toml file like those in assets/profiles"), kMostBytes);
    if (!text) return Unexpected{text.error()};
    return parseProfile(*text, file.string());
}

std::span<const Profile> profiles() {
    static const std::vector<Profile> all = parseBuiltInProfiles();
    return all;
}

// Most runs want one: only its own file is read. A mode is named after its device: "cc35-8byte".
const Profile* findProfile(std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string_view, std::vector<Profile>> read;  // by device
    const std::string_view device = name.substr(0, name.find('-'));
    const auto file = std::ranges::find(builtInProfiles(), device, deviceOf);
    if (file == builtInProfiles().end()) return nullptr;
    const std::scoped_lock lock(mutex);
    std::vector<Profile>& profiles = read[deviceOf(*file)];
    if (profiles.empty()) profiles = parseBuiltIn(*file);
    const auto found = std::ranges::find(profiles, name, &Profile::name);
    return found == profiles.end() ? nullptr : &*found;
}

const Profile& defaultProfile() {
    const Profile* profile = findProfile("cc90");
    CHECK(profile, "assets/profiles has cc90");
    return *profile;
}

std::string capabilityOf(const Profile& profile) {
    return fmt::format("{}.{}{}", profile.major, profile.minor,
                       profile.mode.empty() ? "" : " (" + profile.mode + ")");
}

const Profile& nearestProfile(u32 major, u32 minor) {
    std::string_view nearest = "cc10";
    for (const ProfileText& file : builtInProfiles())
        if (const u32 capability = capabilityIn(deviceOf(file));
            capability <= 10 * major + minor && capability > capabilityIn(nearest))
            nearest = deviceOf(file);
    const Profile* profile = findProfile(nearest);
    CHECK(profile, "each file has the profile of its name");
    return *profile;
}

}  // namespace lockstep::model
