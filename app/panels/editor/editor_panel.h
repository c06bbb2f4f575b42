// The editor: the files that are open in it, a tab each, with what was found at their lines.
#pragma once

#include "app/panels/panel.h"
#include "app/state/text_search.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace lockstep::app {

class EditorPanel {
public:
    EditorPanel();
    ~EditorPanel();
    EditorPanel(const EditorPanel&) = delete;
    EditorPanel& operator=(const EditorPanel&) = delete;

    // Fills the current ImGui window.
    void draw(PanelContext& context);
    // Whether what is typed goes into the text.
    bool hasKeyboard() const { return hasKeyboard_; }

private:
    struct Page;  // a file, in the library's widget

    void takeOver(PanelContext& context);
    void drawTabs(PanelContext& context);
    void drawQuestion(PanelContext& context, const EditedText& text);
    void drawFind(PanelContext& context, Page& page);
    void drawText(PanelContext& context, const EditedText& text, Page& page, f32 height);
    f32 drawNotices(PanelContext& context, const EditedText& text, f32 right);
    void drawStatus(PanelContext& context, const EditedText& text, Page& page);
    // From the selection on, or back; around the ends of the text.
    void find(Page& page, int by);
    void findFirst(Page& page);
    void count(const Page& page);
    void drawCount(PanelContext& context, const Page& page);

    std::map<std::string, std::unique_ptr<Page>> pages_;
    std::string selected_;  // the tab in front, as ImGui has it
    u32 timesFocused_ = 0, timesTurnedTo_ = 0;
    bool hasKeyboard_ = false;
    bool isFinding_ = false, focusesFind_ = false, tellsCase_ = false;
    std::string wanted_, replacement_;
    struct Counted {
        SharedText text;
        std::string wanted;
        bool tellsCase = false;
        bool operator==(const Counted&) const = default;
    } counted_;  // what these are of
    std::vector<TextPlace> places_;
    f32 top_ = 0;  // of the window's contents
};

}  // namespace lockstep::app
