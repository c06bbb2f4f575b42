// PTX for the tests of this folder.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "ptx/module.h"

namespace lockstep::ptx {

inline const std::string kHead = ".version 9.0\n.target sm_90\n.address_size 64\n";

inline Module parsed(std::string text) {
    Expected<Module> module = parse(std::move(text), "test.ptx");
    if (!module) {
        ADD_FAILURE() << describe(module.error());
        return {};
    }
    return std::move(*module);
}

// The message, place included, of a text that must be refused.
inline std::string refusal(std::string text) {
    const Expected<Module> module = parse(std::move(text), "test.ptx");
    return module ? "parsed without a complaint" : describe(module.error());
}

}  // namespace lockstep::ptx
