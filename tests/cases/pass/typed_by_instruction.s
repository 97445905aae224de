; source: manual: the format of MTBUF stands in the instruction, whatever the descriptor says; 74 is 8_8_8_8 UINT, 69 is 16_16 UINT
; isa: gfx6..gfx9
; buffer data[64] = [0xff800001, 0x000000ff]
; buffer out[64]
; s[4:7] = buffer(data, stride=4, format=32_float)
; s[8:11] = buffer(out, stride=4, format=32_float)
; v0 = lane
; exec = 0x3
; expect: v4 = [1, 0xff]
; expect: v5 = [0, 0]
; expect: v6 = [0x80, 0]
; expect: v7 = [0xff, 0]
; expect: buffer out = [0x00ff0080, 0]
tbuffer_load_format_xyzw v[4:7], v0, s[4:7], 0 format:74 idxen
s_waitcnt vmcnt(0)
tbuffer_store_format_xy v[6:7], v0, s[8:11], 0 format:69 idxen
s_waitcnt vmcnt(0)
