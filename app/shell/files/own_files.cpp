#include "app/shell/files/own_files.h"

#include "app/panels/words.h"
#include "app/state/own_launch.h"
#include "app/state/program_update.h"
#include "base/files/text_file.h"
#include "run/own/own_kernel.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <portable_file_dialogs.h>
#include <spawn.h>

namespace lockstep::shell {

namespace {

// The first launch that is fully known, else the first.
const run::ProposedLaunch* launchToPropose(const app::OwnKernelDialog& dialog, const app::FoundKernel*& of) {
    const run::ProposedLaunch* first = nullptr;
    for (const app::FoundKernel& found : dialog.found)
        for (const run::ProposedLaunch& launch : found.launches) {
            if (launch.isWhole()) return of = &found, &launch;
            if (!first) of = &found, first = &launch;
        }
    return first;
}

}  // namespace

app::Action kernelsFor(const app::OwnKernel& before, const app::SharedText& text,
                       const std::stop_token& stop) {
    const auto contents =
        text ? run::contentsOfText(before.file, *text, before.defines, before.entry, {}, stop)
             : run::contentsOf(before.file, before.defines, before.entry, {}, stop);
    if (!contents) return app::CouldNot{contents.error()};
    app::OwnKernelDialog dialog{.kernel = before, .found = {}, .notes = contents->notes};
    for (const run::KernelInFile& kernel : contents->kernels)
        dialog.found.push_back(
            {kernel.entry, kernel.signature, kernel.arguments, kernel.names, kernel.body, kernel.launches});
    if (before.entry.empty() && before.arguments.empty()) {  // never launched
        const app::FoundKernel* found = nullptr;
        if (const run::ProposedLaunch* launch = launchToPropose(dialog, found)) {
            app::propose(dialog.kernel, *found, *launch);
            return app::KernelsFound{std::move(dialog)};
        }
        dialog.kernel.block = std::to_string(run::kProposedBlock);
        dialog.kernel.grid = std::to_string(run::kProposedElements / run::kProposedBlock);
    }
    // As last time, if the kernel still exists with the same number of arguments.
    if (dialog.found.empty())
        return app::KernelsFound{std::move(dialog)};  // templates only: the user names an instance
    const auto same = std::ranges::find(dialog.found, before.entry, &app::FoundKernel::entry);
    const app::FoundKernel& found = same == dialog.found.end() ? dialog.found.front() : *same;
    dialog.kernel.entry = found.entry;
    if (same == dialog.found.end() || before.arguments.size() != found.arguments.size())
        dialog.kernel.arguments = found.arguments;
    return app::KernelsFound{std::move(dialog)};
}

bool isProgram(const std::string& file, const app::SharedText& given) {
    if (!file.ends_with(".cu")) return false;
    if (given) return app::hasMain(*given);
    const Expected<std::string> text = readTextFile(file, {});
    return text && app::hasMain(*text);
}

std::string newFile(const std::string& folder, const std::string& name, const std::string& extension) {
    std::error_code ignored;
    const std::filesystem::path place =
        folder.empty() ? std::filesystem::current_path(ignored) : std::filesystem::absolute(folder, ignored);
    std::filesystem::path file = place / (name + extension);
    for (int number = 2; std::filesystem::exists(file, ignored); ++number)
        file = place / fmt::format("{}-{}{}", name, number, extension);
    return file.string();
}

bool hasFileDialog() {
    pfd::settings::rescan();  // one may have been installed meanwhile
    pfd::settings::verbose(false);
    return pfd::settings::available();
}

namespace {

// False if a stop was requested first.
template <class Dialog> bool isAnswered(Dialog& dialog, const std::stop_token& stop) {
    constexpr int kOftenMs = 50;
    while (!dialog.ready(kOftenMs))
        if (stop.stop_requested()) return dialog.kill(), false;
    return true;
}

}  // namespace

std::optional<std::string> askForFile(Language language, const std::stop_token& stop) {
    pfd::open_file dialog(std::string(app::words::kOpenTitle.in(language)), "",
                          {std::string(app::words::kOpenKinds.in(language)), "*.cu *.ptx *.lks"});
    if (!isAnswered(dialog, stop)) return std::nullopt;
    const std::vector<std::string> chosen = dialog.result();
    return chosen.empty() ? std::nullopt : std::optional(chosen.front());
}

std::optional<std::string> askWhereToSave(Language language, const app::ExportSettings& settings,
                                          const std::stop_token& stop) {
    std::vector<std::string> kinds;
    for (const app::ExportFormatRow& row : app::kExportFormats) {
        const bool isFirst = row.format == settings.format;
        const std::array kind{std::string(row.name), "*" + std::string(row.extension)};
        kinds.insert(isFirst ? kinds.begin() : kinds.end(), kind.begin(), kind.end());
    }
    std::error_code ignored;
    pfd::save_file dialog(std::string(app::words::kSaveTitle.in(language)),
                          std::filesystem::absolute(settings.file, ignored).string(), kinds);
    if (!isAnswered(dialog, stop)) return std::nullopt;
    const std::string chosen = dialog.result();
    return chosen.empty() ? std::nullopt : std::optional(chosen);
}

bool openInDesktop(const std::filesystem::path& file) {
    std::string program = "xdg-open", argument = file.string();
    std::array<char*, 3> words{program.data(), argument.data(), nullptr};
    pid_t child = 0;
    if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, words.data(), environ) != 0) return false;
    int status = 0;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace lockstep::shell
