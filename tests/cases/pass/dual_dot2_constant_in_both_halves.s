;; The constants of dual dot products stand in both halves, integers too; bf16 denormals are 0 on gfx11.
; source: recorded on a W7900 and an R9700, figures published in ROCm's rocm-systems (AccumulateEncodingsAndInlineSources)
; isa: gfx1100, gfx12
; wave: 32
; v0 = pack(f16 1.0, 2.0)
; v1 = pack(bf16 1.0, 2.0)
; expect: v4 = 3.0
; expect: v6 = 0x3ef48000
; expect: v8 = 0x34400000
; expect: v11 = 3.0
; expect[gfx11]: v13 = 0
; expect[gfx12]: v13 = 0x00030000
v_dual_dot2acc_f32_f16 v4, 1.0, v0 :: v_dual_mov_b32 v5, 0
v_dual_dot2acc_f32_f16 v6, 0.15915494, v0 :: v_dual_mov_b32 v5, 0
v_dual_dot2acc_f32_f16 v8, 1, v0 :: v_dual_mov_b32 v5, 0
v_dual_mov_b32 v10, 0 :: v_dual_dot2acc_f32_bf16 v11, 1.0, v1
v_dual_mov_b32 v12, 0 :: v_dual_dot2acc_f32_bf16 v13, 1, v1
