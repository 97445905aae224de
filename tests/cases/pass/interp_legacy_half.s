;; gfx9 kept the way of gfx8 under another name: the upper half becomes zero.
; source: LLVM names the opcode of gfx8 v_interp_p2_legacy_f16 on gfx9; ACO uses either by what it wants of the upper half
; isa: gfx9, !gfx90a, !gfx940, !gfx941, !gfx942
; lds = [f16 1.0, 2.0, 0, 0, 0, 0, 0, 0, f16 4.0, 8.0, 0, 0, 0, 0, 0, 0, f16 16.0, 32.0]
; v1 = 0.25
; v4 = 3.0
; v8 = 0xbbbbbbbb
; expect: v8 = u32 0x00004700
v_interp_p2_legacy_f16 v8, v1, attr0.x, v4
