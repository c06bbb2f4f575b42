// What the tokens of host code say without any value: where a statement ends, what commas separate.
#pragma once

#include "source/declarations.h"
#include "source/token.h"

#include <initializer_list>
#include <string_view>
#include <vector>

namespace lockstep::source {

constexpr u32 kDeepest = 240;  // of what may stand within another

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words);
bool contains(const std::vector<Token>& tokens, std::size_t first, std::size_t last,
              std::initializer_list<std::string_view> words);
// What commas separate; the ranges are not empty.
std::vector<TokenRange> listIn(const std::vector<Token>& tokens, std::size_t first, std::size_t last);
// Behind the parentheses that open at or after `i`, of an if or a loop.
std::size_t behindParentheses(const std::vector<Token>& tokens, std::size_t i, std::size_t last);
std::size_t behindStatement(const std::vector<Token>& tokens, std::size_t first, std::size_t last,
                            u32 depth = 0);

}  // namespace lockstep::source
