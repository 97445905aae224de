;; Every lane reads the lane 32 further: from the other half on gfx8, gfx9 and gfx12, from itself on gfx10 and gfx11, whose halves see nothing of
;; each other.
; source: ACO: bpermute of 64 lanes is one instruction on gfx8, gfx9 and gfx12, and code for two halves on gfx10 and gfx11; MEMORY_FACTS 14
; isa: gfx8..gfx12
; wave: 64
; v0 = ramp(128, 4)
; v1 = ramp(100, 1)
; expect[gfx8..gfx9, gfx12]: v2 = [132, 133, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 163, 100, 101]
; expect[gfx10..gfx11]: v2 = ramp(100, 1)
; expect[gfx8..gfx9, gfx12]: v3 = [132, 133, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 163, 100, 101]
; expect[gfx10..gfx11]: v3 = ramp(100, 1)
ds_bpermute_b32 v2, v0, v1
ds_permute_b32 v3, v0, v1
s_nop 0
