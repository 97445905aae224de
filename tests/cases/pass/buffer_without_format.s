;; A buffer of the format INVALID is bound to nothing: loads give zero, untyped ones too.
; source: manual: unbound resources; MEMORY_FACTS 2
; isa: gfx6..gfx9
; buffer data[64] = [7]
; s[4:5] = address(data)
; s6 = 64
; s[8:11] = buffer(data)
; v1 = 5
; expect: v1 = 0
; expect: v2 = 7
buffer_load_dword v1, off, s[4:7], 0
buffer_load_dword v2, off, s[8:11], 0
s_waitcnt vmcnt(0)
