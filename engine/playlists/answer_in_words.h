// The right answer of an entry's question, as it is read aloud.
#pragma once

#include "lessons/step_on_show.h"

namespace lockstep::playlists {

// As Markdown: a list where it has several parts.
std::string answerInWords(const lessons::StepOnShow& question, Language language);

}  // namespace lockstep::playlists
