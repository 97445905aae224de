;; A geometry shader: points become squares, a strip of four vertices each, and points without a size become nothing.
;;
;; The shader before it left a point and its size in a ring, from where a vertex fetch reads them. What this shader makes goes to
;; another ring by MEM_RING, four words at a time: the address is the index in R4.x times four, for ELEM_SIZE(3) means four words.
;; EMIT_VERTEX says that the vertex is complete, CUT_VERTEX that the strip is. Jumps are for all lanes, so the lanes without a size
;; are off from ALU_PUSH_BEFORE to POP, and only if all are, JUMP takes the way around. The corners are constants that aL walks
;; over.
; source: by definition: the point plus its size times the corner, in IEEE f32; in `primitives` 1 is a vertex, 2 the end of a strip
; isa: r600, rv770
; stage: gs
; lanes: 4
; stack: 2
; loop[0] = 4, 0, 1
; kcache[0] = [f32 -1.0, -1.0, 0.0, 0.0,   -1.0, 1.0, 0.0, 0.0,   1.0, -1.0, 0.0, 0.0,   1.0, 1.0, 0.0, 0.0]
; buffer points[64] = [f32 0.1, 0.2, 0.3, 0.5,   1.1, -1.3, 0.7, 0.0,   -2.7, 3.1, 0.9, 0.11,   10.0, 20.0, 0.5, 3.3]
; resource[0] = vertex(points, stride=16)
; R0.x = lane
; expect: ring[0] = f32 [-0.4, _, -2.81, 6.7]
; expect: ring[1] = f32 [-0.3, _, 2.99, 16.7]
; expect: ring[2] = f32 [0.3, _, 0.9, 0.5]
; expect: ring[3] = f32 [1.0, _, 1.0, 1.0]
; expect: ring[4] = f32 [-0.4, _, -2.81, 6.7]
; expect: ring[5] = f32 [0.7, _, 3.2099998, 23.3]
; expect: ring[6] = f32 [0.3, _, 0.9, 0.5]
; expect: ring[7] = f32 [1.0, _, 1.0, 1.0]
; expect: ring[8] = f32 [0.6, _, -2.5900002, 13.3]
; expect: ring[9] = f32 [-0.3, _, 2.99, 16.7]
; expect: ring[10] = f32 [0.3, _, 0.9, 0.5]
; expect: ring[11] = f32 [1.0, _, 1.0, 1.0]
; expect: ring[12] = f32 [0.6, _, -2.5900002, 13.3]
; expect: ring[13] = f32 [0.7, _, 3.2099998, 23.3]
; expect: ring[14] = f32 [0.3, _, 0.9, 0.5]
; expect: ring[15] = f32 [1.0, _, 1.0, 1.0]
; expect: primitives = [597, 0, 597, 597]
VTX:
  VFETCH R1.xyzw, R0.x, fc0 NO_INDEX_OFFSET FORMAT(32_32_32_32_FLOAT)
ALU_PUSH_BEFORE:
  0 x: MOV           R4.x, 0
    z: MOV           R2.z, R1.z
    w: MOV           R2.w, 1.0
  1 x: PRED_SETGT    ____, R1.w, 0 UPDATE_EXEC_MASK
JUMP ADDR(end) POP_CNT(1)
LOOP_START ADDR(cut) CF_CONST(0)
corner:
  ALU: KCACHE0(CB0:0-15)
    2 x: MULADD      R2.x, R1.w, KC0[0+aL].x, R1.x
      y: MULADD      R2.y, R1.w, KC0[0+aL].y, R1.y
  MEM_RING: WRITE_IND[0+R4.x], R2.xyzw ARRAY_SIZE(4096) ELEM_SIZE(3)
  EMIT_VERTEX
  ALU:
    3 x: ADD_INT     R4.x, R4.x, 1
LOOP_END ADDR(corner) CF_CONST(0)
cut:
CUT_VERTEX
POP ADDR(end) POP_CNT(1)
end:
NOP EOP
