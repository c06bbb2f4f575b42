#include "base/fault.h"

namespace lockstep {

std::string describe(const Fault& fault, Language language) {
    std::string text;
    if (!fault.place.file.empty()) {
        text = fault.place.file;
        if (fault.place.line) text += ":" + std::to_string(fault.place.line);
        if (fault.place.line && fault.place.column) text += ":" + std::to_string(fault.place.column);
        text += ": ";
    }
    return text + fault.message.in(language);
}

}  // namespace lockstep
