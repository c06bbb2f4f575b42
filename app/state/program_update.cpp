#include "app/state/program_update.h"

#include "explain/source/code_only.h"
#include "operations/report.h"
#include "operations/sentences.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <utility>

namespace lockstep::app {
namespace {

struct ProgramUpdater {
    ProgramState& state;
    u64& tickets;

    bool isOfRun(u64 ticket) const { return state.isUnderWay && ticket == state.ticket; }

    ProgramWish operator()(const ShowProgram& a) {
        state.open = a.open;
        return {.of = a.open ? ProgramWish::Of::Page : ProgramWish::Of::Left};
    }
    ProgramWish operator()(const RunProgram&) {
        ProgramWish wish = (*this)(ShowProgram{});
        if (state.isUnderWay) return wish;
        if (!state.canRun()) {
            state.fault =
                fail(FaultKind::Usage, english("Open a .cu that has a main(): that is a program.")).value();
            return wish;
        }
        Expected<std::vector<std::string>> arguments = splitArguments(state.argumentsOf(state.file));
        if (!arguments) return state.fault = arguments.error(), wish;
        Expected<std::vector<std::string>> compile = splitArguments(state.compileOf(state.file));
        if (!compile) return state.fault = compile.error(), wish;
        // Of the run before nothing stays: its launches can no longer be opened.
        state.ran = state.file;
        state.ticket = ++tickets;
        state.isUnderWay = true;
        state.isStarted = state.isCanceling = false;
        state.seconds = 0;
        state.launches = state.printedBytes = state.opening = 0;
        state.printed.clear();
        state.source.clear();
        state.report.reset();
        state.fault.reset();
        state.followed.reset();
        state.line = 0;
        wish.tasks.emplace_back(
            StartProgram{state.ticket, state.file, std::move(*arguments), std::move(*compile)});
        return wish;
    }
    ProgramWish operator()(const CancelProgram&) {
        if (!state.isUnderWay || state.isCanceling) return {};
        state.isCanceling = true;
        return {.tasks = {StopProgram{state.ticket}}};
    }
    ProgramWish operator()(const TypeProgramArguments& a) {
        state.arguments[state.file] = a.text;
        if (a.text.empty()) state.arguments.erase(state.file);
        return {};
    }
    ProgramWish operator()(const TypeCompileOptions& a) {
        state.compile[state.file] = a.text;
        if (a.text.empty()) state.compile.erase(state.file);
        return {};
    }
    ProgramWish operator()(const SaveTimeline&) {
        if (!state.report) return {};
        return {.tasks = {DrawTimeline{std::filesystem::path(state.ran).stem().string() + "-timeline"}}};
    }
    ProgramWish operator()(const OpenLaunch& a) {
        std::optional<ProgramLaunch> launch = launchOf(state, a.number);
        if (!launch) return {};
        state.opening = a.number;
        return {.of = ProgramWish::Of::Open, .launch = std::move(launch)};
    }
    ProgramWish operator()(const CompareLaunch& a) {
        std::optional<ProgramLaunch> launch = launchOf(state, a.number);
        if (!launch) return {};
        return {.of = ProgramWish::Of::Compare, .launch = std::move(launch)};
    }
    ProgramWish operator()(const SaveLaunch&) { return {.of = ProgramWish::Of::Save}; }
    ProgramWish operator()(const FollowBuffer& a) {
        const bool isThere = a.buffer && state.report && *a.buffer < state.report->operations.buffers.size();
        state.followed = isThere && a.buffer != state.followed ? a.buffer : std::nullopt;
        return {};
    }
    ProgramWish operator()(const LookAtProgramLine& a) {
        state.line = a.line;
        ++state.timesTurnedTo;
        return {};
    }

    ProgramWish operator()(const ProgramFound& a) {
        state.files.insert(a.file);
        if (state.isUnderWay) return {};
        state.file = a.file;
        return a.opens ? (*this)(ShowProgram{}) : ProgramWish{};
    }
    ProgramWish operator()(const ProgramRead& a) {
        if (isOfRun(a.ticket)) state.source = a.source;
        return {};
    }
    ProgramWish operator()(const ProgramStarted& a) {
        if (isOfRun(a.ticket)) state.isStarted = true;
        return {};
    }
    ProgramWish operator()(const ProgramLaunched& a) {
        if (isOfRun(a.ticket)) state.launches = a.launches;
        return {};
    }
    ProgramWish operator()(const ProgramPrinted& a) {
        if (!isOfRun(a.ticket)) return {};
        state.printedBytes += a.bytes;
        state.printed += a.text.substr(
            0, ProgramState::kMostOutput - std::min(ProgramState::kMostOutput, state.printed.size()));
        return {};
    }
    ProgramWish operator()(const ProgramEnded& a) {
        if (!isOfRun(a.ticket)) return {};
        state.isUnderWay = state.isCanceling = false;
        state.report = a.report;
        state.fault = a.fault;
        if (a.report) state.launches = a.report->launchCount;
        return {};
    }
};

}  // namespace

namespace {

const std::string& textOf(const std::map<std::string, std::string>& texts, const std::string& path) {
    static const std::string kNone;
    const auto found = texts.find(path);
    return found == texts.end() ? kNone : found->second;
}

}  // namespace

const std::string& ProgramState::argumentsOf(const std::string& path) const {
    return textOf(arguments, path);
}
const std::string& ProgramState::compileOf(const std::string& path) const { return textOf(compile, path); }

ProgramWish updateProgram(ProgramState& state, const ProgramAction& action, u64& tickets) {
    return std::visit(ProgramUpdater{state, tickets}, action);
}

std::vector<ProgramLaunch> launchesOf(const ProgramState& state) {
    std::vector<ProgramLaunch> launches;
    if (!state.report) return launches;
    for (const operations::Operation& operation : state.report->operations.list)
        if (operation.kind == operations::Kind::Launch && operation.launch <= state.report->lastKept)
            launches.push_back({state.ran, operation.launch, operations::launchText(operation)});
    return launches;
}

std::optional<ProgramLaunch> launchOf(const ProgramState& state, u64 number) {
    if (!state.report) return std::nullopt;
    for (const operations::Operation& operation : state.report->operations.list)
        if (operation.kind == operations::Kind::Launch && operation.launch == number)
            return ProgramLaunch{state.ran, number, operations::launchText(operation)};
    return std::nullopt;
}

Expected<std::vector<std::string>> splitArguments(const std::string& text) {
    std::vector<std::string> all;
    std::string word;
    bool isWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            word += text[++i], isWord = true;
        } else if (quote) {
            if (c == quote)
                quote = 0;
            else
                word += c;
        } else if (c == '"' || c == '\'') {
            quote = c, isWord = true;
        } else if (c == ' ' || c == '\t') {
            if (isWord) all.push_back(std::exchange(word, {}));
            isWord = false;
        } else {
            word += c, isWord = true;
        }
    }
    if (quote)
        return fail(FaultKind::Usage, Message(english("The arguments end within quotes: add the other {0}."),
                                              Message::plain(std::string(1, quote))));
    if (isWord) all.push_back(std::move(word));
    return all;
}

bool hasMain(const std::string& source) {
    const std::string code = explain::codeOnly(source);
    const auto isOfName = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    for (std::size_t at = code.find("main"); at != std::string::npos; at = code.find("main", at + 1)) {
        if (at == 0 || isOfName(code[at - 1])) continue;
        const std::size_t next = code.find_first_not_of(" \t\r\n", at + 4);
        if (next == std::string::npos || code[next] != '(') continue;
        // Defined, not called: a type stands before it.
        std::size_t before = at;
        while (before > 0 && std::isspace(static_cast<unsigned char>(code[before - 1])))
            --before;
        if (before < at && before > 0 && isOfName(code[before - 1]) &&
            !std::string_view(code).substr(0, before).ends_with("return"))
            return true;
    }
    return false;
}

}  // namespace lockstep::app
