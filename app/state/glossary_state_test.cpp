#include "app/state/update.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

TEST(GlossaryStateTest, ShowsOnlyTermsThatThereAre) {
    State state;
    EXPECT_TRUE(state.term.empty());
    EXPECT_TRUE(state.underlineTerms);
    (void)update(state, ShowTerm{"bank-conflict"});
    EXPECT_EQ(state.term, "bank-conflict");
    (void)update(state, ShowTerm{"no such term"});
    EXPECT_EQ(state.term, "bank-conflict");
    (void)update(state, ShowTerm{});
    EXPECT_TRUE(state.term.empty());
    (void)update(state, UnderlineTerms{false});
    EXPECT_FALSE(state.underlineTerms);
}

}  // namespace
}  // namespace lockstep::app
