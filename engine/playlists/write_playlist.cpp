#include "playlists/write_playlist.h"

#include <fmt/format.h>

namespace lockstep::playlists {
namespace {

// As TOML's basic strings have it.
std::string tomlText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text)
        if (c == '"' || c == '\\')
            (out += '\\') += c;
        else if (u8(c) < 0x20)
            out += ' ';
        else
            out += c;
    return out + "\"";
}

bool isWhole(std::string_view value) {
    return !value.empty() && value.size() < 18 &&
           value.find_first_not_of("0123456789") == std::string_view::npos &&
           (value.size() == 1 || value[0] != '0');
}

std::string idFor(std::string_view text, std::string_view kernel) {
    std::string base;
    // Of a file, the name: an id has small letters, digits and hyphens.
    if (kernel.ends_with(".cu") || kernel.ends_with(".ptx"))
        kernel = kernel.substr(0, kernel.rfind('.')), kernel.remove_prefix(kernel.rfind('/') + 1);
    for (const char c : kernel) {
        const bool isUpper = c >= 'A' && c <= 'Z', isPlain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        base += isUpper ? char(c - 'A' + 'a') : isPlain ? c : '-';
    }
    for (u32 number = 1;; ++number) {
        std::string id = number == 1 ? base : fmt::format("{}-{}", base, number);
        if (text.find("id = " + tomlText(id)) == std::string_view::npos) return id;
    }
}

std::string tomlTexts(const std::vector<std::string>& texts) {
    std::string out;
    for (const std::string& text : texts)
        out += (out.empty() ? "" : ", ") + tomlText(text);
    return "[" + out + "]";
}

std::string launchOf(const lessons::FileLaunch& own) {
    std::string out;
    const auto add = [&](std::string_view key, const std::string& value) {
        out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", key, value);
    };
    if (!own.entry.empty()) add("entry", tomlText(own.entry));
    if (!own.grid.empty()) add("grid", tomlText(own.grid));
    if (!own.block.empty()) add("block", tomlText(own.block));
    if (own.sharedBytes.value_or(0) > 0) add("shared", std::to_string(*own.sharedBytes));
    if (!own.arguments.empty()) add("arguments", tomlTexts(own.arguments));
    if (!own.references.empty()) add("references", tomlTexts(own.references));
    return out.empty() ? std::string() : fmt::format("launch = {{ {} }}\n", out);
}

std::string headerOf(const NewEntry& entry, const std::string& id) {
    const lessons::Place &place = entry.place, plain;
    std::string out = fmt::format("id = {}\nminutes = {}\n", tomlText(id), entry.minutes);
    if (!entry.question.empty()) out += fmt::format("question = {}\n", tomlText(entry.question));
    out += fmt::format("kernel = {}\n", tomlText(place.kernel));
    if (!entry.with.empty()) out += fmt::format("with = {}\n", tomlText(entry.with));
    std::string settings;
    for (const auto& [name, value] : place.settings)
        settings += fmt::format("{}{} = {}", settings.empty() ? "" : ", ", name,
                                isWhole(value) ? value : tomlText(value));
    if (!settings.empty()) out += fmt::format("set = {{ {} }}\n", settings);
    if (place.own) out += launchOf(*place.own);
    if (place.profile != plain.profile) out += fmt::format("profile = {}\n", tomlText(place.profile));
    out += fmt::format("view = {}\n", tomlText(place.view));
    if (place.launch > 0) out += fmt::format("launch_number = {}\n", place.launch);
    out += fmt::format("block = [{}, {}, {}]\nwarp = {}\n", place.block.x, place.block.y, place.block.z,
                       place.warp);
    if (place.lane) out += fmt::format("lane = {}\n", *place.lane);
    if (place.step) out += fmt::format("step = {}\n", *place.step);
    return out;
}

}  // namespace

std::string newPlaylistText(std::string_view title) { return fmt::format("# {}\n", title); }

std::string withEntry(std::string_view text, const NewEntry& entry) {
    std::string out(text);
    while (!out.empty() && (out.back() == '\n' || out.back() == ' ' || out.back() == '\r'))
        out.pop_back();
    return out + fmt::format("\n\n+++\n{}+++\n\n## {}\n", headerOf(entry, idFor(text, entry.place.kernel)),
                             entry.title);
}

}  // namespace lockstep::playlists
