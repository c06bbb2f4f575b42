// The launch form for a user's own kernel, in command-line syntax.
#pragma once

#include "app/panels/panel.h"
#include "app/state/own_launch.h"
#include "base/text/words.h"

#include <array>
#include <string>
#include <vector>

namespace lockstep::app {

class OwnKernelForm {
public:
    // Shown above everything else while the state has the question.
    void draw(PanelContext& context);

private:
    void begin(const OwnKernelDialog& dialog);
    void drawFields(PanelContext& context);
    void drawReference(PanelContext& context);
    void drawNotes(PanelContext& context, const run::ProposedLaunch* proposed);
    void field(PanelContext& context, const char* id, LaunchField of, std::string_view title,
               const Words& help, std::string& value);
    Choice choice() const;

    bool wasOpen_ = false;
    OwnKernel asked_;                   // as the question had it
    OwnKernel kernel_;                  // with the edits so far
    std::string defines_;               // with spaces between
    std::string reference_;             // several with ; between
    std::vector<std::string> further_;  // launches, and an empty one to be written
    OwnKernel proposedFor_;             // whose proposals these are
    std::vector<std::string> proposed_;
};

}  // namespace lockstep::app
