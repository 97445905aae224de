;; A step of a particle system: a vertex shader whose results go back into buffers, and no further.
;;
;; MEM_STREAM0 and MEM_STREAM1 write what the next step will read as its vertices: positions and velocities. A particle that has
;; come below the floor is turned round. That is done by a predicate and not by a jump: PRED_SETGT with UPDATE_PRED sets a bit in
;; each lane, and operations marked PRED_ONE are executed where it is one, from the next group on.
; source: the same sums in IEEE f32, a product and a sum at a time
; isa: r600, rv770
; stage: vs
; lanes: 8
; kcache[1] = [f32 0.0, -9.81, 0.0, 0.016]
; buffer state[256] = [f32 0.0, 1.0, 0.0, 0.0,   1.0, 0.5, -0.3, 0.0,   1.1, 0.01, 2.0, 0.0,   0.3, -3.0, 0.7, 0.0,
;   f32 -5.0, 0.02, 0.0, 0.0,   0.0, -0.9, 0.0, 0.0,   2.5, 0.0, 2.5, 0.0,   -1.7, -6.1, 3.3, 0.0,
;   f32 0.0, 0.001, 0.0, 0.0,   0.0, 0.2, 0.0, 0.0,   9.0, 100.0, -9.0, 0.0,   0.0, -60.5, 0.0, 0.0,
;   f32 3.0, 0.1, 0.0, 0.0,   -7.7, -6.25, 7.7, 0.0,   0.5, 0.1, 0.5, 0.0,   -7.7, -6.0, 7.7, 0.0]
; resource[160] = vertex(state, stride=32)
; R0.x = lane
; expect: stream0[0].x = f32 [0.016, 1.1048, -5.0, 2.4728, 0.0, 9.0, 2.8768, 0.3768]
; expect: stream0[0].y = f32 [1.0054886, 0.040511362, 0.0030886382, 0.100111365, 0.00168864, 99.02949, 0.0025113672, 0.0014886335]
; expect: stream0[0].z = f32 [-0.0048, 2.0112, 0.0, 2.5528, 0.0, -9.0, 0.1232, 0.6232]
; expect: stream1[0].x = f32 [1.0, 0.3, 0.0, -1.7, 0.0, 0.0, -7.7, -7.7]
; expect: stream1[0].y = f32 [0.34304, 2.3677201, -1.05696, 4.69272, 0.043039992, -60.65696, 4.80522, -6.15696]
; expect: stream1[0].z = f32 [-0.3, 0.7, 0.0, 3.3, 0.0, 0.0, 7.7, 7.7]
CALL_FS
ALU: KCACHE0(CB1:0-15)
  ; v += g dt, then p += v dt. R1 is p, R2 is v.
  0 x: MULADD        R2.x, KC0[0].x, KC0[0].w, R2.x
    y: MULADD        R2.y, KC0[0].y, KC0[0].w, R2.y
    z: MULADD        R2.z, KC0[0].z, KC0[0].w, R2.z
  1 x: MULADD        R1.x, R2.x, KC0[0].w, R1.x
    y: MULADD        R1.y, R2.y, KC0[0].w, R1.y
    z: MULADD        R1.z, R2.z, KC0[0].w, R1.z
  ; Below the floor: up again from there, with three quarters of the speed.
  2 x: PRED_SETGT    ____, 0, R1.y UPDATE_PRED
  3 y: MOV           R1.y, -R1.y PRED_ONE
    t: MUL           R2.y, -R2.y, 0.75 PRED_ONE
MEM_STREAM0: WRITE[0], R1.xyz_ ARRAY_SIZE(4096) ELEM_SIZE(3)
MEM_STREAM1: WRITE[0], R2.xyz_ ARRAY_SIZE(4096) ELEM_SIZE(3)
NOP EOP
.fetch
VTX:
  VFETCH R1.xyz1, R0.x, fc160 FORMAT(32_32_32_FLOAT)
  VFETCH R2.xyz1, R0.x, fc160 FORMAT(32_32_32_FLOAT) OFFSET(16)
RETURN
