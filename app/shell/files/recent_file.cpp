#include "app/shell/files/recent_file.h"

#include "app/shell/files/replace_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace lockstep::shell {
namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargest = 1 << 18;
constexpr std::size_t kMost = 100, kLongest = 4096;

std::optional<std::string> textAt(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string()) return std::nullopt;
    const auto& text = found->get_ref<const std::string&>();
    return text.size() <= kLongest ? std::optional(text) : std::nullopt;
}

std::vector<std::string> textsIn(const json& object, const char* key) {
    std::vector<std::string> texts;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return texts;
    for (const json& text : *found)
        if (text.is_string() && texts.size() < kMost && text.get_ref<const std::string&>().size() <= kLongest)
            texts.push_back(text.get<std::string>());
    return texts;
}

std::optional<app::Choice> experimentOf(const json& entry) {
    if (!entry.is_object()) return std::nullopt;
    if (const auto file = textAt(entry, "file")) {
        app::OwnKernel own;
        own.file = *file;
        own.entry = textAt(entry, "entry").value_or("");
        own.grid = textAt(entry, "grid").value_or(own.grid);
        own.block = textAt(entry, "block").value_or(own.block);
        own.shared = textAt(entry, "shared").value_or(own.shared);
        own.arguments = textsIn(entry, "arguments");
        own.defines = textsIn(entry, "defines");
        own.references = textsIn(entry, "references");
        own.further = textsIn(entry, "further");
        return app::Choice{.family = {}, .variant = {}, .values = {}, .own = std::move(own)};
    }
    const auto family = textAt(entry, "family"), variant = textAt(entry, "variant");
    const auto values = entry.find("values");
    if (!family || !variant || values == entry.end() || !values->is_object() || values->size() > kMost)
        return std::nullopt;
    app::Choice choice{.family = *family, .variant = *variant, .values = {}};
    for (const auto& [name, value] : values->items()) {
        if (!value.is_number_integer()) return std::nullopt;
        choice.values[name] = value.get<s64>();
    }
    return choice;
}

// {"launch": 0, "block": [1, 0, 0], "warp": 0, "lane": 3, "step": 41}
std::optional<viz::Cursor> placeOf(const json& root) {
    const auto place = root.find("place");
    if (place == root.end() || !place->is_object()) return std::nullopt;
    const auto numberAt = [&](const char* key) {
        const auto found = place->find(key);
        return found != place->end() && found->is_number_unsigned() ? found->get<u32>() : 0;
    };
    viz::Cursor cursor{.launch = LaunchId{numberAt("launch")},
                       .warp = Warp{numberAt("warp")},
                       .lane = Lane{numberAt("lane") % 32},
                       .step = numberAt("step")};
    if (const auto block = place->find("block");
        block != place->end() && block->is_array() && block->size() == 3 &&
        std::ranges::all_of(*block, [](const json& extent) { return extent.is_number_unsigned(); }))
        cursor.block = {(*block)[0].get<u32>(), (*block)[1].get<u32>(), (*block)[2].get<u32>()};
    return cursor;
}

json jsonOf(const viz::Cursor& cursor) {
    return {{"launch", cursor.launch.value},
            {"block", {cursor.block.x, cursor.block.y, cursor.block.z}},
            {"warp", cursor.warp.value},
            {"lane", cursor.lane.value},
            {"step", cursor.step}};
}

json jsonOf(const app::Choice& choice) {
    if (!choice.own)
        return {{"family", choice.family}, {"variant", choice.variant}, {"values", json(choice.values)}};
    const app::OwnKernel& own = *choice.own;
    return {{"file", own.file},       {"entry", own.entry},           {"grid", own.grid},
            {"block", own.block},     {"shared", own.shared},         {"arguments", own.arguments},
            {"defines", own.defines}, {"references", own.references}, {"further", own.further}};
}

}  // namespace

Recent readRecent(const std::filesystem::path& file) {
    Recent recent;
    std::error_code error;
    if (file.empty() || !std::filesystem::is_regular_file(file, error) ||
        std::filesystem::file_size(file, error) > kLargest || error)
        return recent;
    std::ifstream in(file, std::ios::binary);
    std::string text(kLargest + 1, '\0');
    in.read(text.data(), std::streamsize(text.size()));  // a stream's own reading throws nothing
    if (in.bad() || in.gcount() > std::streamsize(kLargest)) return recent;
    text.resize(std::size_t(in.gcount()));
    const json root = json::parse(text, nullptr, false);
    if (!root.is_object()) return recent;
    if (const auto experiments = root.find("experiments");
        experiments != root.end() && experiments->is_array())
        for (const json& entry : *experiments)
            if (auto choice = experimentOf(entry); choice && recent.experiments.size() < kMost)
                recent.experiments.push_back(std::move(*choice));
    recent.commands = textsIn(root, "commands");
    const auto byProgram = [&](const char* key, std::map<std::string, std::string>& texts) {
        const auto programs = root.find(key);
        if (programs == root.end() || !programs->is_object()) return;
        for (const auto& [path, ignored] : programs->items())
            if (texts.size() < kMost && path.size() <= kLongest)
                if (auto text = textAt(*programs, path.c_str())) texts.emplace(path, std::move(*text));
    };
    byProgram("program_arguments", recent.programArguments);
    byProgram("program_compile", recent.programCompile);
    recent.place = placeOf(root);
    return recent;
}

bool writeRecent(const std::filesystem::path& file, const Recent& recent) {
    json experiments = json::array();
    for (const app::Choice& choice : recent.experiments)
        experiments.push_back(jsonOf(choice));
    json root{{"experiments", std::move(experiments)},
              {"commands", recent.commands},
              {"program_arguments", json(recent.programArguments)},
              {"program_compile", json(recent.programCompile)}};
    if (recent.place) root["place"] = jsonOf(*recent.place);
    // Paths need not be UTF-8; invalid bytes are replaced, and the file is then no longer found.
    return replaceFile(file, root.dump(1, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace lockstep::shell
