#include "viz/marks/size_text.h"

#include "base/text/punctuation.h"

namespace lockstep::viz {

std::string sizeText(std::span<const run::Setting> size, Language language) {
    std::string text;
    for (const auto& [name, value] : size) {
        if (!text.empty()) text += listComma(language);
        text.append(name).append(" = ").append(value);
    }
    return text;
}

}  // namespace lockstep::viz
