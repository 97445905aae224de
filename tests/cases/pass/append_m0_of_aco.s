;; ACO counts on the offset alone and leaves -1 in M0 up to gfx8, later anything.
; source: ACO (shared_append_amd): no M0 operand from gfx9 on, the LDS limit -1 before; MEMORY_FACTS 14
; isa: gfx6..gfx12
; lds = [u32 7, 100, 9]
; init[gfx6..gfx8]: m0 = 0xffffffff
; init[gfx9..gfx12]: m0 = 0x12345678
; exec = 0xf0f
; expect: v1 = [100, 100, 100, 100, 0]
; expect: v2 = [108, 108, 108, 108, 0]
; expect: lds = [7, 100, 9]
ds_append v1 offset:4
s_waitcnt lgkmcnt(0)
ds_consume v2 offset:4
s_waitcnt lgkmcnt(0)
