// For tests: the real window, driven by Dear ImGui Test Engine as a user would, with mouse and keys.
#pragma once

#include "app/shell/loop.h"

#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <imgui_te_context.h>
#include <imgui_te_engine.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>

namespace lockstep::shell {

// What a test's hand can do. All of it happens frame by frame; what comes back is the state after it.
class Hand {
public:
    Hand(ImGuiTestContext& test, Loop& loop, const Window& window, std::string& screenshot)
        : test_(test), loop_(loop), window_(window), screenshot_(screenshot) {}

    const app::State& state() const { return loop_.state(); }
    const std::string& sentence() const { return loop_.mainWindow().sentence(); }
    const app::MainWindow& window() const { return loop_.mainWindow(); }
    const NotesWindow* notes() const { return loop_.notes(); }
    const viz::Scene& scene(std::string_view view) const { return *loop_.mainWindow().sceneOf(view); }

    static const viz::Fonts& fonts();  // of the build

    void click(const char* item) { test_.ItemClick(item), test_.Yield(2); }
    void doubleClick(const char* item) { test_.ItemDoubleClick(item), test_.Yield(2); }
    void press(ImGuiKeyChord key) { test_.KeyPress(key), test_.Yield(2); }
    void type(const char* field, int number) { test_.ItemInputValue(field, number), test_.Yield(2); }
    void write(const char* field, const char* text) {
        test_.ItemInputValue(field, text);
        test_.Yield(2);
    }
    void write(const char* text) { test_.KeyChars(text), test_.Yield(2); }  // to whatever has the keyboard
    void text(const char* field, const char* value) {
        test_.ItemInput(field), test_.KeyCharsReplace(value), test_.Yield(2);
    }                                     // without Enter
    void drop(const std::string& path) {  // a file, onto the window
        const char* paths[] = {path.c_str()};
        loop_.dropped(1, paths);
        test_.Yield(2);
    }
    void dropAll(const std::vector<std::string>& files) {
        std::vector<const char*> paths;
        for (const std::string& file : files)
            paths.push_back(file.c_str());
        loop_.dropped(int(paths.size()), paths.data());
        test_.Yield(2);
    }
    void choose(const char* list, const std::string& row) {
        click(list);
        chooseOpen(row);
    }
    // Of the list or menu that is open.
    void chooseOpen(const std::string& row) {
        const ImGuiID popup = ImGui::GetCurrentContext()->OpenPopupStack.back().Window->ID;
        test_.SetRef(ImGui::FindWindowByID(popup));
        test_.ItemClick(row.c_str());
        test_.SetRef("");
        test_.Yield(2);
    }
    // ImGui's ids of what can be clicked or written into in a window, and of what they are parts of.
    struct Item {
        ImGuiID id, parent;
        std::string label;
    };
    std::vector<Item> itemsOf(const char* window) {
        ImGuiTestItemList list;
        test_.GatherItems(&list, ImGuiTestRef(window), 8);
        std::vector<Item> items;
        for (const ImGuiTestItemInfo& info : list)
            items.push_back({info.ID, info.ParentID, info.DebugLabel});
        return items;
    }
    ImGuiID idOf(const char* item) { return test_.GetID(item); }
    ImRect rectOf(const ImGuiTestRef& item) { return test_.ItemInfo(item).RectFull; }
    void listControls(std::vector<app::HelpedControl>* controls) {
        loop_.listControls(controls), test_.Yield(2);
    }
    void listTexts(std::vector<app::DrawnText>* texts) { loop_.listTexts(texts), test_.Yield(2); }
    // Some text of the next frames has this in it.
    bool isDrawn(const std::string& wanted) {
        std::vector<app::DrawnText> texts;
        listTexts(&texts);
        listTexts(nullptr);
        return std::ranges::any_of(
            texts, [&](const app::DrawnText& text) { return text.text.find(wanted) != std::string::npos; });
    }

    void frames(int count) { test_.Yield(count); }
    void drag(ImVec2 from, ImVec2 to) {
        test_.MouseMoveToPos(from);
        test_.MouseDown();
        test_.Yield(2);
        test_.MouseMoveToPos(to);
        test_.Yield(2);
        test_.MouseUp();
        test_.Yield(2);
    }
    void dragWith(ImGuiKey held, ImVec2 from, ImVec2 to) {
        test_.KeyDown(held);
        drag(from, to);
        test_.KeyUp(held);
        test_.Yield(2);
    }
    void hover(ImVec2 at) { test_.MouseMoveToPos(at), test_.Yield(3); }
    void click(ImVec2 at) {
        hover(at);
        test_.MouseClick();
        test_.Yield(3);
    }
    void rightClick(ImVec2 at) {
        hover(at);
        test_.MouseClick(ImGuiMouseButton_Right);
        test_.Yield(2);
    }
    void wheel(ImVec2 at, float notches) {
        test_.MouseMoveToPos(at);
        test_.MouseWheelY(notches);
        test_.Yield(2);
    }
    void wheelAcross(ImVec2 at, float notches) {
        test_.MouseMoveToPos(at);
        test_.MouseWheelX(notches);
        test_.Yield(2);
    }
    void wheelWith(ImGuiKey held, ImVec2 at, float notches) {
        test_.KeyDown(held);
        wheel(at, notches);
        test_.KeyUp(held);
    }
    // Nothing is drawn until something happens.
    bool isQuiet() const { return loop_.pause() > 0; }
    void resize(viz::Size size) {
        window_.resize(size);
        for (int frame = 0; frame < 60 && ImGui::GetMainViewport()->Size.x != size.width; ++frame)
            test_.Yield();
        test_.Yield(4);
    }
    // Into screenshots/ of the build folder.
    void photograph(const std::string& name) {
        test_.MouseMoveToPos({ImGui::GetMainViewport()->Size.x - 2, ImGui::GetMainViewport()->Size.y - 2});
        test_.Yield(5);  // docks come to rest
        screenshot_ = name;
        test_.Yield(2);
    }
    void bringUp(const char* view) {
        ImGuiWindow* window = ImGui::FindWindowByName(("###" + std::string(view)).c_str());
        ASSERT_NE(window, nullptr) << "there is no window for the view " << view;
        test_.ItemClick(window->TabId);
        test_.Yield(3);
    }
    void doubleClickTab(const char* view) {
        ImGuiWindow* window = ImGui::FindWindowByName(("###" + std::string(view)).c_str());
        ASSERT_NE(window, nullptr) << "there is no window for the view " << view;
        test_.ItemDoubleClick(window->TabId);
        test_.Yield(3);
    }
    static ImGuiWindow* windowOf(const char* name) { return ImGui::FindWindowByName(name); }
    // Draws frames until the condition holds; fails after a minute, under the thread sanitizer after ten.
    template <class Condition> void await(Condition&& condition, const char* what) {
#ifdef __SANITIZE_THREAD__
        constexpr std::chrono::minutes kMost{10};
#else
        constexpr std::chrono::minutes kMost{1};
#endif
        const auto begin = std::chrono::steady_clock::now();
        while (!condition()) {
            test_.Yield();
            ASSERT_LT(std::chrono::steady_clock::now() - begin, kMost) << "waited in vain: " << what;
        }
        test_.Yield(3);
    }
    // With its machine code, which takes the run's place a little later.
    void awaitRun() {
        await(
            [this] {
                return state().run && !state().job.running &&
                       (state().run->machine || !state().run->recording.complete);
            },
            "the run ends");
    }

private:
    ImGuiTestContext& test_;
    Loop& loop_;
    const Window& window_;
    std::string& screenshot_;
};

// Opens the window on the default example, or on `request`'s choice, lets the hand do its work and closes it.
void withWindow(const std::function<void(Request&)>& prepare, const std::function<void(Hand&)>& work);

}  // namespace lockstep::shell
