/* `y = a x + y` on an OpenCL device. The kernel was compiled when this program was built; nothing is
 * compiled from source when it runs. */
#include "opencl.h"
#include "saxpy.h"

int main(void) {
    return check_on_device(saxpy, sizeof saxpy, "saxpy");
}
