// What the source view says of lines.
#include "reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lockstep::witness {

using Kind = Token::Kind;
using trace::AccessKind, trace::Space;

// "Line 9: 8 warp instructions, 4 sectors, ...": of that line in the grid.
void Reader::lineHover(const Said& said) {
    if (!said.isHover || picture_.view != "source" || tokens_->front().noun != "line" ||
        tokens_->front().begin > 8)
        return;
    const u32 line = u32(tokens_->front().value);
    const auto found = run_.ofLine().find(line);
    mark(tokens_->front());
    const PcSums sums = found == run_.ofLine().end() ? PcSums{} : found->second;
    for (std::size_t i = 1; i < tokens_->size(); ++i) {
        const Token& token = (*tokens_)[i];
        const std::map<std::string_view, u64> known{
            {"instruction", sums.executions}, {"sector", sums.sectors},   {"transaction", sums.sectors},
            {"wavefront", sums.wavefronts},   {"branch", sums.divergent}, {"divergence", sums.divergent}};
        const auto fact = known.find(token.noun);
        if (fact == known.end()) continue;
        done_[i] = true;
        if (!agrees(token, f64(fact->second)))
            fail(said, text_.substr(token.begin, token.end - token.begin),
                 fmt::format("line {} has {}", line, fact->second));
    }
}

}  // namespace lockstep::witness
