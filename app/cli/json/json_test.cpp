#include "app/cli/json/json.h"

#include <gtest/gtest.h>

#include <limits>

namespace lockstep::cli {
namespace {

TEST(Json, ScalarsAreWrittenInTheirShortestForm) {
    struct Case {
        Json value;
        const char* text;
    };
    const Case cases[] = {
        {nullptr, "null"},
        {true, "true"},
        {-3, "-3"},
        {std::numeric_limits<u64>::max(), "18446744073709551615"},
        {std::numeric_limits<s64>::min(), "-9223372036854775808"},
        {0.1, "0.1"},
        {1.0, "1.0"},
        {-0.0, "-0.0"},
        {1e300, "1e+300"},
        {0.1f, "0.10000000149011612"},
        {std::numeric_limits<f64>::quiet_NaN(), "null"},
        {"text", "\"text\""},
    };
    for (const Case& each : cases)
        EXPECT_EQ(each.value.written(), each.text);
}

TEST(Json, TextIsEscapedAndKeepsItsLetters) {
    EXPECT_EQ(Json("a\"b\\c\n\x01\x7f").written(), "\"a\\\"b\\\\c\\n\\u0001\x7f\"");
    EXPECT_EQ(Json("线程束").written(), "\"线程束\"");
}

TEST(Json, BytesThatAreNoUtf8AreReplaced) {
    EXPECT_EQ(Json("caf\xe9.cu").written(), "\"caf\xef\xbf\xbd.cu\"");
    Json json;
    json["\xff"] = 1;
    EXPECT_EQ(json.written(), "{\n  \"\xef\xbf\xbd\": 1\n}");
}

TEST(Json, KeysStandInTheOrderInWhichTheyWereGiven) {
    Json json{{"z", 1}, {"a", Json::array({1, "two"})}};
    json["m"] = {{"inner", Json::object()}, {"list", Json::array()}};
    json["z"] = 2;
    EXPECT_EQ(json.written(), R"({
  "z": 2,
  "a": [
    1,
    "two"
  ],
  "m": {
    "inner": {},
    "list": []
  }
})");
}

TEST(Json, WhatIsNotThereIsNull) {
    EXPECT_EQ(Json(std::optional<u32>()).written(), "null");
    EXPECT_EQ(Json(std::optional<u32>(3)).written(), "3");
    EXPECT_EQ(Json(std::vector<std::string>{"a"}).written(), "[\n  \"a\"\n]");
}

TEST(Json, WhatWasWrittenIsReadAgain) {
    const std::string text = Json{{"b", Json::array({1, -1, 0.5, "x", nullptr, false})},
                                  {"a", {{"c", std::numeric_limits<u64>::max()}}}}
                                 .written();
    EXPECT_EQ(Json::parse(text).written(), text);
}

}  // namespace
}  // namespace lockstep::cli
