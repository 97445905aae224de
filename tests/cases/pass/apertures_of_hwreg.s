;; SH_MEM_BASES has the shared aperture in its upper half and the private one in its lower half.
; source: LLVM's lowering of address spaces on gfx9 (getSegmentAperture)
; isa: gfx9
; expect: s2 = 0
; expect: s3 = 0
s_mov_b64 s[4:5], src_shared_base
s_mov_b64 s[6:7], src_private_base
s_getreg_b32 s0, hwreg(HW_REG_SH_MEM_BASES, 16, 16)
s_getreg_b32 s1, hwreg(HW_REG_SH_MEM_BASES, 0, 16)
s_lshl_b32 s0, s0, 16
s_lshl_b32 s1, s1, 16
s_xor_b32 s2, s0, s5
s_xor_b32 s3, s1, s7
