// RUN[on]: -S -cl-ext=+cl_amd_media_ops,+cl_amd_media_ops2
// RUN[off]: -fsyntax-only
// RUN[wrong]: -fsyntax-only -cl-ext=+cl_amd_media_ops,+cl_amd_media_ops2 -DWRONG
// emits[on]: OpShiftRightLogical
// error[off]: E0502 12:12
// error[off]: E0502 13:12
// error[wrong]: E0501 9:40
#ifdef WRONG
kernel void k(global uint *p) { p[0] = amd_sad4((int4)(1), p[1], p[2]); }
#else
kernel void k(global uint *p) {
    p[0] = amd_bitalign(p[1], p[2], 8) +
           amd_bfe(p[3], 4, 5);
}
#endif
