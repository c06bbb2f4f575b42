// A view that was added as a row has a tab in the window.
#include "app/shell/window_tests/window_driver.h"
#include "viz/testing/added_view.h"

namespace lockstep::shell {
namespace {

TEST(OneMoreViewWindowTest, HasATabAndSaysItsSentence) {
    (void)viz::addedView();
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        hand.bringUp("added");
        EXPECT_EQ(hand.scene("added").sentence, "The added view speaks.");
        EXPECT_EQ(hand.state().turnedTo, "added");
    });
}

}  // namespace
}  // namespace lockstep::shell
