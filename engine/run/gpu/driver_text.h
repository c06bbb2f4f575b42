// A driver's label beside figures: "13.0 (580.95.05)", the CUDA version it supports and, if known, its own.
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
