// A literal sampler needs the capability of images, also where none is used.
// RUN: -cl-std=CL3.0 -S
// compiles
// emits: OpCapability ImageBasic
// emits: OpCapability LiteralSampler
const sampler_t s = CLK_FILTER_NEAREST;
