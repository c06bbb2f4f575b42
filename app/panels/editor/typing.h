// The keys with which the editor's text gets its indentation, in place of the widget's own: Enter, Tab and
// '}'.
#pragma once

#include "app/state/indentation.h"

#include <TextEditor.h>

namespace lockstep::app {

// Before the widget is drawn, where it has the keyboard: does what those that are pressed in this frame do,
// and takes them from the widget. With several cursors they are its own.
void typeIndented(TextEditor& editor, const Indentation& indentation);

}  // namespace lockstep::app
