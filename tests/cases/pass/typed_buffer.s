; source: manual: unorm is v / 255
; isa: gfx6..gfx9
; buffer data[64] = [0xff800000, 0x000000ff]
; s[4:7] = buffer(data, stride=4, format=8_8_8_8_unorm)
; v0 = lane
; exec = 0x3
; expect: v4 = [0.0, 1.0]
; expect: v6 = [f32 0x3f008081, 0.0]
; expect: v7 = [1.0, 0.0]
buffer_load_format_xyzw v[4:7], v0, s[4:7], 0 idxen
s_waitcnt vmcnt(0)
