;; Scratch memory by FLAT_SCRATCH, which the program makes of its start and the offset of the wave.
; source: by hand; the prologue is that of LLVM for gfx900
; isa: gfx900
; grid: 128
; scratch: 8 at 0xffff800100000000
; s[0:1] = scratch.init
; s2 = scratch.offset
; v0 = lane + wave * 1000
; expect: v1 = lane + wave * 1000
; expect: s[0:1] = u64 0xffff800100000000
s_add_u32 flat_scratch_lo, s0, s2
s_addc_u32 flat_scratch_hi, s1, 0
s_mov_b32 s3, 4
scratch_store_dword off, v0, s3
s_waitcnt vmcnt(0)
scratch_load_dword v1, off, s3
s_waitcnt vmcnt(0)
