#include "app/shell/editor_desk.h"

#include "app/panels/words.h"
#include "app/shell/files/outside_editor.h"
#include "app/shell/files/own_files.h"
#include "app/state/editor_update.h"
#include "base/files/text_file.h"
#include "base/files/whole_file.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

namespace lockstep::shell {
namespace {

using app::Action, app::EditorAction;

Expected<std::string> read(const std::string& file) {
    return readTextFile(file, english("give the path of a .cu or .ptx file"));
}

std::vector<Action> readText(const app::ReadText& task) {
    Expected<std::string> text = read(task.file);
    if (!text) return {EditorAction{app::TextRead{task.file, nullptr, task.runs, text.error(), task.behind}}};
    return {EditorAction{app::TextRead{
        task.file, std::make_shared<const std::string>(std::move(*text)), task.runs, {}, task.behind}}};
}

bool isStillThere(const app::WriteText& task) {
    const Expected<std::string> now = read(task.file);
    if (!now || !task.before) return !now;
    const Expected<std::string> text = app::textForEditor(task.file, *now);
    return text && (*text == *task.before || *text == *task.text);
}

std::vector<Action> writeText(const app::WriteText& task) {
    std::error_code ignored;
    if (std::filesystem::exists(task.file, ignored) && !isStillThere(task)) return readText({task.file});
    const std::string text = app::textForFile(*task.text, task.endsLinesInTwo);
    if (const Expected<void> written = writeWholeFile(task.file, std::as_bytes(std::span(text))); !written)
        return {app::CouldNot{written.error()}};
    return {EditorAction{app::TextSaved{task.file, task.text}}};
}

constexpr Words kNotSavedYet = english("A new kernel; Ctrl S writes it to {0}");

std::vector<Action> createText(const app::CreateText& task) {
    const std::string& file = task.kernel.file;
    if (task.from.empty())
        return {EditorAction{app::TextCreated{
                    task.kernel, std::make_shared<const std::string>(app::newKernelText()), false}},
                app::Say{Message(kNotSavedYet, file)}};
    Expected<std::string> text = read(task.from);
    if (!text) return {app::CouldNot{text.error()}};
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored))
        return {app::CouldNot{fail(FaultKind::Usage,
                                   english("is there already; name a new file, or delete this one"),
                                   {.file = file})
                                  .value()}};
    if (const Expected<void> written = writeWholeFile(file, std::as_bytes(std::span(*text))); !written)
        return {app::CouldNot{written.error()}};
    return {
        EditorAction{app::TextCreated{task.kernel, std::make_shared<const std::string>(std::move(*text))}},
        app::Say{Message(app::words::kExportWritten, file)}};
}

std::vector<Action> openElsewhere(const app::OpenElsewhere& task) {
    const OutsideEditor editor = outsideEditor(variable("VISUAL"), variable("EDITOR"), task.file, task.line);
    const std::string name = std::filesystem::path(task.file).filename().string();
    if (!editor.command.empty()) {
        if (!start(editor.command))
            return {
                app::CouldNot{fail(FaultKind::Usage,
                                   Message(english("{0} cannot be started; set $VISUAL or $EDITOR to your "
                                                   "editor"),
                                           editor.command.front()),
                                   {.file = task.file})
                                  .value()}};
        return {app::Say{
            Message(english("Opened {0} in {1} at line {2}"), name, editor.name, std::max(task.line, 1u))}};
    }
    if (!openInDesktop(task.file))
        return {
            app::CouldNot{fail(FaultKind::NotFound, english("no program of this desktop opens it (xdg-open)"),
                               {.file = task.file})
                              .value()}};
    if (editor.name.empty())
        return {app::Say{
            Message(english("The desktop opened {0}, not at line {1}: neither $VISUAL nor $EDITOR is "
                            "set"),
                    name, std::max(task.line, 1u))}};
    return {app::Say{Message(editor.isOfTerminal
                                 ? english("The desktop opened {0}, not at line {2}: {1} needs a terminal")
                                 : english("The desktop opened {0}, not at line {2}: how {1} takes a line is "
                                           "not known"),
                             name, editor.name, std::max(task.line, 1u))}};
}

}  // namespace

std::vector<Action> carryOut(const app::EditorTask& task) {
    if (const auto* wanted = std::get_if<app::ReadText>(&task)) return readText(*wanted);
    if (const auto* wanted = std::get_if<app::WriteText>(&task)) return writeText(*wanted);
    if (const auto* wanted = std::get_if<app::OpenElsewhere>(&task)) return openElsewhere(*wanted);
    return createText(std::get<app::CreateText>(task));
}

}  // namespace lockstep::shell
