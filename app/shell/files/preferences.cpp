#include "app/shell/files/preferences.h"

#include "app/shell/files/replace_file.h"
#include "app/state/update.h"
#include "model/profiles/profile.h"
#include "viz/scene/theme.h"
#include "viz/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string_view>

namespace lockstep::shell {
namespace {

constexpr std::size_t kLongestLine = 1024, kMostLines = 100;

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == std::string_view::npos ? std::string_view()
                                           : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

void readTheme(std::string_view text, Preferences& into) {
    if (const viz::Theme* theme = viz::findTheme(text)) into.theme = theme->name;
}

void readLanguage(std::string_view text, Preferences& into) {
    if (const std::optional<Language> language = languageOf(text); language && rowOf(*language).isComplete)
        into.language = language;
}

void readSize(std::string_view text, Preferences& into) {
    constexpr u32 kSmallest = 320, kLargest = 8192;
    u32 width = 0, height = 0;
    const char* end = text.data() + text.size();
    const auto [x, first] = std::from_chars(text.data(), end, width);
    if (first != std::errc{} || x == end || *x != 'x') return;
    const auto [rest, second] = std::from_chars(x + 1, end, height);
    if (second != std::errc{} || rest != end) return;
    if (std::min(width, height) >= kSmallest && std::max(width, height) <= kLargest)
        into.size = viz::Size{f32(width), f32(height)};
}

void readDevices(std::string_view text, Preferences& into) {
    into.devices.clear();
    while (!text.empty() && into.devices.size() < viz::kMostDevices) {
        const std::string_view name = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), name.size() + 1));
        if (const model::Profile* profile = model::findProfile(name)) into.devices.push_back(profile->name);
    }
}

void readBackend(std::string_view text, Preferences& into) {
    for (const char* known : {"auto", "emulator", "gpu"})
        if (text == known) into.backend = known;
}

void readDevice(std::string_view text, Preferences& into) {
    constexpr u32 kMost = 64;
    u32 device = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), device);
    if (error == std::errc{} && end == text.data() + text.size() && device < kMost) into.device = device;
}

void readTask(std::string_view text, Preferences& into) {
    if (app::isTask(text)) into.task = text;
}

// "explore sectors, measure times"
void readEnlarged(std::string_view text, Preferences& into) {
    into.enlarged.clear();
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view pair = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
        const std::size_t blank = std::min(pair.find(' '), pair.size());
        const std::string_view task = pair.substr(0, blank), view = trimmed(pair.substr(blank));
        if (app::isTask(task) && app::mayBeEnlarged(view)) into.enlarged[std::string(task)] = view;
    }
}

void readTerms(std::string_view text, Preferences& into) {
    if (text == "underlined" || text == "plain") into.underlineTerms = text == "underlined";
}

void readZoom(std::string_view text, Preferences& into) {
    u32 percent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    const f32 zoom = f32(percent) / 100;
    if (error == std::errc{} && std::ranges::find(app::kZooms, zoom) != app::kZooms.end()) into.zoom = zoom;
}

void readExportFolder(std::string_view text, Preferences& into) {
    std::error_code error;
    if (std::filesystem::is_directory(text, error)) into.exportFolder = text;
}

void readHint(std::string_view text, Preferences& into) { into.knowsHowToBegin = text == "taken"; }

struct Row {
    std::string_view name;
    void (*read)(std::string_view, Preferences&);
};
constexpr std::array kRows{
    Row{"theme", readTheme},     Row{"language", readLanguage}, Row{"size", readSize},
    Row{"devices", readDevices}, Row{"backend", readBackend},   Row{"device", readDevice},
    Row{"task", readTask},       Row{"enlarged", readEnlarged}, Row{"terms", readTerms},
    Row{"hint", readHint},       Row{"zoom", readZoom},         Row{"exports", readExportFolder}};

std::string textOf(const Preferences& preferences) {
    std::string text;
    if (preferences.theme) text += fmt::format("theme = {}\n", *preferences.theme);
    if (preferences.language) text += fmt::format("language = {}\n", rowOf(*preferences.language).code);
    if (preferences.size)
        text += fmt::format("size = {:.0f}x{:.0f}\n", preferences.size->width, preferences.size->height);
    std::string devices;
    for (const std::string& name : preferences.devices)
        devices += (devices.empty() ? "" : ",") + name;
    if (!devices.empty()) text += fmt::format("devices = {}\n", devices);
    if (preferences.backend) text += fmt::format("backend = {}\n", *preferences.backend);
    if (preferences.device) text += fmt::format("device = {}\n", *preferences.device);
    if (preferences.task) text += fmt::format("task = {}\n", *preferences.task);
    std::string enlarged;
    for (const auto& [task, view] : preferences.enlarged)
        enlarged += fmt::format("{}{} {}", enlarged.empty() ? "" : ", ", task, view);
    if (!enlarged.empty()) text += fmt::format("enlarged = {}\n", enlarged);
    if (preferences.underlineTerms)
        text += fmt::format("terms = {}\n", *preferences.underlineTerms ? "underlined" : "plain");
    if (preferences.zoom) text += fmt::format("zoom = {:.0f}\n", 100 * *preferences.zoom);
    if (!preferences.exportFolder.empty() && preferences.exportFolder.size() + 20 < kLongestLine &&
        preferences.exportFolder.find('\n') == std::string::npos)
        text += fmt::format("exports = {}\n", preferences.exportFolder);
    if (preferences.knowsHowToBegin) text += "hint = taken\n";
    return text;
}

}  // namespace

Preferences readPreferences(const std::filesystem::path& file) {
    Preferences preferences;
    std::error_code error;
    if (file.empty() || !std::filesystem::is_regular_file(file, error)) return preferences;
    std::ifstream in(file, std::ios::binary);
    std::array<char, kLongestLine> buffer{};
    // A longer line ends the reading: it is not ours.
    for (std::size_t lines = 0; lines < kMostLines && in.getline(buffer.data(), buffer.size()); ++lines) {
        const std::string_view line = buffer.data();
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos) continue;
        for (const Row& row : kRows)
            if (trimmed(line.substr(0, equals)) == row.name)
                row.read(trimmed(line.substr(equals + 1)), preferences);
    }
    return preferences;
}

bool Preferences::operator==(const Preferences& other) const { return textOf(*this) == textOf(other); }

Preferences withChanges(Preferences kept, const Preferences& before, const Preferences& now) {
    if (now.theme != before.theme) kept.theme = now.theme;
    if (now.language != before.language) kept.language = now.language;
    if (now.task != before.task) kept.task = now.task;
    if (now.enlarged != before.enlarged) kept.enlarged = now.enlarged;
    if (now.devices != before.devices) kept.devices = now.devices;
    if (now.backend != before.backend || now.device != before.device)
        kept.backend = now.backend, kept.device = now.device;
    if (now.underlineTerms != before.underlineTerms) kept.underlineTerms = now.underlineTerms;
    if (now.size &&
        (!before.size || now.size->width != before.size->width || now.size->height != before.size->height))
        kept.size = now.size;
    if (now.zoom != before.zoom) kept.zoom = now.zoom;
    if (now.exportFolder != before.exportFolder) kept.exportFolder = now.exportFolder;
    if (now.knowsHowToBegin && !before.knowsHowToBegin) kept.knowsHowToBegin = true;
    return kept;
}

bool writePreferences(const std::filesystem::path& file, const Preferences& preferences) {
    return replaceFile(file, textOf(preferences));
}

}  // namespace lockstep::shell
