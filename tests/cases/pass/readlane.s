; source: manual: lanes beyond the wave wrap; EXEC does not matter
; isa: gfx6..gfx9
; exec = 0x10
; v0 = ramp(1000, 1)
; v1 = 5
; expect: s0 = 1063
; expect: s1 = 1004
; expect: v1 = [5, 5, 77, 5]
v_readlane_b32 s0, v0, 63
v_readfirstlane_b32 s1, v0
s_movk_i32 s2, 66
s_movk_i32 s3, 77
v_writelane_b32 v1, s3, s2
