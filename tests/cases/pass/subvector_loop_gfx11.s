; source: manual: the halves of a wave run the loop one after the other
; isa: gfx11
; wave: 64
; expect: v0 = 1
; expect: s4 = 2
; expect: exec = 0xffffffffffffffff
s_subvector_loop_begin s0, behind
again:
v_add_nc_u32 v0, 1, v0
s_add_u32 s4, s4, 1
s_subvector_loop_end s0, again
behind:
