// A function of the file as a call needs it, and what it may be given: what an expression is.
#pragma once

#include "source/declarations.h"
#include "source/value.h"

#include <optional>
#include <string>
#include <vector>

namespace lockstep::source {

struct Parameter {
    Type type = {};
    std::string name = {};
    std::size_t first = 0, last = 0, defaultFirst = 0;
    bool isTemplateType = false;
    bool hasConstant = false;
};

struct Function {
    std::string name;
    Declaration declaration;
    std::vector<Parameter> parameters = {}, templateParameters = {};
};

struct Result {
    Value value;
    bool hasPlace = false, isElement = false;
    Place place = {};
    Value element = {}, index = {};  // of an element: a pointer to the array, and which
    std::string word = {};           // a name and nothing else
    std::vector<TokenRange> templateArguments = {};
    bool hasTemplateArguments = false;
};

bool acceptsArguments(const Function& function, std::size_t count);
// T of a parameter `T x` or `const T* x`, from what it is given.
std::optional<Type> deduced(const Function& function, const std::string& name,
                            const std::vector<Result>& arguments);
// "mm" of "course::mm".
std::string unqualified(const std::string& name);
bool isCudaCall(const std::string& name);
// What dim3 makes of its arguments.
Value dimensionsOf(const std::vector<Result>& items);

}  // namespace lockstep::source
