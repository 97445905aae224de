;; An integer that does not fit into its format is clamped: a choice (`explain --choices`), which no source settles.
; source: MEMORY_FACTS 4, which leaves it open
; isa: gfx6..gfx9
; buffer data[64]
; s[4:7] = buffer(data, stride=4, format=8_8_8_8_uint)
; s[8:11] = buffer(data, stride=4, format=8_8_8_8_sint)
; v0 = 300
; v1 = 7
; v4 = -300
; v5 = 300
; v8 = 1
; exec = 0x1
; expect: buffer data = [0x000007ff, 0x00007f80]
buffer_store_format_xyzw v[0:3], v9, s[4:7], 0 idxen
buffer_store_format_xyzw v[4:7], v8, s[8:11], 0 idxen
s_waitcnt vmcnt(0)
