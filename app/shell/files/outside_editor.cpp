#include "app/shell/files/outside_editor.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <spawn.h>
#include <sstream>
#include <thread>

namespace lockstep::shell {
namespace {

// How editors with windows are told a line, as their manuals say.
enum class Place : u8 {
    GotoColon,   // -g FILE:LINE
    Colon,       // FILE:LINE
    Plus,        // +LINE FILE
    LetterL,     // -l LINE FILE
    LongLine,    // --line LINE FILE
    NowaitPlus,  // -n +LINE FILE
};
struct Known {
    std::string_view program;
    Place place;
};
constexpr std::array kKnown{Known{"code", Place::GotoColon},
                            Known{"code-insiders", Place::GotoColon},
                            Known{"codium", Place::GotoColon},
                            Known{"vscodium", Place::GotoColon},
                            Known{"cursor", Place::GotoColon},
                            Known{"subl", Place::Colon},
                            Known{"sublime_text", Place::Colon},
                            Known{"zed", Place::Colon},
                            Known{"zeditor", Place::Colon},
                            Known{"qtcreator", Place::Colon},
                            Known{"gedit", Place::Plus},
                            Known{"gnome-text-editor", Place::Plus},
                            Known{"pluma", Place::Plus},
                            Known{"xed", Place::Plus},
                            Known{"gvim", Place::Plus},
                            Known{"emacs", Place::Plus},
                            Known{"emacsclient", Place::NowaitPlus},
                            Known{"kate", Place::LetterL},
                            Known{"kwrite", Place::LetterL},
                            Known{"geany", Place::LetterL},
                            Known{"mousepad", Place::LongLine},
                            Known{"clion", Place::LongLine},
                            Known{"idea", Place::LongLine}};
constexpr std::array<std::string_view, 14> kOfTerminal{
    "vi", "vim", "nvim", "nano", "pico", "micro", "hx", "joe", "helix", "ne", "kak", "ed", "mcedit", "mg"};

struct Set {
    std::vector<std::string> words;
    std::string program;  // without its folder

    bool isOfTerminal() const {
        if (std::ranges::find(kOfTerminal, program) != kOfTerminal.end()) return true;
        if (!program.starts_with("emacs")) return false;
        return std::ranges::any_of(
            words, [](const std::string& word) { return word == "-nw" || word == "-t" || word == "-tty"; });
    }
};

std::optional<Set> split(std::string_view value) {
    std::istringstream in{std::string(value)};
    Set set;
    for (std::string word; in >> word;)
        set.words.push_back(word);
    if (set.words.empty()) return std::nullopt;
    set.program = std::filesystem::path(set.words.front()).filename().string();
    return set;
}

void tell(std::vector<std::string>& command, Place place, const std::string& file, u32 line) {
    const std::string number = std::to_string(line);
    switch (place) {
        case Place::GotoColon: command.insert(command.end(), {"-g", file + ":" + number}); break;
        case Place::Colon: command.push_back(file + ":" + number); break;
        case Place::Plus: command.insert(command.end(), {"+" + number, file}); break;
        case Place::LetterL: command.insert(command.end(), {"-l", number, file}); break;
        case Place::LongLine: command.insert(command.end(), {"--line", number, file}); break;
        case Place::NowaitPlus: command.insert(command.end(), {"-n", "+" + number, file}); break;
    }
}

}  // namespace

OutsideEditor outsideEditor(std::string_view visual, std::string_view editor, const std::string& file,
                            u32 line) {
    OutsideEditor out;
    for (const std::string_view value : {visual, editor}) {
        std::optional<Set> set = split(value);
        if (!set) continue;
        const bool isFirst = out.name.empty();
        if (isFirst) out.name = set->program, out.isOfTerminal = set->isOfTerminal();
        const auto known = std::ranges::find(kKnown, set->program, &Known::program);
        if (set->isOfTerminal() || known == kKnown.end()) continue;
        out.name = set->program, out.isOfTerminal = false;
        out.command = std::move(set->words);
        tell(out.command, known->place, file, std::max(line, 1u));
        return out;
    }
    return out;
}

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value ? value : std::string();
}

bool start(const std::vector<std::string>& command) {
    std::vector<std::string> words = command;
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    if (posix_spawnp(&child, pointers.front(), nullptr, nullptr, pointers.data(), environ) != 0) return false;
    // It may run for hours: its exit status is collected in the background.
    std::thread([child] {
        int status = 0;
        (void)waitpid(child, &status, 0);
    }).detach();
    return true;
}

}  // namespace lockstep::shell
