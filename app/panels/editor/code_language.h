// CUDA C++ for the editor's widget, and its colors.
#pragma once

#include "viz/scene/theme.h"

#include <TextEditor.h>

namespace lockstep::app {

const TextEditor::Language& cudaLanguage();
TextEditor::Palette paletteOf(const viz::Theme& theme);

}  // namespace lockstep::app
