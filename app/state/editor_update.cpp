#include "app/state/editor_update.h"

#include "app/state/whole_path.h"
#include "base/text/utf8.h"

#include <algorithm>
#include <utility>

namespace lockstep::app {

bool isSameText(const SharedText& a, const SharedText& b) { return a == b || (a && b && *a == *b); }

const EditedText* EditorState::find(const std::string& file) const {
    const auto found = std::ranges::find(texts, file, &EditedText::file);
    return found == texts.end() ? nullptr : &*found;
}

EditedText* EditorState::find(const std::string& file) {
    return const_cast<EditedText*>(std::as_const(*this).find(file));
}

bool EditorState::hasUnsaved() const { return std::ranges::any_of(texts, &EditedText::isUnsaved); }

namespace {

struct EditorUpdater {
    EditorState& state;

    EditorWish show(const std::string& file, u32 line) {
        state.front = file;
        state.open = true;
        ++state.timesFocused;
        if (line > 0) state.line = line, ++state.timesTurnedTo;
        return {.shows = true, .file = file};
    }
    // A tab that leaves the keyboard where it is.
    EditorWish showBehind(const std::string& file) {
        if (!state.inFront()) state.front = file;
        const bool wasOpen = std::exchange(state.open, true);
        return {.shows = !wasOpen, .file = file};
    }
    void change(EditedText& text, SharedText by) {
        text.text = std::move(by);
        ++text.revision;
    }
    EditorWish write(const EditedText& text) const {
        return {.file = text.file,
                .tasks = {WriteText{text.file, text.text, text.saved, text.endsLinesInTwo}}};
    }

    EditorWish operator()(const EditFile& a) {
        const std::string file = wholePath(a.file).string();
        EditorWish wish;
        if (state.find(file))
            wish = show(file, a.line);
        else if (a.line > 0)
            state.line = a.line, ++state.timesTurnedTo;
        wish.tasks.emplace_back(ReadText{file});
        return wish;
    }
    EditorWish operator()(const ShowEditor& a) {
        if (a.open && !state.inFront()) return {};
        if (a.open) return show(state.front, 0);
        return {.hides = std::exchange(state.open, false)};
    }
    EditorWish operator()(const TypeText& a) {
        EditedText* text = state.find(a.file);
        if (!text || isSameText(text->text, a.text)) return {};
        text->text = a.text;
        text->isClosing = false;
        return {.typed = true, .file = a.file};
    }
    EditorWish operator()(const SaveText&) {
        EditedText* text = state.find(state.front);
        if (!text || text->onDisk) return {};
        text->isRecovered = false;
        return text->isUnsaved() ? write(*text) : EditorWish{};
    }
    EditorWish operator()(const TurnToText& a) {
        if (a.file == state.front || !state.find(a.file)) return {};
        state.front = a.file;
        return {.tasks = {ReadText{a.file}}};
    }
    EditorWish remove(const std::string& file) {
        const auto found = std::ranges::find(state.texts, file, &EditedText::file);
        if (found == state.texts.end()) return {};
        const bool wasUnsaved = found->isUnsaved();
        const auto next = state.texts.erase(found);
        if (state.front == file)
            state.front = state.texts.empty() ? std::string()
                                              : (next == state.texts.end() ? state.texts.back() : *next).file;
        EditorWish wish{.runs = wasUnsaved, .file = file};
        if (state.texts.empty()) wish.hides = std::exchange(state.open, false);
        return wish;
    }
    EditorWish operator()(const CloseText& a) {
        EditedText* text = state.find(a.file);
        if (!text || !text->isUnsaved()) return remove(a.file);
        text->isClosing = true;
        state.front = a.file;
        return {};
    }
    EditorWish operator()(const CloseUnsaved& a) {
        EditedText* text = state.find(a.file);
        if (!text) return {};
        if (a.what == Unsaved::Discard) return remove(a.file);
        text->isClosing = a.what == Unsaved::Save;  // until it is written
        return text->isClosing ? write(*text) : EditorWish{};
    }
    EditorWish operator()(const ChooseText& a) {
        EditedText* text = state.find(a.file);
        if (!text || !text->onDisk) return {};
        text->saved = std::exchange(text->onDisk, nullptr);
        text->isRecovered = false;
        if (a.isOurs) return {};  // still unsaved
        change(*text, text->saved);
        return {.runs = true, .typed = true, .file = a.file};
    }
    EditorWish operator()(const AcceptRecovered& a) {
        if (EditedText* text = state.find(a.file)) text->isRecovered = false;
        return {};
    }
    EditorWish operator()(const EditCopy&) { return {}; }   // update() knows of which
    EditorWish operator()(const NewKernel&) { return {}; }  // and where
    EditorWish operator()(const EditElsewhere&) { return {}; }
    EditorWish operator()(const TextCreated& a) {
        EditorWish wish = (*this)(TextRead{a.kernel.file, a.text});
        if (EditedText* text = state.find(a.kernel.file); text && !a.isWritten) text->saved.reset();
        return wish;
    }

    EditorWish operator()(const TextRead& a) {
        EditedText* text = state.find(a.file);
        if (!a.text) {
            if (!text) return {.fault = a.fault};
            text->saved.reset();  // deleted: what the editor has is all that there is of it
            return {.runs = a.runs, .file = a.file};
        }
        Expected<std::string> read = textForEditor(a.file, *a.text);
        if (!read && !text) return {.fault = read.error()};
        if (!read) return {.runs = a.runs, .file = a.file, .fault = read.error()};
        const bool endsLinesInTwo = a.text->find("\r\n") != std::string::npos;
        auto inFile = std::make_shared<const std::string>(std::move(*read));
        if (!text) {
            state.texts.push_back(
                {.file = a.file, .text = inFile, .saved = inFile, .endsLinesInTwo = endsLinesInTwo});
            if (!a.behind) return show(a.file, 0);
            return showBehind(a.file);
        }
        if (a.behind) return showBehind(a.file);
        EditorWish wish{.runs = a.runs, .file = a.file};
        if (isSameText(inFile, text->saved)) return wish;
        text->endsLinesInTwo = endsLinesInTwo;
        if (isSameText(inFile, text->text)) {
            text->saved = text->text;
            text->onDisk.reset();
        } else if (!text->isUnsaved()) {
            text->saved = inFile;
            change(*text, inFile);
        } else {
            text->onDisk = inFile;
            text->isClosing = wish.runs = false;
        }
        return wish;
    }
    EditorWish operator()(const TextSaved& a) {
        EditedText* text = state.find(a.file);
        if (!text) return {};
        text->saved = a.text;
        text->isRecovered = false;
        if (!text->isClosing || text->isUnsaved()) return {};
        return remove(a.file);
    }
    // The file is read first: another program's text may be asked about.
    EditorWish operator()(const FileChanged& a) {
        const std::string file = wholePath(a.file).string();
        if (!state.find(file)) return {.runs = true, .file = file};
        return {.tasks = {ReadText{file, true}}};
    }
    EditorWish operator()(const TextsRecovered& a) {
        EditorWish wish;
        for (const EditedText& text : a.texts) {
            if (state.find(text.file) || !text.isUnsaved()) continue;
            state.texts.push_back(text);
            state.texts.back().isRecovered = true;
            wish.tasks.emplace_back(ReadText{text.file});
        }
        if (state.texts.empty()) return wish;
        if (state.front.empty()) state.front = state.texts.front().file;
        state.open = true;
        ++state.timesFocused;
        return wish;
    }
};

}  // namespace

EditorWish updateEditor(EditorState& state, const EditorAction& action) {
    return std::visit(EditorUpdater{state}, action);
}

bool isDue(EditorState& state, f64 seconds) {
    if (!state.sinceKey) return false;
    *state.sinceKey += seconds;
    if (*state.sinceKey < EditorState::kSecondsUntilRun) return false;
    state.sinceKey.reset();
    return true;
}

Expected<std::string> textForEditor(const std::string& file, std::string_view inFile) {
    // Of a character, the editor keeps 16 bits.
    const auto isLong = [](char c) { return static_cast<unsigned char>(c) >= 0xf0; };
    if (firstNotUtf8(inFile) || inFile.find('\0') != std::string_view::npos ||
        std::ranges::any_of(inFile, isLong))
        return fail(FaultKind::Usage,
                    english("has characters that this editor would not keep; edit it in another one"),
                    {.file = file});
    const bool endsLinesInTwo = inFile.find("\r\n") != std::string_view::npos;
    std::string text(inFile);
    if (endsLinesInTwo) std::erase(text, '\r');
    if (textForFile(text, endsLinesInTwo) != inFile)
        return fail(FaultKind::Usage,
                    english("ends some of its lines in one way and some in another, which this editor would "
                            "not keep; edit it in another one"),
                    {.file = file});
    return text;
}

std::string textForFile(std::string_view text, bool endsLinesInTwo) {
    if (!endsLinesInTwo) return std::string(text);
    std::string inFile;
    for (const char c : text) {
        if (c == '\n') inFile += '\r';
        inFile += c;
    }
    return inFile;
}

std::string_view newKernelText() {
    return R"(// y = a * x + y, one element per thread.
__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
)";
}

}  // namespace lockstep::app
