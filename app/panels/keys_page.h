// The table of keys: all of them by group, and a field that finds one by what it does.
#pragma once

#include "app/panels/panel.h"
#include "app/state/state.h"

#include <string>
#include <string_view>
#include <vector>

namespace lockstep::app {

// A group's title, or a key and what it does.
struct KeyRow {
    bool isTitle = false;
    std::string keys;     // as shown; empty: found in the palette, by its name
    std::string does;     // in the current language
    std::string english;  // is searched as well
};

// All keys of the window, of presenting and lecturing, and of the editor, by group; with a query the rows
// that have each of its words in their key, text or group.
std::vector<KeyRow> keyRows(const State& state, std::string_view query = {});

class KeysPage {
public:
    void draw(PanelContext& context);  // if it is open

private:
    std::string query_;
    bool wasOpen_ = false;
};

}  // namespace lockstep::app
