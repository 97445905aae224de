;; A 64-bit source that is a word of LDS has a zero upper word, also behind an instruction with a scalar in its place. The text of such an
;; instruction is refused; a decoder takes its bits.
; source: one choice of `wavediff explain --choices`; the word itself as in lds_direct.s
; isa: gfx600
; lds = [u32 7]
; m0 = 0x20000
; s[0:1] = u64 0x500000009
; v[6:7] = u64 8
; expect: s[2:3] = u64 0
; expect: vcc = 0xffffffffffffffff
v_cmp_gt_u64_e64 s[4:5], s[0:1], v[6:7]
.long 0x7dc80cfe      ; v_cmp_gt_u64_e32 vcc, src_lds_direct, v[6:7]
s_mov_b64 s[2:3], vcc
.long 0x7dc20cfe      ; v_cmp_lt_u64_e32 vcc, src_lds_direct, v[6:7]
