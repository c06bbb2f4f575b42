// Parses one --reference: what a user's own kernel is compared with.
#pragma once

#include "base/expected.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lockstep::catalog {

struct ReferenceText {
    enum class Kind : u8 {
        Table,   // matmul:M=0,N=1,P=2,width=3: a row of the catalog's references
        Kernel,  // kernel:NAME, kernel:FILE.cu:NAME, both with ,grid=X,Y,block=X,Y
        File,    // 2=FILE.npy
    } kind = Kind::Table;
    std::string written;  // all of it
    std::string name;     // of the reference or the kernel
    std::string file;     // of the kernel, empty: the same file; or the .npy
    u32 argument = 0;     // of a File
    std::vector<std::pair<std::string, std::string>> values;  // name=value, in order
};

// own_reference.h checks whether the names exist.
Expected<ReferenceText> parseReference(std::string_view text);

// "matmul:M=0,N=1,P=2; 3=x.npy" of a form's field gives its two parts.
std::vector<std::string> splitReferences(std::string_view text);

}  // namespace lockstep::catalog
