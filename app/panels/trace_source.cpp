#include "app/panels/trace_source.h"

#include "app/panels/words.h"
#include "run/run.h"

namespace lockstep::app {

std::string traceOf(const State& state) {
    const run::Run& run = *state.run;
    const Words& source = run.traceSource == "gpu"         ? words::kGpu
                          : run.traceSource == "recording" ? words::kTraceRecording
                                                           : words::kTraceEmulator;
    return say(state.language, words::kTraceBy, source.in(state.language));
}

std::string traceHover(const State& state) {
    std::string text(words::kTraceHover.in(state.language));
    for (const Fault& note : state.run->notes)
        text += "\n" + describe(note, state.language);
    return text;
}

}  // namespace lockstep::app
