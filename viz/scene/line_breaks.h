// Where a line of Chinese text may be broken: GB/T 15834.
#pragma once

namespace lockstep::viz {

// An ideograph, before and behind which a line may end.
bool isIdeograph(char32_t c);
// Punctuation that may not end a line, and that may not begin one.
bool mayNotEnd(char32_t c);
bool mayNotBegin(char32_t c);

}  // namespace lockstep::viz
