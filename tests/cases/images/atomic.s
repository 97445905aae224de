;; Atomics of 32 and of 64 bits: the mask says how wide they are. Outside nothing happens.
; source: RDNA3 manual, DMASK of atomics; arithmetic
; isa: gfx10, gfx11
; buffer words[256] = [7, 7, 7]
; buffer pairs[256] = [u64 0x100000001]
; s[8:15] = image(words, dim=1d, format=32_uint, width=2)
; s[16:23] = image(pairs, dim=1d, format=32_32_uint, width=1)
; v0 = lane
; v4 = [1, 2, 3]
; v[6:7] = u64 0x1ffffffff
; exec = 0x7
; expect: v4 = [7, 7, 0]
; expect: v6 = [1]
; expect: v7 = [1]
; expect: buffer words = [8, 9, 7]
; expect: buffer pairs = [u64 0x300000000]
image_atomic_add v4, v0, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D unorm glc
image_atomic_add v[6:7], v0, s[16:23] dmask:0x3 dim:SQ_RSRC_IMG_1D unorm glc
s_waitcnt vmcnt(0)
