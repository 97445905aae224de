;; A barrier of three groups, twice. What a group writes in front of it the next one reads behind it.
; source: RDNA3 manual 13.4.4, CDNA3 manual 12.12 (DS_GWS_INIT, DS_GWS_BARRIER: the counter is one less than the waves; each brings the counter of the next time)
; isa: gfx6..gfx11
; wave: 64
; grid: 192
; group: 64
; buffer data[64]
; s0 = group.x
; s[2:3] = address(data)
; s[4:7] = buffer(data)
; v0 = group.x * 4
; v1 = group.x + 100
; v2 = (group.x + 1) % 3 * 4
; v4 = 2
; v6 = group.x * 4 + 16
; v7 = group.x + 200
; v8 = (group.x + 2) % 3 * 4 + 16
; m0 = 0x00050000
; expect: v3 = (group.x + 1) % 3 + 100
; expect: v9 = (group.x + 2) % 3 + 200
s_cmp_lg_u32 s0, 0
s_cbranch_scc1 go
; Resource 7: two more after the first one.
ds_gws_init v4 offset:2 gds
s_waitcnt lgkmcnt(0)
go:
buffer_store_dword v1, v0, s[4:7], 0 offen
s_waitcnt vmcnt(0)
ds_gws_barrier v4 offset:2 gds
s_waitcnt lgkmcnt(0)
buffer_load_dword v3, v2, s[4:7], 0 offen
s_waitcnt vmcnt(0)
buffer_store_dword v7, v6, s[4:7], 0 offen
s_waitcnt vmcnt(0)
ds_gws_barrier v4 offset:2 gds
s_waitcnt lgkmcnt(0)
buffer_load_dword v9, v8, s[4:7], 0 offen
s_waitcnt vmcnt(0)
