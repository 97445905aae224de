;; Up to gfx8 the two bits of alpha of a signed format are unsigned, but for Stoney (gfx810).
; source: Mesa: drivers correct alpha in the shader; MEMORY_FACTS 4
; isa: gfx6..gfx9, !gfx810
; buffer data[64] = [0xc0000000]
; s[4:7] = buffer(data, stride=4, format=2_10_10_10_sint)
; exec = 0x1
; expect: v4 = [0]
; expect[gfx6..gfx8]: v7 = [3]
; expect[gfx9]: v7 = [0xffffffff]
buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen
s_waitcnt vmcnt(0)
