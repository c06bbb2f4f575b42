#include "app/shell/drawing/clipboard_image.h"

#if defined(__linux__) && __has_include(<xcb/xcb.h>)
#define LOCKSTEP_HAS_XCB 1
#else
#define LOCKSTEP_HAS_XCB 0
#endif

#if LOCKSTEP_HAS_XCB
#include "cuda/dynamic_library.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>
#include <xcb/xcb.h>
#endif

namespace lockstep::shell {
namespace {

Fault noPictures() {
    return fail(FaultKind::Unsupported,
                english("this desktop's clipboard takes text from us but no pictures (that needs X11 and "
                        "libxcb); export the view with Ctrl E and insert the file"))
        .value();
}

}  // namespace

#if LOCKSTEP_HAS_XCB

namespace {

// libxcb, loaded at run time: the program also runs on systems without X11.
struct Xcb {
    std::optional<cuda::DynamicLibrary> library = cuda::DynamicLibrary::open("libxcb.so.1");
    bool complete = library.has_value();

    template <class Function> Function* find(const char* name) {
        Function* function = nullptr;
        complete = complete && library->find(name, function);
        return function;
    }
    decltype(::xcb_connect)* connect = find<decltype(::xcb_connect)>("xcb_connect");
    decltype(::xcb_disconnect)* disconnect = find<decltype(::xcb_disconnect)>("xcb_disconnect");
    decltype(::xcb_connection_has_error)* connection_has_error =
        find<decltype(::xcb_connection_has_error)>("xcb_connection_has_error");
    decltype(::xcb_get_file_descriptor)* get_file_descriptor =
        find<decltype(::xcb_get_file_descriptor)>("xcb_get_file_descriptor");
    decltype(::xcb_get_setup)* get_setup = find<decltype(::xcb_get_setup)>("xcb_get_setup");
    decltype(::xcb_setup_roots_iterator)* setup_roots_iterator =
        find<decltype(::xcb_setup_roots_iterator)>("xcb_setup_roots_iterator");
    decltype(::xcb_generate_id)* generate_id = find<decltype(::xcb_generate_id)>("xcb_generate_id");
    decltype(::xcb_create_window)* create_window = find<decltype(::xcb_create_window)>("xcb_create_window");
    decltype(::xcb_intern_atom)* intern_atom = find<decltype(::xcb_intern_atom)>("xcb_intern_atom");
    decltype(::xcb_intern_atom_reply)* intern_atom_reply =
        find<decltype(::xcb_intern_atom_reply)>("xcb_intern_atom_reply");
    decltype(::xcb_set_selection_owner)* set_selection_owner =
        find<decltype(::xcb_set_selection_owner)>("xcb_set_selection_owner");
    decltype(::xcb_get_selection_owner)* get_selection_owner =
        find<decltype(::xcb_get_selection_owner)>("xcb_get_selection_owner");
    decltype(::xcb_get_selection_owner_reply)* get_selection_owner_reply =
        find<decltype(::xcb_get_selection_owner_reply)>("xcb_get_selection_owner_reply");
    decltype(::xcb_change_property)* change_property =
        find<decltype(::xcb_change_property)>("xcb_change_property");
    decltype(::xcb_send_event)* send_event = find<decltype(::xcb_send_event)>("xcb_send_event");
    decltype(::xcb_get_maximum_request_length)* get_maximum_request_length =
        find<decltype(::xcb_get_maximum_request_length)>("xcb_get_maximum_request_length");
    decltype(::xcb_poll_for_event)* poll_for_event =
        find<decltype(::xcb_poll_for_event)>("xcb_poll_for_event");
    decltype(::xcb_flush)* flush = find<decltype(::xcb_flush)>("xcb_flush");
};

struct Free {
    void operator()(void* memory) const { std::free(memory); }
};
template <class Value> using Freed = std::unique_ptr<Value, Free>;

}  // namespace

// One picture's owner: a connection, an invisible window and a thread that answers requests until
// another owner comes.
class ClipboardImage::Owner {
public:
    explicit Owner(std::vector<u8> png) : png_(std::move(png)) {
        if (!xcb_.complete) return;
        connection_ = xcb_.connect(nullptr, nullptr);
        if (xcb_.connection_has_error(connection_)) return;
        const xcb_screen_t* screen = xcb_.setup_roots_iterator(xcb_.get_setup(connection_)).data;
        window_ = xcb_.generate_id(connection_);
        xcb_.create_window(connection_, XCB_COPY_FROM_PARENT, window_, screen->root, 0, 0, 1, 1, 0,
                           XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual, 0, nullptr);
        clipboard_ = atom("CLIPBOARD"), targets_ = atom("TARGETS"), image_ = atom("image/png");
        xcb_.set_selection_owner(connection_, window_, clipboard_, XCB_CURRENT_TIME);
        const Freed<xcb_get_selection_owner_reply_t> owner(xcb_.get_selection_owner_reply(
            connection_, xcb_.get_selection_owner(connection_, clipboard_), nullptr));
        if (!owner || owner->owner != window_) return;
        stop_ = eventfd(0, EFD_CLOEXEC);
        if (stop_ >= 0) thread_ = std::thread([this] { serve(); });
    }
    ~Owner() {
        if (thread_.joinable()) {
            const u64 one = 1;
            if (write(stop_, &one, sizeof(one)) == sizeof(one))
                thread_.join();
            else
                thread_.detach();
        }
        if (stop_ >= 0) close(stop_);
        if (connection_) xcb_.disconnect(connection_);
    }
    Owner(const Owner&) = delete;
    Owner& operator=(const Owner&) = delete;

    bool isOffered() const { return thread_.joinable(); }

private:
    xcb_atom_t atom(std::string_view name) const {
        const Freed<xcb_intern_atom_reply_t> reply(xcb_.intern_atom_reply(
            connection_, xcb_.intern_atom(connection_, 0, u16(name.size()), name.data()), nullptr));
        return reply ? reply->atom : xcb_atom_t{XCB_ATOM_NONE};
    }

    void serve() {
        std::array<pollfd, 2> both{pollfd{xcb_.get_file_descriptor(connection_), POLLIN, 0},
                                   pollfd{stop_, POLLIN, 0}};
        while (!xcb_.connection_has_error(connection_)) {
            while (const Freed<xcb_generic_event_t> event{xcb_.poll_for_event(connection_)}) {
                constexpr u8 kKind = 0x7f;  // the bit above: sent by a client
                if ((event->response_type & kKind) == XCB_SELECTION_CLEAR) return;
                if ((event->response_type & kKind) == XCB_SELECTION_REQUEST)
                    answer(*reinterpret_cast<const xcb_selection_request_event_t*>(event.get()));
            }
            if (poll(both.data(), both.size(), -1) < 0 || both[1].revents) return;
        }
    }

    // Inter-Client Communication Conventions Manual, "Responsibilities of the Selection Owner": the answer is
    // stored in the requested property, or the request is refused with no property.
    void answer(const xcb_selection_request_event_t& request) const {
        xcb_selection_notify_event_t notify{};
        notify.response_type = XCB_SELECTION_NOTIFY;
        notify.time = request.time;
        notify.requestor = request.requestor;
        notify.selection = request.selection;
        notify.target = request.target;
        notify.property =
            request.property == XCB_ATOM_NONE ? request.target : request.property;  // as old clients ask
        constexpr u64 kHeader = 32;
        const bool fits = png_.size() + kHeader < u64{4} * xcb_.get_maximum_request_length(connection_);
        if (request.target == targets_) {
            const std::array<xcb_atom_t, 2> all{targets_, image_};
            xcb_.change_property(connection_, XCB_PROP_MODE_REPLACE, request.requestor, notify.property,
                                 XCB_ATOM_ATOM, 32, u32(all.size()), all.data());
        } else if (request.target == image_ && fits) {
            xcb_.change_property(connection_, XCB_PROP_MODE_REPLACE, request.requestor, notify.property,
                                 image_, 8, u32(png_.size()), png_.data());
        } else {
            notify.property = XCB_ATOM_NONE;
        }
        std::array<char, 32> event{};  // complete, as every event is
        std::memcpy(event.data(), &notify, sizeof(notify));
        xcb_.send_event(connection_, 0, request.requestor, XCB_EVENT_MASK_NO_EVENT, event.data());
        xcb_.flush(connection_);
    }

    Xcb xcb_;
    std::vector<u8> png_;
    xcb_connection_t* connection_ = nullptr;
    xcb_window_t window_ = 0;
    xcb_atom_t clipboard_ = 0, targets_ = 0, image_ = 0;
    int stop_ = -1;
    std::thread thread_;
};

Expected<void> ClipboardImage::offer(std::vector<u8> png) {
    auto owner = std::make_unique<Owner>(std::move(png));
    if (!owner->isOffered()) return Unexpected{noPictures()};
    owner_ = std::move(owner);
    return {};
}

#else

class ClipboardImage::Owner {};

Expected<void> ClipboardImage::offer(std::vector<u8>) { return Unexpected{noPictures()}; }

#endif

ClipboardImage::ClipboardImage() = default;
ClipboardImage::~ClipboardImage() = default;

}  // namespace lockstep::shell
