;; Floats and pairs of halves. What was there comes back.
; source: RDNA4 manual; arithmetic
; isa: gfx12
; buffer words[256] = [f32 2.0, f32 2.0, f32 2.0, 0x40003c00, 0x40003f80]
; s[8:15] = image(words, dim=1d, format=32_float, width=8)
; s[16:23] = image(words, dim=1d, format=32_uint, width=8)
; exec = 0x1
; v40 = 0
; v41 = 1
; v42 = 2
; v43 = 3
; v44 = 4
; v2 = f32 1.5
; v4 = f32 1.5
; v6 = f32 1.5
; v8 = 0x3c003c00
; v10 = 0x3f803f80
; expect: v2 = [f32 2.0]
; expect: v4 = [f32 2.0]
; expect: v6 = [f32 2.0]
; expect: v8 = [0x40003c00]
; expect: v10 = [0x40003f80]
; expect: buffer words = [f32 3.5, f32 1.5, f32 2.0, 0x42004000, 0x40404000]
image_atomic_add_flt v2, v40, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_min_flt v4, v41, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_max_flt v6, v42, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_pk_add_f16 v8, v43, s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_pk_add_bf16 v10, v44, s[16:23] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
s_wait_loadcnt 0
