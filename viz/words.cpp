// Numbers for people.
#include "viz/words.h"

namespace lockstep::viz {

std::string grouped(u64 number) {
    std::string text = std::to_string(number);
    for (std::size_t i = text.size(); i > 3;) {
        i -= 3;
        text.insert(i, ",");
    }
    return text;
}

}  // namespace lockstep::viz
