#include "base/text/counted.h"

namespace lockstep {

std::string grouped(u64 number) {
    std::string digits = std::to_string(number);
    for (std::size_t at = digits.size(); at > 3;)
        digits.insert(at -= 3, ",");
    return digits;
}

std::string counted(u64 count, std::string_view singular) {
    return counted(count, singular, std::string(singular) + "s");
}

std::string counted(u64 count, std::string_view singular, std::string_view plural) {
    return grouped(count) + " " + std::string(isOne(count) ? singular : plural);
}

}  // namespace lockstep
