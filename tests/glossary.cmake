# Test: the Chinese texts of the program (po/zh_CN.po) and of its lessons have one word for one thing, as tests/witness/vocabulary.txt says.
# What the pictures say is held to it by the witness, in both languages.
#
#   cmake -D SOURCE_FOLDER=... -P glossary.cmake
cmake_minimum_required(VERSION 3.25)

# Names of other things, in which such a word stands rightly.
set(others "内核模块")
# Words that no picture says but messages may have said.
set(never "内核")

file(STRINGS "${SOURCE_FOLDER}/tests/witness/vocabulary.txt" rows REGEX "^zh \\| [^a-z]" ENCODING UTF-8)
foreach(row IN LISTS rows)
    string(REGEX REPLACE "^zh \\| (.*) \\| .*$" "\\1" word "${row}")
    list(APPEND never "${word}")
endforeach()
list(LENGTH never count)
if(count LESS 20)
    message(FATAL_ERROR "only ${count} words were read from the vocabulary")
endif()

file(READ "${SOURCE_FOLDER}/po/zh_CN.po" text)
string(LENGTH "${text}" size)
if(size LESS 100000)
    message(FATAL_ERROR "po/zh_CN.po is too short: the test does not see the texts")
endif()

file(GLOB lessons "${SOURCE_FOLDER}/assets/lessons/*/zh-CN.md")
if(NOT lessons)
    message(FATAL_ERROR "no lesson was found: the test does not see their texts")
endif()
set(failures "")
foreach(file IN ITEMS "${SOURCE_FOLDER}/po/zh_CN.po" LISTS lessons)
    file(READ "${file}" text)
    string(REPLACE "${others}" "" text "${text}")
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${SOURCE_FOLDER}")
    foreach(word IN LISTS never)
        string(FIND "${text}" "${word}" at)
        if(NOT at EQUAL -1)
            math(EXPR from "${at} - 60")
            if(from LESS 0)
                set(from 0)
            endif()
            string(SUBSTRING "${text}" ${from} 120 around)
            string(APPEND failures "${file}: ${word} is not said (tests/witness/vocabulary.txt):\n${around}\n")
        endif()
    endforeach()
endforeach()
if(failures)
    message(FATAL_ERROR "${failures}")
endif()
