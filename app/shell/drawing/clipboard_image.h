// A picture on the desktop's clipboard. GLFW carries text only, so on X11 a window of our own owns the
// selection; other systems have none of this yet, and the Fault says what to do instead.
#pragma once

#include "base/expected.h"

#include <memory>
#include <vector>

namespace lockstep::shell {

class ClipboardImage {
public:
    ClipboardImage();
    ~ClipboardImage();  // the picture goes with us, as X11 has it

    // Offers a PNG to whoever pastes, until something else is copied anywhere. It is there when this returns.
    Expected<void> offer(std::vector<u8> png);

private:
    class Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace lockstep::shell
