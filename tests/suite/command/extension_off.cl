// RUN[on]: -fsyntax-only
// RUN[off]: -fsyntax-only -cl-ext=-cl_khr_fp64
// compiles[on]
// error[off]: E0005
#ifndef cl_khr_fp64
#error no doubles
#endif
