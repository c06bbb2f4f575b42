#include "app/shell/files/unsaved_file.h"

#include "app/shell/files/replace_file.h"
#include "base/files/text_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

namespace lockstep::shell {
namespace {

using nlohmann::json;

constexpr std::string_view kStem = "unsaved-", kExtension = ".json";

app::SharedText textAt(const json& entry, const char* key) {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string()
               ? std::make_shared<const std::string>(found->get<std::string>())
               : nullptr;
}

// Numbers of processes are given again: with its start, in ticks of the kernel, it is one process for
// certain.
struct Owner {
    pid_t process = 0;
    u64 start = 0;  // 0: not known
};

// "unsaved-1234-567.json", without the start where that is not known; none: another file.
std::optional<Owner> ownerOf(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(kStem) || !name.ends_with(kExtension)) return std::nullopt;
    Owner owner;
    const char *begin = name.data() + kStem.size(), *end = name.data() + name.size() - kExtension.size();
    std::from_chars_result read = std::from_chars(begin, end, owner.process);
    if (read.ec != std::errc{} || owner.process <= 0) return std::nullopt;
    if (read.ptr != end && *read.ptr == '-') read = std::from_chars(read.ptr + 1, end, owner.start);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(owner) : std::nullopt;
}

struct ProcessState {
    char letter = 0;  // 'Z': it has ended, and its parent has not asked how
    u64 start = 0;
};

// As Linux tells it; none: it runs no such process, or this is another system.
std::optional<ProcessState> stateOf(pid_t process) {
    constexpr int kStart = 22, kLetter = 3;  // counted as in proc(5), "/proc/pid/stat"
    std::ifstream in(fmt::format("/proc/{}/stat", process));
    std::string line;
    if (!std::getline(in, line)) return std::nullopt;
    const std::size_t name = line.rfind(')');  // it may have blanks in it
    if (name == std::string::npos) return std::nullopt;
    std::istringstream rest(line.substr(name + 1));
    ProcessState state;
    rest >> state.letter;
    std::string skipped;
    for (int field = kLetter + 1; field < kStart; ++field)
        rest >> skipped;
    return rest >> state.start ? std::optional(state) : std::nullopt;
}

bool isGone(const Owner& owner) {
    if (owner.process == getpid()) return true;
    if (const std::optional<ProcessState> state = stateOf(owner.process))
        return state->letter == 'Z' || state->letter == 'X' || (owner.start && owner.start != state->start);
    return kill(owner.process, 0) != 0 && errno == ESRCH;
}

std::string ownName() {
    const std::optional<ProcessState> state = stateOf(getpid());
    return state ? fmt::format("{}{}-{}{}", kStem, getpid(), state->start, kExtension)
                 : fmt::format("{}{}{}", kStem, getpid(), kExtension);
}

bool isSame(const app::EditedText& a, const app::EditedText& b) {
    return a.file == b.file && a.text == b.text && a.saved == b.saved;
}

}  // namespace

UnsavedFile::UnsavedFile(const std::filesystem::path& beside) {
    if (!beside.empty()) file_ = beside.parent_path() / ownName();
}

std::vector<app::EditedText> UnsavedFile::left() {
    std::vector<app::EditedText> texts;
    std::error_code error;
    if (file_.empty()) return texts;
    for (const auto& entry : std::filesystem::directory_iterator(file_.parent_path(), error)) {
        const std::optional<Owner> owner = ownerOf(entry.path());
        if (!owner || !isGone(*owner)) continue;
        const Expected<std::string> read = readTextFile(entry.path(), {});
        const json root = read ? json::parse(*read, nullptr, false) : json();
        if (!root.is_array()) continue;
        for (const json& one : root) {
            if (!one.is_object()) continue;
            const app::SharedText file = textAt(one, "file"), text = textAt(one, "text");
            if (!file || !text || file->empty()) continue;
            const auto endsInTwo = one.find("ends_lines_in_two");
            texts.push_back({.file = *file,
                             .text = text,
                             .saved = textAt(one, "saved"),
                             .endsLinesInTwo = endsInTwo != one.end() && endsInTwo->is_boolean() &&
                                               endsInTwo->get<bool>()});
        }
        taken_.push_back(entry.path());
    }
    return texts;
}

void UnsavedFile::keep(const std::vector<app::EditedText>& texts) {
    if (file_.empty()) return;
    std::vector<app::EditedText> unsaved;
    std::ranges::copy_if(texts, std::back_inserter(unsaved), &app::EditedText::isUnsaved);
    std::error_code ignored;
    if (!std::ranges::equal(unsaved, kept_, isSame)) {
        json root = json::array();
        for (const app::EditedText& text : unsaved) {
            json entry{{"file", text.file}, {"text", *text.text}, {"ends_lines_in_two", text.endsLinesInTwo}};
            if (text.saved) entry["saved"] = *text.saved;
            root.push_back(std::move(entry));
        }
        if (unsaved.empty())
            std::filesystem::remove(file_, ignored);
        else if (!replaceFile(file_, root.dump(1, ' ', false, json::error_handler_t::replace) + "\n"))
            return;
        kept_ = std::move(unsaved);
    }
    for (const std::filesystem::path& file : taken_)
        if (file != file_) std::filesystem::remove(file, ignored);
    taken_.clear();
}

}  // namespace lockstep::shell
