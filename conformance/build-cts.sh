#!/bin/sh
# Builds clvk and OpenCL-CTS in the folder that is given. Sources that are there are not downloaded.
set -e
mkdir -p "$1"
cd "$1"

clone() {
    test -d "$2" || git clone --depth 1 "https://github.com/$1/$2"
}
for name in OpenCL-Headers SPIRV-Headers Vulkan-Headers OpenCL-CTS; do
    clone KhronosGroup "$name"
done
clone kpet clvk
clone google clspv      # its headers only: no LLVM is built

# clvk compiles clspv unless it finds something else in its place.
mkdir -p stub
cp -r clspv/include stub/
echo 'add_executable(clspv ${CMAKE_CURRENT_SOURCE_DIR}/stub.cpp)' > stub/CMakeLists.txt
echo 'int main() { return 1; }' > stub/stub.cpp
cmake -G Ninja -S clvk -B clvk/build -DCMAKE_BUILD_TYPE=Release \
    -DCLSPV_SOURCE_DIR="$PWD/stub" -DCLVK_ENABLE_SPIRV_IL=OFF -DCLVK_BUILD_SPIRV_TOOLS=OFF \
    -DCLVK_BUILD_TESTS=OFF -DCLVK_VULKAN_IMPLEMENTATION=custom \
    -DVulkan_INCLUDE_DIRS="$PWD/Vulkan-Headers/include" \
    -DVulkan_LIBRARIES="$(find /usr/lib -name libvulkan.so)" \
    -DOPENCL_HEADERS_SOURCE_DIR="$PWD/OpenCL-Headers" \
    -DSPIRV_HEADERS_SOURCE_DIR="$PWD/SPIRV-Headers" \
    -DCMAKE_CXX_STANDARD_LIBRARIES="-lSPIRV-Tools-link -lSPIRV-Tools-opt -lSPIRV-Tools"
ninja -C clvk/build OpenCL

cmake -G Ninja -S OpenCL-CTS -B OpenCL-CTS/build -DCMAKE_BUILD_TYPE=Release \
    -DCL_INCLUDE_DIR="$PWD/OpenCL-Headers" -DCL_LIB_DIR="$PWD/clvk/build" -DOPENCL_LIBRARIES=OpenCL \
    -DSPIRV_INCLUDE_DIR="$PWD/SPIRV-Headers" -DSPIRV_TOOLS_DIR=/usr/bin
ninja -C OpenCL-CTS/build
