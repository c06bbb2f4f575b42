// The playground's part of the state: what is typed, dragged, chosen, undone; and devices side by side.
#include "app/state/update.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

const model::AccessPattern& shown(const State& state) { return state.playground.shown.pattern; }
void does(State& state, const Action& action) {
    EXPECT_TRUE(update(state, action).empty()) << "the playground runs nothing";
}

TEST(PlaygroundStateTest, ABadExpressionIsToldAndTheLastGoodPictureStays) {
    State state;
    does(state, TypeExpression{"tid * 2"});
    EXPECT_EQ(shown(state).expression, "tid * 2");
    does(state, TypeExpression{"tid * "});
    EXPECT_EQ(shown(state).expression, "tid * 2");
    EXPECT_EQ(state.playground.typed, "tid * ");
    ASSERT_TRUE(state.playground.fault);
    EXPECT_NE(describe(*state.playground.fault).find("the expression ends where"), std::string::npos);
    does(state, TypeExpression{""});
    EXPECT_TRUE(state.playground.fault) << "nothing is no expression";
    EXPECT_EQ(shown(state).expression, "tid * 2");
    does(state, TypeExpression{"tid * 3"});
    EXPECT_FALSE(state.playground.fault);
    EXPECT_EQ(shown(state).expression, "tid * 3");
}

TEST(PlaygroundStateTest, WhatWasTypedIsOneStepOfUndo) {
    State state;
    const model::AccessPattern first = shown(state);
    for (const char* text : {"t", "ti", "tid", "tid *", "tid * 3", "tid * 33"})
        does(state, TypeExpression{text});
    does(state, PlaceLane{Lane{4}, 200});
    EXPECT_EQ(shown(state).moved[4], 200);
    EXPECT_EQ(state.playground.shown.lane, Lane{4});
    does(state, SwitchLane{Lane{9}});
    EXPECT_TRUE(shown(state).off.has(Lane{9}));
    does(state, Undo{});
    EXPECT_FALSE(shown(state).off.has(Lane{9}));
    does(state, Undo{});
    EXPECT_EQ(shown(state).moved[4], std::nullopt);
    EXPECT_EQ(shown(state).expression, "tid * 33");
    does(state, Undo{});
    EXPECT_EQ(shown(state), first);
    EXPECT_EQ(state.playground.typed, first.expression);
    does(state, Undo{});
    EXPECT_EQ(shown(state), first);
    does(state, Redo{});
    EXPECT_EQ(shown(state).expression, "tid * 33");
}

TEST(PlaygroundStateTest, ResetBringsTheFirstPresetBackAndCanBeUndone) {
    State state;
    const model::AccessPattern first = shown(state);
    model::AccessPattern other = model::findAccessPreset("scattered")->pattern;
    does(state, SetPattern{other});
    EXPECT_EQ(shown(state), other);
    EXPECT_EQ(state.playground.typed, other.expression);
    does(state, ResetPlayground{});
    EXPECT_EQ(shown(state), first);
    does(state, Undo{});
    EXPECT_EQ(shown(state), other);
    other.rows = {.elements = 33, .swizzled = true};
    does(state, SetPattern{other});
    EXPECT_TRUE(state.playground.fault) << "a swizzled row has a power of two of elements";
    EXPECT_EQ(shown(state).rows.elements, 32u);
}

TEST(PlaygroundStateTest, ALaneThatIsDraggedIsOnAndTypingTakesItBack) {
    State state;
    does(state, SwitchLane{Lane{31}});
    does(state, PlaceLane{Lane{31}, 7});
    EXPECT_FALSE(shown(state).off.has(Lane{31}));
    EXPECT_EQ(shown(state).moved[31], 7);
    does(state, TypeExpression{"tid"});
    EXPECT_EQ(shown(state).moved[31], std::nullopt);
    does(state, PlaceLane{Lane{32}, 7});
    does(state, TakeAccess{});
    EXPECT_EQ(shown(state).expression, "tid") << "without a run there is nothing to take";
}

TEST(DevicesTest, StandSideBySideAndTheProfileIsOneOfThem) {
    State state;
    EXPECT_EQ(state.profile, "cc90");
    does(state, SetDevices{{"cc90", "cc10"}});
    EXPECT_EQ(state.profile, "cc90");
    does(state, SetDevices{{"cc10", "cc12"}});
    EXPECT_EQ(state.profile, "cc12") << "its own was taken away: the one chosen last";
    does(state, SetProfile{"cc80"});
    EXPECT_EQ(state.devices, (std::vector<std::string>{"cc10", "cc80"}));
    does(state, SetProfile{"cc10"});
    EXPECT_EQ(state.devices, (std::vector<std::string>{"cc10", "cc80"}));
    for (const std::vector<std::string>& bad :
         {std::vector<std::string>{}, {"cc10", "cc11", "cc12", "cc13"}, {"cc11x"}})
        does(state, SetDevices{bad});
    EXPECT_EQ(state.devices, (std::vector<std::string>{"cc10", "cc80"}));
    does(state, Undo{});
    EXPECT_EQ(state.devices, (std::vector<std::string>{"cc10", "cc80"}))
        << "undo is of the experiment and the playground";
}

}  // namespace
}  // namespace lockstep::app
