// The language of the command line.
#pragma once

#include "base/text/language.h"
#include "base/text/message.h"

#include <functional>
#include <span>
#include <string>

namespace lockstep::cli {

// The value of an environment variable; empty if it is not set.
using Environment = std::function<std::string(const char* name)>;

// From --lang on the command line; else LOCKSTEP_LANG; else as POSIX defines: LC_ALL, LC_MESSAGES, LANG. A
// value that begins with zh means Chinese, else English. Without setlocale, which neither Windows nor a
// browser supports for this.
Language userLanguage(std::span<const std::string> words, const Environment& environment);

// Message for an invalid --lang: the available languages.
Message unknownLanguage(const std::string& code);

}  // namespace lockstep::cli
