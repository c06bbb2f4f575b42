// Reading: the numbers of a text with the words beside them ("4 wavefronts", "bank 3", "第 9 行"), and the
// names of elements ("M[1][0]").
#pragma once

#include "base/integers.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::witness {

struct Token {
    enum class Kind : u8 {
        Count,    // so many of something: "4 wavefronts"
        Id,       // which one: "bank 3"
        Bare,     // a number without a word that is known
        Element,  // name and indices
        Pair,     // "(1,0)", "(y 1, x 0)": coordinates, as written
    };
    Kind kind = Kind::Bare;
    std::string noun;  // in English and singular, whatever the language: "wavefront"
    f64 value = 0;
    u32 decimals = 0;        // digits behind the point
    f64 scale = 1;           // of the last digit before the suffix k, M, G
    bool isRounded = false;  // written with a suffix or an exponent
    std::string name;        // of an element: "M"
    std::vector<s64> indices,
        lastIndices;   // of "in[128..131]" the last one is in lastIndices; of a Pair its numbers
    std::string axes;  // of a Pair: "yx" as said, or empty
    std::size_t begin = 0, end = 0;  // in the text
};
std::vector<Token> tokensOf(std::string_view text);

// Whether a number that is written as the token is may stand for this value.
bool agrees(const Token& token, f64 value);

// The same of measured figures: rounded to the digits that are written, also where none stands behind the
// point.
bool rounds(const Token& token, f64 value);

std::string withCommas(u64 number);  // "1,537"

bool contains(std::string_view text, std::string_view part);

}  // namespace lockstep::witness
