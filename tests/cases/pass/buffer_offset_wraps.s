;; A negative offset register and the offset of the instruction meet in range: -16 + 16, -12 + 16 ...
; source: ACO folds offsets into buffer instructions on every generation but in swizzled buffers (RADV's code for polaris10 and vega10 is the same); a program that reverses an array
; isa: all
; buffer data[64] = [u32 10, 11, 12, 13]
; s[4:7] = buffer(data)
; v0 = [-16, -12, -8, -4]
; expect: v1 = [10, 11, 12, 13]
; expect: buffer data[16] = [20, 21, 22, 23]
; v2 = [20, 21, 22, 23]
buffer_load_dword v1, v0, s[4:7], s8 offen offset:16
buffer_store_dword v2, v0, s[4:7], s8 offen offset:32
s_nop 0
