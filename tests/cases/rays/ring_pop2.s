;; Two nodes at once: the first of the pair is the one that was pushed first. A pair of triangles (kind 1) comes as both, where bit 8 of the offset asks for it; a single node is the
;; first of two; an instance stays where it is.
; source: GPURT (rtip3_ds_stack_emulation.hlsl), RDNA4 manual (OFFSET1); worked by hand
; isa: gfx12
; lds: 4096
; v0 = lane << 15
; v1 = 0xffffffff
; v4 = [0x15, 0x21, 0x15, 0x15, 0x21]
; v5 = [0x25, 0x35, 0xffffffff, 0x26, 0x35]
; v6 = 0xffffffff
; v7 = 0xffffffff
; v8 = 0xffffffff
; v9 = 0xffffffff
; v10 = 0xffffffff
; v11 = 0xffffffff
; exec = 0xf
; expect: v20 = [0x25, 0x20, 0x15, 0x15]
; expect: v21 = [0x15, 0x21, 0xffffffff, 0xffffffff]
; expect: v22 = [0, 0, 0, 0, 0x35]
; expect: v23 = [0, 0, 0, 0, 0x21]
ds_bvh_stack_push8_pop2_rtn_b64 v[20:21], v0, v1, v[4:11] offset:272
s_mov_b64 exec, 0x10
ds_bvh_stack_push8_pop2_rtn_b64 v[22:23], v0, v1, v[4:11] offset:16
