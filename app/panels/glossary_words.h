// What the window says around the glossary's own texts.
#pragma once

#include "viz/words.h"

namespace lockstep::app::words {

using viz::Words;

inline constexpr Words kGlossaryEntry{"Glossary: {0}", "术语：{0}"};
inline constexpr Words kGlossarySee{"See also", "另见"};
inline constexpr Words kGlossarySeeLine{"See also: {0}", "另见：{0}"};
inline constexpr Words kGlossaryBetween{", ", "、"};
inline constexpr Words kGlossaryOpens{"A right click opens it", "右键单击打开"};
inline constexpr Words kGlossaryTermHelp{"Shows what this term means", "显示这个术语的含义"};
inline constexpr Words kGlossaryPage{"All terms", "全部术语"};
inline constexpr Words kGlossaryPageHelp{"Opens the page with all terms, in English and Chinese",
                                         "打开列有全部术语的页面（中英文对照）"};
inline constexpr Words kGlossaryUnderline{"Underline glossary terms, or stop doing so",
                                          "给术语加下划线，或不再加下划线"};

}  // namespace lockstep::app::words
