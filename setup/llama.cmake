# Read by llama.cpp's build after each of its `project` lines (see llama.mjs): what this program does without is not built.
# One set of kernels, with the features that llama.mjs found in this machine's processor.
set(GGML_CPU_ALL_VARIANTS OFF CACHE BOOL "" FORCE)
# Chat formats, downloads and argument parsing of llama.cpp's own programs; only its library is used here.
set(LLAMA_BUILD_COMMON OFF CACHE BOOL "" FORCE)
# Only ggml computes. The rest puts graphs together, for more than a hundred architectures.
if(PROJECT_NAME STREQUAL "llama.cpp")
  set(CMAKE_C_FLAGS_RELEASE "-O1 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O1 -DNDEBUG")
elseif(PROJECT_NAME STREQUAL "ggml")
  set(CMAKE_C_FLAGS_RELEASE "-O3 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
endif()
