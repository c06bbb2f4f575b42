// The window's main loop: events to actions, actions to the state, the state to a picture. Nothing is drawn
// while nothing changes.
#pragma once

#include "app/shell/backends.h"
#include "app/shell/background_tasks.h"
#include "app/shell/drawing/clipboard_image.h"
#include "app/shell/drawing/gui.h"
#include "app/shell/drawing/kept_frame.h"
#include "app/shell/files/exporter.h"
#include "app/shell/files/file_watcher.h"
#include "app/shell/files/preferences.h"
#include "app/shell/files/recent_file.h"
#include "app/shell/files/unsaved_file.h"
#include "app/shell/lesson_desk.h"
#include "app/shell/notes_window.h"
#include "app/shell/playlist_desk.h"
#include "app/shell/program_desk.h"
#include "app/shell/runner.h"
#include "app/shell/shell.h"
#include "app/shell/window.h"

#include <chrono>
#include <vector>

namespace lockstep::shell {

class Loop {
public:
    Loop(const Request& request, const viz::Fonts& fonts, Window& window);
    ~Loop();  // keeps the user's arrangement; preferences and recent experiments are kept when they change

    // Runs until the window is closed, or for the request's number of frames.
    void run();
    // One frame, drawn but not yet on screen, even if nothing requires it.
    void draw();

    void apply(const app::Action& action);
    void dropped(int count, const char** paths);  // files, onto the window
    // Seconds until the next frame is due unless an event arrives; 0: now.
    bool isRunUnderWay() const;
    bool isQuiet() const;
    f64 pause() const;
    // The window's own units a logical pixel of the interface.
    f32 scale() const;
    FrameTimes& timesNow();
    const app::State& state() const { return state_; }
    const NotesWindow* notes() const { return notes_.get(); }  // null: it is closed
    const app::MainWindow& mainWindow() const { return gui_.window(); }
    void listControls(std::vector<app::HelpedControl>* controls) { gui_.listControls(controls); }
    void listTexts(std::vector<app::DrawnText>* texts) { gui_.listTexts(texts); }

private:
    using Clock = std::chrono::steady_clock;

    void carryOut(app::StartRun& job);
    void carryOut(app::ReadMachineCode& wanted);
    void carryOut(app::TimeIssues& wanted);
    void carryOut(app::SearchOrders& wanted);
    void carryOut(app::RunSweep& job);
    void carryOut(app::StopSweep&);
    void carryOut(app::StartExport& job);
    void carryOut(app::StopExport& stop);
    void carryOut(app::PutOnClipboard& wanted);
    void carryOut(app::ReadRecording& task);
    void carryOut(app::LookForKernels& task);
    void carryOut(app::StopLook&);
    void carryOut(app::StartFetch& wanted);
    void carryOut(app::AskForFile& task);
    void carryOut(app::AskWhereToSave& task);
    void carryOut(app::ShowPage& task);
    void carryOut(app::LessonTask& task);
    void carryOut(app::PlaylistTask& task);
    void carryOut(app::ProgramTask& task);
    void carryOut(app::EditorTask& task);
    void keepUnsaved();
    void drawTimeline(const std::string& name);
    bool takeArrived();
    static bool inputWaits();
    void drawNotes();
    void keep();
    void keepProgress();
    Preferences now() const;
    f64 elapsedSinceLastFrame(bool wasQuiet);
    void drawOnScreen();
    void present();
    void timeChanges();
    void fillScreen();
    void watchOwnFile();
    std::filesystem::path layoutFileOf(std::string_view task) const;

    static constexpr int kSettlingFrames = 3;
    Window& window_;
    Gui gui_;
    Backends backends_;
    std::optional<KeptFrame> keptFrame_;  // if OpenGL runs in software
    std::unique_ptr<NotesWindow> notes_;  // null: it is closed
    std::string lecture_;                 // the playlist that the notes are of
    Clock::time_point lectureBegan_ = Clock::now(), notesDrawn_{};
    std::shared_ptr<const RecordedMachines> machines_;
    app::State state_;
    Runner runner_;
    const viz::Fonts& fonts_;
    Exporter exporter_;
    ClipboardImage clipboard_;
    std::stop_source look_;  // ends the last app::LookForKernels
    BackgroundTasks errands_;
    ProgramDesk programDesk_;
    FileWatcher watcher_;
    Preferences kept_{};
    Recent keptRecent_{};
    std::optional<viz::Cursor> place_;  // where the window was closed
    UnsavedFile unsaved_;
    std::shared_ptr<LessonDesk> lessonDesk_;
    std::shared_ptr<PlaylistDesk> playlistDesk_;
    lessons::Progress keptProgress_{};
    std::string watched_;
    std::filesystem::path documentation_;
    std::filesystem::path resources_;
    u32 frames_;
    Timing* timing_;
    std::filesystem::path layoutFile_, preferencesFile_, recentFile_, progressFile_;
    std::optional<viz::Size> sizeBeforePresenting_{};
    Preferences seen_;  // as the window was opened, later as it was when preferences were last kept: what has
                        // changed since is one
    Clock::time_point last_ = Clock::now(), ownWorkDone_ = last_, frameBegan_ = last_;
    f64 cpuAtBegin_ = 0, queuedAtBegin_ = 0;  // of the frame
    int settling_ = kSettlingFrames;
    bool moving_ = false;
};

}  // namespace lockstep::shell
