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
#include <memory>
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

// "unsaved-1234.json"; none: another file.
std::optional<pid_t> processOf(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(kStem) || !name.ends_with(kExtension)) return std::nullopt;
    pid_t process = 0;
    const char *begin = name.data() + kStem.size(), *end = name.data() + name.size() - kExtension.size();
    const auto [last, error] = std::from_chars(begin, end, process);
    return error == std::errc{} && last == end && process > 0 ? std::optional(process) : std::nullopt;
}

bool isGone(pid_t process) { return process == getpid() || (kill(process, 0) != 0 && errno == ESRCH); }

bool isSame(const app::EditedText& a, const app::EditedText& b) {
    return a.file == b.file && a.text == b.text && a.saved == b.saved;
}

}  // namespace

UnsavedFile::UnsavedFile(const std::filesystem::path& beside) {
    if (!beside.empty()) file_ = beside.parent_path() / fmt::format("{}{}{}", kStem, getpid(), kExtension);
}

std::vector<app::EditedText> UnsavedFile::left() {
    std::vector<app::EditedText> texts;
    std::error_code error;
    if (file_.empty()) return texts;
    for (const auto& entry : std::filesystem::directory_iterator(file_.parent_path(), error)) {
        const std::optional<pid_t> process = processOf(entry.path());
        if (!process || !isGone(*process)) continue;
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
