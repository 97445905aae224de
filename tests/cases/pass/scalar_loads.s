; source: the contents of the buffer
; buffer data[64] = ramp(0x100, 1)
; s[0:1] = address(data)
; expect: s[4:7] = [0x102, 0x103, 0x104, 0x105]
; expect: s8 = 0x101
; isa: gfx8..gfx11
s_load_dwordx4 s[4:7], s[0:1], 0x8
s_load_dword s8, s[0:1], 0x4
s_waitcnt lgkmcnt(0)
