// Another program pastes the picture: a second client of the X server that the window is on.
#if __has_include(<xcb/xcb.h>)

#include "app/shell/files/exporter.h"
#include "app/shell/window_tests/window_driver.h"
#include "base/check.h"
#include "cuda/dynamic_library.h"

#include <stb/stb_image.h>

#include <cstdlib>
#include <cstring>
#include <xcb/xcb.h>

namespace lockstep::shell {
namespace {

// The clipboard's data for a target; none if its owner refuses.
class Paster {
public:
    Paster() {
        connection_ = call<decltype(::xcb_connect)>("xcb_connect")(nullptr, nullptr);
        const auto* setup = call<decltype(::xcb_get_setup)>("xcb_get_setup")(connection_);
        const xcb_screen_t* screen =
            call<decltype(::xcb_setup_roots_iterator)>("xcb_setup_roots_iterator")(setup).data;
        window_ = call<decltype(::xcb_generate_id)>("xcb_generate_id")(connection_);
        call<decltype(::xcb_create_window)>("xcb_create_window")(
            connection_, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
            XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, nullptr);
    }
    ~Paster() { call<decltype(::xcb_disconnect)>("xcb_disconnect")(connection_); }

    std::optional<std::vector<u8>> paste(const char* target) {
        const xcb_atom_t clipboard = atom("CLIPBOARD"), property = atom("PASTED");
        call<decltype(::xcb_convert_selection)>("xcb_convert_selection")(
            connection_, window_, clipboard, atom(target), property, XCB_CURRENT_TIME);
        call<decltype(::xcb_flush)>("xcb_flush")(connection_);
        std::optional<bool> answered;
        while (!answered) {
            xcb_generic_event_t* event =
                call<decltype(::xcb_wait_for_event)>("xcb_wait_for_event")(connection_);
            if (!event) return std::nullopt;
            if ((event->response_type & 0x7f) == XCB_SELECTION_NOTIFY)
                answered = reinterpret_cast<xcb_selection_notify_event_t*>(event)->property != XCB_ATOM_NONE;
            std::free(event);
        }
        if (!*answered) return std::nullopt;
        const auto asked = call<decltype(::xcb_get_property)>("xcb_get_property")(
            connection_, 1, window_, property, XCB_ATOM_ANY, 0, 1u << 24);
        xcb_get_property_reply_t* reply =
            call<decltype(::xcb_get_property_reply)>("xcb_get_property_reply")(connection_, asked, nullptr);
        if (!reply) return std::nullopt;
        const auto* bytes =
            static_cast<const u8*>(call<decltype(::xcb_get_property_value)>("xcb_get_property_value")(reply));
        std::vector<u8> pasted(bytes, bytes + call<decltype(::xcb_get_property_value_length)>(
                                                  "xcb_get_property_value_length")(reply));
        std::free(reply);
        return pasted;
    }
    xcb_atom_t atom(const char* name) const {
        const auto asked = call<decltype(::xcb_intern_atom)>("xcb_intern_atom")(connection_, 0,
                                                                                u16(std::strlen(name)), name);
        xcb_intern_atom_reply_t* reply =
            call<decltype(::xcb_intern_atom_reply)>("xcb_intern_atom_reply")(connection_, asked, nullptr);
        const xcb_atom_t atom = reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
        std::free(reply);
        return atom;
    }

private:
    template <class Function> Function* call(const char* name) const {
        Function* function = nullptr;
        CHECK(library_ && library_->find(name, function), "the test's machine has libxcb");
        return function;
    }

    std::optional<cuda::DynamicLibrary> library_ = cuda::DynamicLibrary::open("libxcb.so.1");
    xcb_connection_t* connection_ = nullptr;
    xcb_window_t window_ = 0;
};

viz::Image decoded(const std::vector<u8>& png) {
    int width = 0, height = 0, channels = 0;
    u8* pixels = stbi_load_from_memory(png.data(), int(png.size()), &width, &height, &channels, 4);
    if (!pixels) return {};
    viz::Image image{u32(width), u32(height),
                     std::vector<u8>(pixels, pixels + std::size_t(width) * std::size_t(height) * 4)};
    stbi_image_free(pixels);
    return image;
}

TEST(ClipboardImageTest, AnotherProgramPastesTheViewAsItIsDrawn) {
    withWindow({}, [](Hand& hand) {
        hand.awaitRun();
        Paster paster;
        hand.bringUp("banks");
        hand.press(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
        EXPECT_FALSE(hand.state().fault) << describe(*hand.state().fault);
        const std::optional<std::vector<u8>> targets = paster.paste("TARGETS");
        ASSERT_TRUE(targets);
        ASSERT_EQ(targets->size(), 2 * sizeof(xcb_atom_t));
        xcb_atom_t second = 0;
        std::memcpy(&second, targets->data() + sizeof(second), sizeof(second));
        EXPECT_EQ(second, paster.atom("image/png"));
        EXPECT_FALSE(paster.paste("UTF8_STRING")) << "a picture is no text";

        const std::optional<std::vector<u8>> pasted = paster.paste("image/png");
        ASSERT_TRUE(pasted);
        const viz::Image got = decoded(*pasted),
                         want = decoded(Exporter::png(Hand::fonts(), "banks", hand.state(), {1280, 720}));
        EXPECT_EQ(std::pair(got.width, got.height), (std::pair{2560u, 1440u}))
            << "a slide at two pixels a pixel";
        EXPECT_TRUE(got.rgba == want.rgba);

        hand.press(ImGuiKey_RightArrow);
        hand.press(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_C);
        EXPECT_TRUE(paster.paste("image/png")) << "a second picture takes the first one's place";
    });
}

}  // namespace
}  // namespace lockstep::shell

#endif
