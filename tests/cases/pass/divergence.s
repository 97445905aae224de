; source: each lane takes one side
; isa: gfx6..gfx9
; v0 = lane
; expect: v1 = [10, 10, 20, 20, 20, 20]
; expect: exec = 0xffffffffffffffff
v_cmp_gt_u32 vcc, 2, v0
s_and_saveexec_b64 s[0:1], vcc
v_mov_b32 v1, 10
s_xor_b64 exec, exec, s[0:1]
s_cbranch_execz done
v_mov_b32 v1, 20
done:
s_mov_b64 exec, s[0:1]
