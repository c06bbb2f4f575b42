// The language that the command line speaks.
#pragma once

#include "base/text/language.h"
#include "base/text/message.h"

#include <functional>
#include <span>
#include <string>

namespace lockstep::cli {

// The value of an environment variable; empty where there is none.
using Environment = std::function<std::string(const char* name)>;

// Of --lang among the words of the command line; else of LOCKSTEP_LANG, else as POSIX finds the language of
// messages: LC_ALL, LC_MESSAGES, LANG. Those mean Chinese where they begin with zh, else English. Without
// setlocale, which neither Windows nor a browser has for this.
Language userLanguage(std::span<const std::string> words, const Environment& environment);

// Why a --lang is refused: which languages there are.
Message unknownLanguage(const std::string& code);

}  // namespace lockstep::cli
