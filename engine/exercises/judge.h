// Judges a student's file: compiles it once, runs it at every size of the exercise on fresh random data, and
// says of each rule whether it holds, or in one sentence what is missing. Host code is never executed.
#pragma once

#include "base/progress.h"
#include "exercises/exercise.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::exercises {

enum class State : u8 { Holds, Fails, NotJudged };
std::string_view nameOf(State state);  // "holds"

struct RuleVerdict {
    std::string rule;      // as it is written
    Message words = {};    // what it asks for
    std::string quantity;  // "bank_conflicts"
    State state = State::NotJudged;
    // Of the first size at which it fails, else of the last.
    std::optional<f64> value = {}, limit = {};  // of a flag none
    std::string size = {};                      // "n=1000"; empty: of no size
    std::string file = {};
    u32 line = 0;           // 0: of no line
    Message sentence = {};  // what is missing; where it holds, a remark or nothing
    std::string code = {};  // of the student's line, without what it is indented by
};

struct Verdict {
    std::string file;
    std::vector<RuleVerdict> rules;  // first those of every exercise: builtInRules()
    f64 seconds = 0;
    std::filesystem::file_time_type written{};  // when the file was, as it was judged
    bool compiles() const { return rules.empty() || rules.front().state != State::Fails; }
    bool passed() const { return !missing(); }
    // The first rule that does not hold: what to do next.
    const RuleVerdict* missing() const;
    u64 held() const;
};

// Rules of every exercise, which stand in none: that a kernel compiles and that it ends.
struct BuiltInRule {
    std::string_view name;
    Words what;
};
std::span<const BuiltInRule> builtInRules();

struct JudgeOptions {
    u64 seed = 1;           // of the data, which are others at each size
    f64 limitSeconds = 20;  // of a file: compiling and all sizes
    u32 threads = 0;        // of this machine; 0: all
    Progress* progress = nullptr;
};
// Fault: canceled, no compiler, or a mistake in the exercise; whatever is wrong with the student's file is a
// rule that fails.
Expected<Verdict> judge(const Exercise& exercise, const std::filesystem::path& file,
                        const JudgeOptions& options);

// Whether it can be judged by at all: at every size there are data to run on and a result to compare with,
// and the kernel to begin with compiles and is launched as it is declared. Without a compiler the latter is
// not looked at.
Expected<void> checkExercise(const Exercise& exercise);

}  // namespace lockstep::exercises
