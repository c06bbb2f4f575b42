// Parses the command line, runs the chosen command and turns faults into one sentence and an exit status.
#include "app/cli/program.h"

#include "app/cli/commands/commands.h"
#include "app/cli/options/parse_mistake.h"
#include "app/cli/options/user_language.h"
#include "app/cli/terminal/interrupt.h"
#include "base/nearest.h"
#include "cuda/worker/worker_process.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <iostream>
#include <string_view>

namespace lockstep::cli {
namespace {

bool isCommand(std::string_view word) {
    return std::ranges::any_of(commands(), [&](const CommandRow& row) { return word == row.name; });
}

// `lockstep`, `lockstep matmul/tiled` and `lockstep run.lks` open the window: the command is omitted.
std::vector<std::string> withCommand(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words[0] == "help") {  // lockstep help run
        words.erase(words.begin());
        words.resize(std::min<std::size_t>(words.size(), 1));
        words.emplace_back("--help");
    }
    static constexpr std::array kGlobal{"--help", "-h", "--version"};
    if (words.empty() || (!isCommand(words[0]) && std::ranges::find(kGlobal, words[0]) == kGlobal.end()))
        words.insert(words.begin(), "window");
    return words;
}

// `lockstep exec a.cu -Ifolder -O2 --limit 5 -- 100`: -Ifolder and -O2 are the compiler's, 100 is the
// program's.
ForeignWords takeForeignWords(std::vector<std::string>& words) {
    ForeignWords foreign;
    std::vector<std::string> ours;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "--") {
            foreign.program.assign(words.begin() + std::ptrdiff_t(i) + 1, words.end());
            break;
        }
        const bool isCompilers = word.size() > 1 && word[0] == '-' && word[1] != '-' && word != "-h";
        (isCompilers ? foreign.compiler : ours).push_back(word);
        static constexpr std::array kWithValue{
            "-I",         "-D",       "-U",       "-L",      "-l",    "-o",           "-x",
            "-std",       "-include", "-isystem", "-iquote", "-arch", "-gencode",     "-code",
            "-Xcompiler", "-Xlinker", "-Xptxas",  "-ccbin",  "-odir", "-maxrregcount"};
        if (isCompilers && std::ranges::find(kWithValue, word) != kWithValue.end() && i + 1 < words.size())
            foreign.compiler.push_back(words[++i]);
        const bool isJson = word == "--json";  // whose value may be "-"
        if (isJson && i + 1 < words.size()) ours.push_back(words[++i]);
    }
    words = std::move(ours);
    return foreign;
}

// `lockstep compre` is not a kernel, which has a slash, nor a file: it is a mistyped command.
Message mistakenCommand(const std::vector<std::string>& words, Session& session) {
    if (words.size() < 2 || words[0] != "window" || words[1].starts_with('-')) return {};
    const std::string& word = words[1];
    if (word.find_first_of("/.") != std::string::npos) return {};
    const Expected<const catalog::Catalog*> catalog = session.catalog();
    if (catalog && (*catalog)->find(word)) return {};
    std::vector<std::string> names;
    for (const CommandRow& row : commands())
        names.emplace_back(row.name);
    return Message(english("there is no command '{0}'{1} (lockstep --help lists them; a kernel is written "
                           "FAMILY/VARIANT)"),
                   word, didYouMean(word, names));
}

}  // namespace

int runProgram(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == kGpuWorker) return cuda::serveAsWorker();
    const Language language =
        userLanguage(std::vector<std::string>(argv + std::min(argc, 1), argv + argc), environmentVariable);
    Session session(argc > 0 ? argv[0] : "lockstep", language);
    Parser parser(language, "lockstep " LOCKSTEP_VERSION);
    std::vector<Action> actions;
    std::string spoken;  // userLanguage() has read it
    for (const CommandRow& row : commands()) {
        const Command command = parser.add(row.name, row.summary, row.example);
        actions.push_back(row.add(command, session));
        if (!command.find("--lang"))
            command.add("--lang", spoken, english("language of what is printed")).type("en|zh-CN");
    }

    std::vector<std::string> words = withCommand(argc, argv);
    if (words[0] == "exec") session.foreign = takeForeignWords(words);
    if (const Message mistake = mistakenCommand(words, session); !mistake.empty()) {
        std::fprintf(stderr, "lockstep: %s\n", mistake.in(language).c_str());
        return kUsageError;
    }
    const Parsed parsed = parser.parse(words);
    if (parsed.status) return std::fflush(stdout) != 0 || !std::cout.flush() ? kUsageError : *parsed.status;
    if (parsed.error) {
        session.tell(english("{0} (lockstep {1} --help has all options)"), mistakeIn(*parsed.error),
                     parsed.error->command.name());
        return kUsageError;
    }
    if (!parsed.command) return kDone;
    if (!spoken.empty() && !languageOf(spoken)) {
        session.tell(unknownLanguage(spoken).in(language));
        return kUsageError;
    }

    tellOfInterrupts(language);
    tellOfLimits(language);
    Expected<int> status = actions[*parsed.command]();
    if (status && (std::fflush(stdout) != 0 || std::ferror(stdout)))
        status = fail(FaultKind::System,
                      english("standard output could not be written to its end; is the disk full?"));
    if (status) return *status;
    std::fprintf(stderr, "lockstep: %s\n", describe(status.error(), language).c_str());
    return status.error().kind == FaultKind::Cancelled ? kCancelled : kUsageError;
}

}  // namespace lockstep::cli
