// PTX for the tests of this folder.
#pragma once

#include "ptx/module.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

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

inline std::string fixture(const std::string& name) {
    std::ifstream file(std::string(LOCKSTEP_SOURCE_DIR) + "/tests/ptx/" + name, std::ios::binary);
    EXPECT_TRUE(file) << "tests/ptx/" << name;
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

// `body` from line 8 on, in a kernel that has registers of every type (%p, %rs, %r, %rd, %rq, %f, %fd),
// variables of every space and the label $here.
inline std::string kernelOf(const std::string& body) {
    return kHead +
           ".global .u32 g[4]; .const .f32 k[4]; .extern .shared .b8 dynamic[];\n"
           ".entry kernel(.param .u64 pointer, .param .u32 count) {\n"
           ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .b128 %rq<9>;\n"
           ".reg .f32 %f<9>; .reg .f64 %fd<9>; .shared .align 8 .b8 tile[64]; .local .b8 depot[8]; $here:\n" +
           body + "\nret; }\n";
}

}  // namespace lockstep::ptx
