;; gfx11 and later: a row of a target, by M0; the second source of blending; primitives.
; source: RDNA3 guide, table 111; LLVM: llvm.amdgcn.exp.row moves its last operand to M0
; isa: gfx12
; v0 = lane
; v1 = 1.5
; m0 = 3
; exec = 0x3
; expect: export pos0[3].x = [0, 1]
; expect: export pos0[3].mask = [1, 1, 0]
; expect: export prim[0].y = [1.5, 1.5]
; expect: export pos4.z = [1.5, 1.5]
; expect: export dual_src_blend0.x = [0, 1]
; expect: export dual_src_blend1.x = [1.5, 1.5]
; expect: export dual_src_blend1.done = [1, 1]
export pos0 v0, off, off, off row_en
s_mov_b32 m0, 0
export prim off, v1, off, off row_en
export pos4 off, off, v1, off
export dual_src_blend0 v0, off, off, off
export dual_src_blend1 v1, off, off, off done
