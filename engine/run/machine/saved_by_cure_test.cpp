// Hints speak of time only where the cycle model can tell.
#include "run/machine/saved_by_cure.h"

#include "explain/hints/hint_rules.h"

#include <gtest/gtest.h>

namespace lockstep::run {
namespace {

explain::Hint hintOf(std::string_view rule) {
    return {.rule = rule, .launch = {}, .line = {}, .what = {}, .cure = {}};
}

// Of 1,000 cycles, so many with the change.
WaitsOfRun waitsWith(time::Change change, u64 cycles, std::optional<f64> error) {
    WaitsOfRun waits{.time = {.compiler = {}, .error = {}, .errorBrief = {}, .errorPercent = error},
                     .changes = {.elapsedCycles = 1000, .simulatedSms = 1, .changes = {}}};
    for (const time::ChangeRow& row : time::kChanges)
        waits.changes.changes.push_back(
            {.row = &row, .elapsedCycles = row.change == change ? cycles : u64{1000}});
    return waits;
}

TEST(SavedByCure, IsSaidWithTheErrorWhereItIsMoreThanTheError) {
    const explain::Hint hint = hintOf("bank_conflict");
    const auto saying = savingText(hint, waitsWith(time::Change::NoBankConflicts, 570, 8));
    ASSERT_TRUE(saying);
    EXPECT_EQ(saying->english(),
              "With this changed, the launch would take 43% less time in the cycle model: no bank "
              "conflicts (mean error 8%).");
    EXPECT_FALSE(savingText(hint, waitsWith(time::Change::NoBankConflicts, 920, 8)))
        << "no more than the error";
    EXPECT_FALSE(savingText(hint, waitsWith(time::Change::NoBankConflicts, 1100, 8)))
        << "it would take longer";
    EXPECT_FALSE(savingText(hint, waitsWith(time::Change::NoBankConflicts, 570, {}))) << "no error is known";
}

TEST(SavedByCure, IsNotSaidOfWhatNoChangeTakesAway) {
    const WaitsOfRun waits = waitsWith(time::Change::Coalesced, 500, 8);
    EXPECT_FALSE(savingText(hintOf("divergence"), waits));
    EXPECT_FALSE(savingText(hintOf("bank_conflict"), waits)) << "that saves nothing here";
    EXPECT_TRUE(savingText(hintOf("uncoalesced"), waits));
    explain::Hint later = hintOf("uncoalesced");
    later.launch = LaunchId{1};
    EXPECT_FALSE(savingText(later, waits)) << "only the first launch is changed";
    WaitsOfRun without = waits;
    for (ChangedTime& changed : without.changes.changes)
        changed.why = english("that is so already");
    EXPECT_FALSE(savingText(hintOf("uncoalesced"), without));
}

TEST(SavedByCure, KnowsEveryRuleByItsName) {
    u32 known = 0;
    for (const explain::HintRule& rule : explain::hintRules())
        known += changeFor(rule.name) != nullptr;
    EXPECT_EQ(known, 4u) << "each cure names a rule that there is";
}

}  // namespace
}  // namespace lockstep::run
