; source: manual: bits of the mask below the lane
; isa: gfx6..gfx9
; expect: v0 = lane
v_mbcnt_lo_u32_b32 v0, -1, 0
v_mbcnt_hi_u32_b32 v0, -1, v0
