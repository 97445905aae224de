;; Machine code from a file, and what it leaves compared with another: v_add_f32 v1, v0, v0 and s_endpgm.
; source: the words as LLVM assembles them for gfx1100; the sums by hand
; isa: gfx1100
; code: file "code_file.bin"
; v0 = [1.5, -2.0]
; buffer out[8] = f32 [3.0000002, -4.0]
; expect: v1 = [3.0, -4.0]
; expect: buffer out = f32 file "code_file.out", ulp(1), abs(1e-9)
