// One sentence for a command line that the parser rejects.
#pragma once

#include "app/cli/options/parser.h"
#include "base/text/message.h"

namespace lockstep::cli {

Message mistakeIn(const ParseError& error);

}  // namespace lockstep::cli
