; source: 0.5 * 255 is a tie, and goes to the even 128; 0.3 * 255 lies above 76.5, 0.9 * 255 below 229.5
; isa: gfx6..gfx9
; buffer data[4] = [0]
; s[4:7] = buffer(data, stride=4, format=8_8_8_8_unorm)
; v0 = 0
; v4 = 0.5
; v5 = 0.3
; v6 = 0.9
; v7 = 2.0
; exec = 0x1
; expect: buffer data = [0xffe54d80]
buffer_store_format_xyzw v[4:7], v0, s[4:7], 0 idxen
