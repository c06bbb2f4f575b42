// What is wrong with a command line that the parser refuses, in one sentence.
#pragma once

#include "app/cli/options/parser.h"
#include "base/text/message.h"

namespace lockstep::cli {

Message mistakeIn(const ParseError& error);

}  // namespace lockstep::cli
