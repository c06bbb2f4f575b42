// Opens a file where the desktop has no dialog for it: a folder's files to choose from, by mouse or keyboard.
#pragma once

#include "app/panels/panel.h"

#include <filesystem>
#include <string>
#include <vector>

namespace lockstep::app {

class FileBrowser {
public:
    // A dialog while State::browsing.
    void draw(PanelContext& context);

private:
    struct Entry {
        std::string name;
        bool isFolder = false;
    };
    void go(const std::filesystem::path& folder);
    std::vector<const Entry*> matching() const;
    void choose(PanelContext& context, const Entry& entry);
    void choosePath(PanelContext& context);
    void drawRows(PanelContext& context, const std::vector<const Entry*>& rows, f32 width);

    std::filesystem::path folder_;
    std::vector<Entry> entries_;
    std::string typed_;  // part of a name, or a path
    int selected_ = 0;
    bool isOpen_ = false, takesKeys_ = false, scrolls_ = false;
};

}  // namespace lockstep::app
