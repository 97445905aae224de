; source: manual: eight records lie word by word, all first words before all second ones
; isa: gfx6..gfx9
; buffer data[128] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31]
; s[4:7] = buffer(data, stride=8, swizzle, element=4, index_stride=8)
; v0 = lane
; exec = 0xffff
; expect: v2 = [8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31]
buffer_load_dword v2, v0, s[4:7], 0 idxen offset:4
s_waitcnt vmcnt(0)
