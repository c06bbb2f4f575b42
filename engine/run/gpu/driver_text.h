// A driver as it is named beside figures: "13.0 (580.95.05)", the version of CUDA that it knows and its own,
// where that is known.
#pragma once

#include <string>

namespace lockstep::run {

struct DriverVersions {
    std::string cuda, release;  // release empty: not known
};

inline std::string driverText(const DriverVersions& driver) {
    return driver.release.empty() ? driver.cuda : driver.cuda + " (" + driver.release + ")";
}

inline DriverVersions driverVersions(const std::string& text) {
    const std::size_t bracket = text.find(" (");
    if (bracket == std::string::npos || !text.ends_with(')')) return {text, {}};
    return {text.substr(0, bracket), text.substr(bracket + 2, text.size() - bracket - 3)};
}

}  // namespace lockstep::run
