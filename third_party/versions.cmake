# The one table of everything that is not ours: version, licence, where it comes from, and the archive's hash.
#
#   DEBIAN  a Debian 12 package; its version there is VERSION, another distribution's own is accepted, with a note.
#           apt verifies it; WINDOW marks what only the window needs.
#   FONT    a Debian 12 package that is unpacked into the build instead of installed; its hash is checked.
#   PYPI    an archive from the Python package index; its hash is checked. MEGABYTES: said while it is downloaded.
#
# scripts/setup reads the DEBIAN rows line by line, so a row is one line. README.md shows the table; a test compares.

function(third_party name)
    cmake_parse_arguments(PARSE_ARGV 1 row "WINDOW" "VERSION;LICENCE;DEBIAN;FONT;PYPI;SHA256;MEGABYTES" "")
    set_property(GLOBAL APPEND PROPERTY THIRD_PARTY_NAMES ${name})
    foreach(key VERSION LICENCE DEBIAN FONT PYPI SHA256 MEGABYTES)
        set_property(GLOBAL PROPERTY THIRD_PARTY_${name}_${key} "${row_${key}}")
    endforeach()
endfunction()

third_party(benchmark VERSION 1.7.1 LICENCE Apache-2.0 DEBIAN libbenchmark-dev)
third_party(cli11 VERSION 2.1.2 LICENCE BSD-3-Clause DEBIAN libcli11-dev)
third_party(expected VERSION 1.0.0 LICENCE CC0-1.0 DEBIAN libexpected-dev)
third_party(fmt VERSION 9.1.0 LICENCE MIT DEBIAN libfmt-dev)
third_party(giflib VERSION 5.2.1 LICENCE MIT DEBIAN libgif-dev)
third_party(glad VERSION 2.0.2 LICENCE "MIT; generated code CC0-1.0 and Apache-2.0" DEBIAN python3-glad WINDOW)
third_party(glfw VERSION 3.3.8 LICENCE Zlib DEBIAN libglfw3-dev WINDOW)
third_party(gtest VERSION 1.12.1 LICENCE BSD-3-Clause DEBIAN libgtest-dev)
third_party(gmock VERSION 1.12.1 LICENCE BSD-3-Clause DEBIAN libgmock-dev)
third_party(json VERSION 3.11.2 LICENCE MIT DEBIAN nlohmann-json3-dev)
third_party(stb VERSION 20220908 LICENCE "MIT or public domain" DEBIAN libstb-dev)
third_party(toml VERSION 3.3.0 LICENCE MIT DEBIAN libtomlplusplus-dev)
third_party(zlib VERSION 1.2.13 LICENCE Zlib DEBIAN zlib1g-dev)
third_party(zstd VERSION 1.5.4 LICENCE BSD-3-Clause DEBIAN libzstd-dev)

# Holds Dear ImGui 1.93.0 (docking), ImGuiColorTextEdit and, under a licence of its own that is free for
# open source, Dear ImGui Test Engine, which the tests use and the shipped program does not contain.
third_party(imgui_bundle VERSION 1.93.0 LICENCE "MIT; test engine: Dear ImGui Test Engine License 1.04" PYPI imgui-bundle SHA256 10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf)

# The same archive once more, for the Portable File Dialogs in it: one header that asks the desktop's own programs.
third_party(file_dialogs VERSION 1.93.0 LICENCE WTFPL PYPI imgui-bundle SHA256 10ad1dab8258a6787b4f07bb926b08d0efc648a7906242568c8dd778c5e719bf)

third_party(inter VERSION 4.0~beta7+ds-1 LICENCE OFL-1.1 FONT fonts-inter SHA256 6afd9014550e04b58bccf64b94f92ae1dbfd8018489b92de835408970234c24c)
third_party(jetbrains_mono VERSION 2.242+ds-3 LICENCE "OFL-1.1; its sources Apache-2.0" FONT fonts-jetbrains-mono SHA256 516b8e3bacc9a30cf615543fa1fdaf0c5312284f2c4459b7838fd008fd9936bc)
third_party(noto_cjk VERSION 1:20220127+repack1-1 LICENCE OFL-1.1 FONT fonts-noto-cjk SHA256 4a2515eb6db3978b897fef9709ed0d2b1f4c6c4df4d83d6c4ef65f71f1b1f502)

# CUDA 13.0: NVRTC and the toolkit's headers, for machines without the toolkit. Opened at run time, never linked.
third_party(nvrtc VERSION 13.0.88 LICENCE "NVIDIA CUDA Toolkit EULA" PYPI nvidia-cuda-nvrtc SHA256 ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575 MEGABYTES 90)
third_party(cuda_runtime VERSION 13.0.96 LICENCE "NVIDIA CUDA Toolkit EULA" PYPI nvidia-cuda-runtime SHA256 7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548 MEGABYTES 2)
third_party(cuda_crt VERSION 13.0.88 LICENCE "NVIDIA CUDA Toolkit EULA" PYPI nvidia-cuda-crt SHA256 2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4 MEGABYTES 0.1)
third_party(cuda_cccl VERSION 13.0.85 LICENCE "NVIDIA CUDA Toolkit EULA; Apache-2.0 with LLVM exception" PYPI nvidia-cuda-cccl SHA256 e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649 MEGABYTES 3)

# The two programs that make and list machine code. ptxas is of NVRTC's version; the first nvdisasm on the index is newer.
third_party(ptxas VERSION 13.0.88 LICENCE "NVIDIA CUDA Toolkit EULA" PYPI nvidia-cuda-nvcc SHA256 56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03 MEGABYTES 37)
third_party(nvdisasm VERSION 13.2.51 LICENCE "NVIDIA CUDA Toolkit EULA" PYPI nvidia-cuda-nvdisasm SHA256 5a7acf77c55d6d2911ed6155d4d5bc156ffadf9df7a68a89b0c1155f4b13688c MEGABYTES 4)
