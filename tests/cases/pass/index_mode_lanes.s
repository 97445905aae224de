; source: facts RG10: index mode moves the first source, also of what reads one lane
; isa: gfx8, gfx9
; s0 = 2
; v1 = 11
; v3 = 33
; m0 = 0x1002
; expect: s10 = 33
; expect: s11 = 33
s_set_gpr_idx_on s0, gpr_idx(SRC0)
v_readlane_b32 s10, v1, 0
v_readfirstlane_b32 s11, v1
s_set_gpr_idx_off
