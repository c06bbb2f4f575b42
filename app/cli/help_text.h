// How --help looks: names at the left, what they mean at the right, in lines that fit a terminal.
#pragma once

#include <CLI/CLI.hpp>

#include <memory>

namespace lockstep::cli {

std::shared_ptr<CLI::Formatter> helpFormatter();

}  // namespace lockstep::cli
