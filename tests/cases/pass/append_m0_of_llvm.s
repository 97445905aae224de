;; LLVM puts the pointer into M0.
; source: LLVM (llvm.amdgcn.ds.append of a pointer to LDS): s_mov_b32 m0, POINTER; ds_append
; isa: gfx6..gfx12
; lds = [u32 7, 100, 9]
; m0 = 4
; exec = 0xf0f
; expect: v1 = [100, 100, 100, 100, 0]
; expect: lds = [7, 108, 9]
ds_append v1
s_waitcnt lgkmcnt(0)
