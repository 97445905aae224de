;; The three parts as they are, by their numbers p10, p20, p0; parameters begin behind 128 bytes.
; source: SI manual, chapter 13: the parts by number; RDNA3 guide 12.2 for the layout
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; lds = [u32 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
;        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
; m0 = 128
; exec = 0xf0f0f0f0f0f0f0f0
; expect: v0 = [0, 0, 0, 0, 6, 6, 6, 6, 0]
; expect: v1 = [0, 0, 0, 0, 10, 10, 10, 10, 0]
; expect: v2 = [0, 0, 0, 0, 2, 2, 2, 2, 0]
; expect: v3 = [0, 0, 0, 0, 4, 4, 4, 4, 0]
v_interp_mov_f32 v0, p10, attr0.y
v_interp_mov_f32 v1, p20, attr0.y
v_interp_mov_f32 v2, p0, attr0.y
v_interp_mov_f32 v3, p0, attr0.w
