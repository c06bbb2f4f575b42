#include "viz/notes/note_text.h"

#include <gtest/gtest.h>

namespace lockstep::viz {
namespace {

Expected<std::optional<f64>> figure(std::string_view name, std::string_view variant) {
    if (name == "width") return std::optional(64.0);
    if (name == "time")
        return variant == "naive"  ? std::optional(0.00367)
               : variant == "slow" ? std::optional(16.9)
                                   : std::optional<f64>{};
    if (name == "nothing") return std::optional(0.0);
    return fail(FaultKind::Syntax, Message::plain("no such figure: " + std::string(name)));
}

TEST(NoteText, ComputesItsFigures) {
    struct Case {
        const char *text, *said;
    };
    const Case cases[] = {
        {"plain", "plain"},
        {"{n: width * width} elements", "4,096 elements"},
        {"{n: 2 * (width + 1) - 10 / 5}", "128"},
        {"{n: width / 4 * (log2(width) - 1 + log2(width / 4))}", "144"},
        {"{x: time[slow] / 13.52}", "1.25"},
        {"{x: width * 3}, {x: width * 300}, {x: width / 5}", "192, 19,200, 12.8"},
        {"{pct: width / 128}", "50%"},
        {"{bytes: width}, {bytes: width * width}, {bytes: width * width * 3.3}, {bytes: width * width * "
         "1024}",
         "64 B, 4 KiB, 13.2 KiB, 4 MiB"},
        {"{time: time[naive]}, {time: time[slow]}", "3.67 µs, 16.9 ms"},
        {"{rate: 4080 * 1000000000}", "4,080 GB/s"},
    };
    for (const Case& c : cases) {
        const auto said = noteText(c.text, figure);
        ASSERT_TRUE(said) << said.error().message.english();
        EXPECT_EQ(said->value_or("-"), c.said) << c.text;
    }
}

TEST(NoteText, SaysNothingWhereAFigureIsNotKnown) {
    for (const char* text : {"{time: time[other]}", "{x: 1 / nothing}", "{n: 1 - width}",
                             "known: {n: width}, not known: {n: time}"})
        EXPECT_FALSE(noteText(text, figure)->has_value()) << text;
}

TEST(NoteText, SaysWhatIsNoFigure) {
    struct Case {
        const char *text, *why;
    };
    const Case cases[] = {
        {"{width}", "'{width}' is no figure: write {n: expression}"},
        {"{n: width", "'{n: width}' is no figure: write {n: expression}"},
        {"{m: width}", "'{m: width}' is no figure: the kinds are n, x, pct, bytes, time and rate"},
        {"{n: (width}", "'{ (width}' is no figure: a bracket is not closed"},
        {"{n: width 2}", "'{ width 2}' is no figure: '2' is left over"},
        {"{n: * 2}", "'{ * 2}' is no figure: a figure or a number is missing"},
        {"{n: height}", "no such figure: height"},
    };
    for (const Case& c : cases) {
        const auto said = noteText(c.text, figure);
        ASSERT_FALSE(said) << c.text;
        EXPECT_EQ(said.error().message.english(), c.why);
    }
    EXPECT_FALSE(noteText("{n: " + std::string(50, '(') + "1", figure));
}

}  // namespace
}  // namespace lockstep::viz
