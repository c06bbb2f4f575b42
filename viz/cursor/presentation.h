// What is shown in a hall: one view in letters that its last row reads, without what cannot be said in such
// letters, and the sentence.
#pragma once

#include "viz/view.h"

namespace lockstep::viz {

// Where things are in a window that presents, in its pixels.
struct HallLayout {
    f32 screen = 1;  // a pixel of 1440 x 900
    f32 letters =
        1;  // a logical pixel of the view: its smallest letters are as high as the last row needs them
    Rect view, sentence;
    Size viewSize() const { return {view.width / letters, view.height / letters}; }
};
// sentence: how high the text of the sentence is; a long one takes room from the view, up to a share of the
// window.
HallLayout hallLayout(Size window, f32 sentence = 0);
// The most that the text of a sentence may be high.
f32 mostOfSentence(Size window);

// The view as a hall sees it, without letters that are smaller than the type scale's least: those that a view
// shrinks to fit a cell.
Scene presented(const ViewRow& view, ViewInput in);

}  // namespace lockstep::viz
