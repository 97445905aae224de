;; Each atomic on a texel of its own, which held 100; what was there comes back.
; source: manuals; arithmetic
; isa: gfx6..gfx8, gfx900, gfx90a, gfx10..gfx12
; buffer words[256] = [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100]
; s[8:15] = image(words, dim=1d, format=32_uint, width=13)
; exec = 0x1
; v40 = 0
; v2 = 7
; v41 = 1
; v4 = 7
; v42 = 2
; v6 = -1
; v43 = 3
; v8 = -1
; v44 = 4
; v10 = -1
; v45 = 5
; v12 = -1
; v46 = 6
; v14 = 7
; v47 = 7
; v16 = 7
; v48 = 8
; v18 = 7
; v49 = 9
; v20 = 200
; v50 = 10
; v22 = 200
; v51 = 11
; v24 = 7
; v52 = 12
; v26 = 55
; v27 = 100
; expect: v2 = [100]
; expect: v4 = [100]
; expect: v6 = [100]
; expect: v8 = [100]
; expect: v10 = [100]
; expect: v12 = [100]
; expect: v14 = [100]
; expect: v16 = [100]
; expect: v18 = [100]
; expect: v20 = [100]
; expect: v22 = [100]
; expect: v24 = [100]
; expect: v26 = [100]
; expect: buffer words = [107, 93, 0xffffffff, 100, 100, 0xffffffff, 4, 103, 99, 101, 99, 7, 55]
.macro atomic op, data, at, mask
.if .amdgcn.gfx_generation_number >= 12
    image_atomic_\op \data, \at, s[8:15] dmask:\mask dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
.elseif .amdgcn.gfx_generation_number >= 10
    image_atomic_\op \data, \at, s[8:15] dmask:\mask dim:SQ_RSRC_IMG_1D unorm glc
.else
    image_atomic_\op \data, \at, s[8:15] dmask:\mask unorm glc
.endif
.endm
atomic add, v2, v40, 0x1
atomic sub, v4, v41, 0x1
atomic smin, v6, v42, 0x1
atomic umin, v8, v43, 0x1
atomic smax, v10, v44, 0x1
atomic umax, v12, v45, 0x1
atomic and, v14, v46, 0x1
atomic or, v16, v47, 0x1
atomic xor, v18, v48, 0x1
atomic inc, v20, v49, 0x1
atomic dec, v22, v50, 0x1
atomic swap, v24, v51, 0x1
atomic cmpswap, v[26:27], v52, 0x3
