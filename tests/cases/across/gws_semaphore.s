;; Two waves wait at a semaphore; the third one lets one of them pass, the fourth two, of which it is one itself. Who came first goes first, and
;; everyone takes one: the fourth wave has to wait for what the second one gives back.
; source: RDNA3 manual 13.4.4, CDNA3 manual 12.12 (P queues until the counter is above 0 and takes 1; V adds 1; BR adds the value of the first active lane); the queue is a FIFO
; isa: gfx6..gfx11
; wave: 64
; grid: 256
; group: 64
; s0 = group.x
; s[4:7] = buffer(data)
; buffer data[16]
; m0 = 0x003f0000
; v0 = 0
; v1 = 1
; v2 = 2
; exec = 0xfffffffffffffffc
; expect: v1 = [1, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 2, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 0, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, 3]
; expect: buffer data = [4]
s_cmp_lt_u32 s0, 2
s_cbranch_scc0 release
; Resource 63 + 2, which is 1.
ds_gws_sema_p offset:2 gds
s_waitcnt lgkmcnt(0)
s_branch done
release:
s_cmp_eq_u32 s0, 2
s_cbranch_scc0 many
ds_gws_sema_v offset:2 gds
s_waitcnt lgkmcnt(0)
s_branch done
many:
ds_gws_sema_br v2 offset:2 gds
s_waitcnt lgkmcnt(0)
ds_gws_sema_p offset:2 gds
s_waitcnt lgkmcnt(0)
ds_gws_sema_p offset:2 gds
s_waitcnt lgkmcnt(0)
done:
s_mov_b64 exec, 1
.if .amdgcn.gfx_generation_number == 9 && .amdgcn.gfx_generation_minor == 4
buffer_atomic_add v1, v0, s[4:7], 0 offen sc0
.else
buffer_atomic_add v1, v0, s[4:7], 0 offen glc
.endif
s_waitcnt vmcnt(0)
s_mov_b64 exec, -1
s_cmp_eq_u32 s0, 1
s_cbranch_scc0 end
ds_gws_sema_v offset:2 gds
s_waitcnt lgkmcnt(0)
end:
s_nop 0
