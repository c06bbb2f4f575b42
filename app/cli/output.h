// Where results go: JSON to a file or to standard output.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "base/whole_file.h"

namespace lockstep::cli {

using Json = nlohmann::ordered_json;  // keys in the order of CONTRACT

// "-" is standard output. Files are written whole or not at all.
Expected<void> writeJson(const Json& json, const std::string& file);
Expected<void> writeFile(const std::string& file, std::string_view bytes);

}  // namespace lockstep::cli
