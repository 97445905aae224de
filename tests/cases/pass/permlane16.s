; source: manual: each lane of a row takes the lane that its nibble names
; isa: gfx10..gfx12
; wave: 32
; v0 = ramp(100, 1)
; s0 = 0x89abcdef
; s1 = 0x01234567
; expect: v1 = [115, 114, 113, 112, 111, 110, 109, 108, 107, 106, 105, 104, 103, 102, 101, 100, 131, 130]
v_permlane16_b32 v1, v0, s0, s1
