#if LOCKSTEP_EXEC

#include "app/cli/pages/program_summary.h"

#include "base/text/counted.h"
#include "base/text/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace lockstep::cli {
namespace {

using program::CodePlace;
using program::LaunchRecord;
using program::ProgramFinding;
using program::ProgramRecord;

void print(const std::string& line) { std::fputs((line + "\n").c_str(), stderr); }

std::string text(Dim3 size) {
    if (size.z > 1) return fmt::format("({}, {}, {})", size.x, size.y, size.z);
    if (size.y > 1) return fmt::format("({}, {})", size.x, size.y);
    return std::to_string(size.x);
}
std::string at(const CodePlace& place) {
    return place.line ? fmt::format("{}:{}: ", place.file, place.line) : "";
}

bool isAlike(const LaunchRecord& a, const LaunchRecord& b) {
    return a.kernel == b.kernel && a.grid == b.grid && a.block == b.block &&
           a.dynamicSharedBytes == b.dynamicSharedBytes && a.error == b.error;
}

// Launches that follow each other and are alike are one line.
void printLaunches(const ProgramRecord& record, Language language) {
    constexpr std::size_t kMostLines = 12;
    std::size_t lines = 0;
    for (std::size_t i = 0; i < record.launches.size();) {
        const LaunchRecord& launch = record.launches[i];
        std::size_t same = 1;
        while (i + same < record.launches.size() && isAlike(launch, record.launches[i + same]))
            ++same;
        i += same;
        if (lines++ == kMostLines) {
            print("  " + say(language, english("... and {0} more {0:launch|launches}"),
                             grouped(record.launchCount - (i - same))));
            return;
        }
        std::string line = fmt::format("  {}<<<{}, {}", launch.kernel, text(launch.grid), text(launch.block));
        if (launch.dynamicSharedBytes) line += fmt::format(", {}", launch.dynamicSharedBytes);
        line += ">>>";
        if (same > 1) line += ", " + say(language, english("{0} times"), grouped(same));
        if (!launch.error.empty()) line += ": " + say(language, english("ended with {0}"), launch.error);
        print(line);
    }
    if (record.launchCount > record.launches.size())
        print("  " + say(language, english("... and {0} more {0:launch|launches}"),
                         grouped(record.launchCount - record.launches.size())));
}

void printFindings(const ProgramRecord& record, bool remarks, Language language) {
    for (const ProgramFinding& finding : record.findings) {
        if (finding.isRemark != remarks || finding.kind == "truncated") continue;
        std::string line = at(finding.place) + finding.message.in(language);
        if (finding.launches > 1)
            line += " " + say(language, english("The same in {0} launches of {1}."),
                              grouped(finding.launches), finding.kernel);
        print(line);
    }
}

}  // namespace

void printProgramSummary(const ProgramRecord& record, Language language) {
    print("lockstep: " +
          (record.launchCount
               ? say(language, english("{0} {0:launch|launches} on the emulator, {1} s"),
                     grouped(record.launchCount), fmt::format("{:.3g}", record.emulatedSeconds))
               : say(language, english("the program launched no kernel"))));
    printLaunches(record, language);
    printFindings(record, false, language);
    u64 repeated = 0;
    // A program that handles an error of its own accord has nothing to hear of it.
    const bool isRight = record.end == program::End::Exited && !record.status &&
                         std::ranges::all_of(record.findings, &ProgramFinding::isRemark);
    for (const program::FailedCall& call : record.failed) {
        if (call.isRepeated) {
            repeated += call.count;
            continue;
        }
        const auto saysSo = [&](const ProgramFinding& finding) {
            return finding.kind == "unchecked_error" && finding.place == call.place;
        };
        if (isRight || std::ranges::any_of(record.findings, saysSo)) continue;
        print(at(call.place) +
              (call.count > 1 ? say(language, english("{0} failed with {1}, {2} times."), call.function,
                                    call.error, grouped(call.count))
                              : say(language, english("{0} failed with {1}."), call.function, call.error)));
    }
    if (repeated)
        print(say(
            language,
            english(
                "{0} later {0:call|calls} failed with the same error, which stays until cudaDeviceReset()."),
            grouped(repeated)));
    printFindings(record, true, language);
    if (!record.ending.empty()) print("lockstep: " + at(record.endingPlace) + record.ending.in(language));
    if (record.end == program::End::Cancelled) print("lockstep: " + say(language, english("canceled")));
}

}  // namespace lockstep::cli

#endif
