#include "app/cli/commands/commands.h"

namespace lockstep::cli {

std::vector<CommandRow> commands() {
    return {
        {"window", english("open the window (the default)"),
         "lockstep matmul/tiled-bounds --set width=3 --set tile=2", addWindow},
        {"list", english("families, variants and their parameters, or the kernels of a file"),
         "lockstep list", addList},
        {"run", english("run a kernel of the catalog or of your own"),
         "lockstep run matmul/tiled --set width=256 --json -", addRun},
        {"exec", english("compile and run a whole CUDA program, without a GPU"),
         "lockstep exec homework.cu -O2 -- 1024", addExec},
        {"access", english("what one warp's access costs"),
         "lockstep access --space shared --op load --width 4 --expr \"tid*2\"", addAccess},
        {"show", english("one view as a picture or an animation"),
         "lockstep show matmul/tiled --view banks --step 60 --out banks.svg", addShow},
        {"shot", english("the whole window as a picture or an animation"),
         "lockstep shot matmul/tiled --step 40 --out window.png", addShot},
        {"compare", english("what changes from one kernel, or one size, to another"),
         "lockstep compare matmul/naive matmul/tiled --set width=256", addCompare},
        {"time", english("cycles that a kernel takes, and what its warps wait for, without a GPU"),
         "lockstep time matmul/tiled --set width=256 --json -", addTime},
        {"sweep", english("what a kernel counts or takes over the values of a parameter, as a chart"),
         "lockstep sweep matmul/naive matmul/tiled --set width=64:4096:x2 --out times.svg", addSweep},
        {"lesson", english("lessons that ask: predict, then see what the run answers"),
         "lockstep lesson banks --step stride --answer 8", addLesson},
        {"playlist", english("a lecture as a playlist: open, check, or hand it out as one page"),
         "lockstep playlist handout banks --out banks.html", addPlaylist},
        {"record", english("measure the catalog on this machine's GPU and keep what was measured"),
         "lockstep record matmul/tiled --sizes width=256,1024 --out .", addRecord},
        {"doctor", english("what this machine has, and how to get the rest"), "lockstep doctor", addDoctor},
        {"validate", english("compare emulator, model and this machine's GPU, kernel by kernel"),
         "lockstep validate matmul/tiled scan/blelloch", addValidate},
        {"check", english("judge kernels by the rules of an exercise"), "lockstep check transpose my.cu",
         addCheck},
        {"texts", english("every sentence that is shown for a kernel, to be reviewed"),
         "lockstep texts matmul/tiled --lang both", addTexts},
        {"completion", english("completion for your shell"), "source <(lockstep completion bash)",
         addCompletion},
    };
}

}  // namespace lockstep::cli
