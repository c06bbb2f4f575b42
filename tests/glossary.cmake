# Test: a thing has one name in all Chinese texts of the program, the one that the glossary (viz/glossary) gives it.
#
#   cmake -D SOURCE_FOLDER=... -P glossary.cmake
cmake_minimum_required(VERSION 3.25)

# not this    but this
set(glossary
    "发散"      "分化"
    "内核"      "核函数"
    "银行冲突"  "存储体冲突"
    "波阵面"    "波前"
    "局部内存"  "本地内存"
    "规约"      "归约"
    "占有率"    "占用率"
    "栅栏"      "屏障"
    "竞态"      "数据竞争"
    "溢写"      "溢出"
    "跨度"      "步长"
    "间距"      "步长"
    "交错存放"  "异或重排"
    "半束"      "半线程束"
    "半个线程束"  "半线程束"
    "依赖线程束同步"  "依赖隐式线程束同步"
    "载入"      "读取或装载"
    "拷贝"      "复制"
    "重新会合"  "重新汇合"
    "起始字节"  "起始地址"
    "隔字访问"  "跨步访问"
    "幽灵单元"  "越界单元"
    "试验场"    "实验台"
    "舞台"      "图示"
    "看什么"    "观察要点"
    "时隙"      "通道利用率"
    "录制"      "记录")
# Names of other things, in which such a word stands rightly.
set(others "内核模块")

file(GLOB_RECURSE files "${SOURCE_FOLDER}/app/*.cpp" "${SOURCE_FOLDER}/app/*.h" "${SOURCE_FOLDER}/viz/*.cpp" "${SOURCE_FOLDER}/viz/*.h"
     "${SOURCE_FOLDER}/engine/*.cpp" "${SOURCE_FOLDER}/engine/*.h" "${SOURCE_FOLDER}/kernels/*.toml")
# The test of the glossary names the words that it must not have.
list(FILTER files EXCLUDE REGEX "/glossary_test.cpp$")
list(LENGTH files count)
if(count LESS 300)
    message(FATAL_ERROR "only ${count} files were found: the test does not see the texts")
endif()
set(failures "")
foreach(file IN LISTS files)
    file(READ "${file}" text)
    string(REPLACE "${others}" "" text "${text}")
    set(rest ${glossary})
    while(rest)
        list(POP_FRONT rest wrong right)
        string(FIND "${text}" "${wrong}" at)
        if(NOT at EQUAL -1)
            string(APPEND failures "${file}: write ${right}, not ${wrong}\n")
        endif()
    endwhile()
endforeach()
if(failures)
    message(FATAL_ERROR "${failures}")
endif()
