// Answers to an entry's question as they are read aloud: the right one, and what students say instead.
#pragma once

#include "lessons/step_on_show.h"

namespace lockstep::playlists {

// The right answer, as Markdown: a list where it has several parts.
std::string answerInWords(const lessons::StepOnShow& question, Language language);
// Any answer in one line, without a full stop: "Wavefronts: more; banks used: less" for "wavefronts more,
// banks_used less".
std::string answerInOneLine(const lessons::StepOnShow& question, std::string_view answer, Language language);
// The question as its audience reads it: what is asked, and what can be chosen from or what may change.
std::string questionInWords(const lessons::StepOnShow& question, Language language);

}  // namespace lockstep::playlists
