#include "operations/stretches.h"

#include <gtest/gtest.h>

#include <string_view>

namespace lockstep::operations {
namespace {

// A letter an operation: its line.
std::vector<Operation> operationsOf(std::string_view letters) {
    std::vector<Operation> list;
    for (const char letter : letters)
        list.push_back({.kind = Kind::Launch, .function = "k", .place = {"a.cu", u32(letter)}});
    return list;
}

TEST(Stretches, ALoopIsShownOnce) {
    struct Case {
        std::string_view letters;
        std::vector<Stretch> stretches;
    };
    const std::vector<Case> cases{
        {"", {}},
        {"abc", {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}}},
        {"aa", {{0, 1, 1}, {1, 1, 1}}},
        {"aaaab", {{0, 1, 4}, {4, 1, 1}}},
        {"xabcabcabcabcy", {{0, 1, 1}, {1, 3, 4}, {13, 1, 1}}},
        {"abababa", {{0, 2, 3}, {6, 1, 1}}},
        {"abab", {{0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {3, 1, 1}}},
    };
    for (const Case& c : cases)
        EXPECT_EQ(stretchesOf(operationsOf(c.letters), {}), c.stretches) << c.letters;
}

TEST(Stretches, WhatEndsInAnotherWayStandsByItself) {
    std::vector<Operation> list = operationsOf("aaaaaaaa");
    list[4].error = "cudaErrorIllegalAddress";
    EXPECT_EQ(stretchesOf(list, {}), (std::vector<Stretch>{{0, 1, 4}, {4, 1, 1}, {5, 1, 3}}));
    list[4].error.clear();
    list[4].findings = 1;
    EXPECT_EQ(stretchesOf(list, {}).size(), 3u);
}

TEST(Stretches, ALoopMayMakeItsOwnEventsAndBuffers) {
    Operations all;
    all.events = {{.name = "a", .made = {"a.cu", 1}},
                  {.name = "a", .made = {"a.cu", 1}},
                  {.name = "a", .made = {"a.cu", 1}},
                  {.name = "b"}};
    all.buffers = {{.name = "x"}, {.name = "x"}, {.name = "x"}, {.name = "y"}};
    for (u32 i = 0; i < 4; ++i) {
        all.list.push_back({.kind = Kind::EventRecord, .function = "r", .event = i});
        all.list.push_back({.kind = Kind::Fill, .function = "f", .to = Side{i, 0}, .bytes = 4});
    }
    EXPECT_EQ(stretchesOf(all.list, all), (std::vector<Stretch>{{0, 2, 3}, {6, 1, 1}, {7, 1, 1}}));
}

}  // namespace
}  // namespace lockstep::operations
