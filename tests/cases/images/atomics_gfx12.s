;; Each atomic on a texel of its own, which held 100; what was there comes back.
; source: RDNA4 manual; arithmetic
; isa: gfx12
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
image_atomic_add_uint v2, v40, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_sub_uint v4, v41, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_min_int v6, v42, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_min_uint v8, v43, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_max_int v10, v44, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_max_uint v12, v45, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_and v14, v46, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_or v16, v47, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_xor v18, v48, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_inc_uint v20, v49, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_dec_uint v22, v50, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_swap v24, v51, s[8:15] dmask:0x1 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
image_atomic_cmpswap v[26:27], v52, s[8:15] dmask:0x3 dim:SQ_RSRC_IMG_1D th:TH_ATOMIC_RETURN
s_wait_loadcnt 0
