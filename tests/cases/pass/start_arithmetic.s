;; Numbers of the dispatch and what is computed from them, at the start.
; source: by hand
; isa: gfx1100
; wave: 32
; grid: 64, 1, 2
; group: 64
; v0 = lane * 4 + 16
; v1 = (lane & 3) << 4 | lane / 8
; v2 = 100 - lane % 5
; s0 = group.z << 16
; s1 = wave * 4096
; s2 = group.wave * 16 + group.waves
; s3 = group.info
; expect: v0 = [16, 20, 24, 28, 32]
; expect: v1 = [0, 16, 32, 48, 0, 16, 32, 48, 1, 17]
; expect: v2 = [100, 99, 98, 97, 96, 100, 99]
; expect: vcc = [0x02, 0x1012, 0x12002, 0x13012]
; expect: exec = 0xffffffff
; expect: m0 = [0x80000002, 0x00100042, 0x80000002, 0x00100042]
s_or_b32 vcc_lo, s0, s1
s_or_b32 vcc_lo, vcc_lo, s2
s_mov_b32 m0, s3
