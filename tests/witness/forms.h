// Texts with places for numbers: "Lane {lane}: element {element}, from byte {byte}."
#pragma once

#include "base/integers.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::witness {

// What stands at the places of a form.
struct Slots {
    std::map<std::string, f64, std::less<>> numbers;
    std::map<std::string, u32, std::less<>> decimals;  // digits behind a number's point
    std::map<std::string, std::string, std::less<>> texts;

    f64 operator[](std::string_view name) const;  // not a number where the form has no such place
    const std::string& text(std::string_view name) const;
};

// {name}: a number, with its sign; {name:list}: numbers of lanes, "0-7, 12"; {name:text}: anything. "*": what
// has no digit in it; "**": anything.
std::optional<Slots> match(std::string_view text, std::string_view form);

std::vector<std::string> linesOf(std::string_view text);

// "0-7, 12": none where it is no list. A "…" at its end is left to the caller.
std::optional<std::set<u32>> lanesIn(std::string_view list);

}  // namespace lockstep::witness
