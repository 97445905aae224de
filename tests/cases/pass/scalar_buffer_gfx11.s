; source: manual: scalar loads of a buffer take the base and the size of its descriptor; what lies behind the end reads as zero
; isa: gfx11
; buffer data[16] = [1, 2, 3, 4]
; buffer behind[16] = [5, 6, 7, 8]
; s[4:7] = buffer(data)
; s1 = 9
; expect: s0 = 2
; expect: s1 = 0
; expect: s2 = 3
; expect: s3 = 4
s_buffer_load_b32 s0, s[4:7], 0x4
s_buffer_load_b32 s1, s[4:7], 0x10
s_buffer_load_b64 s[2:3], s[4:7], 0x8
s_waitcnt lgkmcnt(0)
