; source: manual: S_SWAPPC_B64 leaves the address behind itself
; isa: gfx6..gfx10
; expect: s0 = 42
; expect: s1 = 43
s_getpc_b64 s[4:5]
back:
s_add_u32 s4, s4, function-back
s_addc_u32 s5, s5, 0
s_swappc_b64 s[6:7], s[4:5]
s_add_u32 s1, s0, 1
s_endpgm
function:
s_mov_b32 s0, 42
s_setpc_b64 s[6:7]
