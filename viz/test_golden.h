// For tests: pictures as SVG text, exactly as they were looked at and found good. LOCKSTEP_UPDATE_GOLDEN=1 writes the files anew;
// look at them before they are committed.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "base/integers.h"

namespace lockstep::viz {

// Compares with tests/golden/<name>.svg.
inline void expectGolden(const std::string& name, const std::string& svg) {
    const std::string path = std::string(LOCKSTEP_SOURCE_DIR) + "/tests/golden/" + name + ".svg";
    if (std::getenv("LOCKSTEP_UPDATE_GOLDEN")) return (void)(std::ofstream(path, std::ios::binary) << svg);
    std::ostringstream golden;
    golden << std::ifstream(path, std::ios::binary).rdbuf();
    std::istringstream want(golden.str()), got(svg);
    std::string wantLine, gotLine;
    u32 line = 1;
    while (std::getline(want, wantLine) && std::getline(got, gotLine) && wantLine == gotLine) ++line;
    EXPECT_TRUE(golden.str() == svg) << name << ".svg differs first in line " << line << "\nexpected: " << wantLine << "\nactual:   " << gotLine;
}

}  // namespace lockstep::viz
