// Puts a picture on the desktop's clipboard. GLFW supports only text, so on X11 a window of our own owns the
// selection; other systems are not supported yet, and the Fault says what to do instead.
#pragma once

#include "base/expected.h"

#include <memory>
#include <vector>

namespace lockstep::shell {

class ClipboardImage {
public:
    ClipboardImage();
    ~ClipboardImage();  // the picture is lost when we exit, as usual on X11

    // Offers a PNG for pasting, until something else is copied anywhere. Available when this returns.
    Expected<void> offer(std::vector<u8> png);

private:
    class Owner;
    std::unique_ptr<Owner> owner_;
};

}  // namespace lockstep::shell
