; source: manual: a quad with any bit set becomes whole
; isa: gfx6..gfx11
; s0 = 0x00000402
; expect: s1 = 0x00000f0f
; expect: s2 = 0x00000005
; expect: scc = 1
s_wqm_b32 s1, s0
s_quadmask_b32 s2, s0
