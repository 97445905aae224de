;; A vertex shader: positions times a matrix, and colours handed on.
;;
;; CALL_FS calls the fetch program, which lies elsewhere in memory and is not the shader's business: it loads the attributes of the
;; vertex whose number is in R0.x. Here it stands below, behind `.fetch`. A vertex of the buffer is three floats and four bytes;
;; bytes become floats from 0 to 1 (NORM, which needs no word), and the select 1 makes the fourth element of the position. The
;; matrix is four rows in constant buffer 0. DOT4 makes an element of the result; its sum is written by the slot that has a
;; register.
; source: products and sums in IEEE f32, from x to w; bytes divided by 255
; isa: r600, rv770
; stage: vs
; lanes: 8
; stack: 1
; kcache[0] = [f32 1.5, 0.0, 0.1, -0.5,   0.0, 2.0, -0.3, 0.25,   0.2, 0.7, -1.01, -0.2,   0.0, 0.0, -1.0, 0.0]
; buffer vertices[128] = [f32 -1.0, -1.0, 1.0, u32 0xff0000ff,   f32 1.0, -1.0, 1.1, u32 0xff00ff00,   f32 1.0, 1.0, 1.2,
;   u32 0xffff0000,   f32 -1.0, 1.0, 1.3, u32 0x80808080,   f32 0.1, 0.2, 0.3, u32 0x01020304,   f32 3.3, -7.7, 9.9, u32 0x336699cc,
;   f32 0.0, 0.0, 5.0, u32 0x00000000,   f32 100.1, -0.01, 2.5, u32 0xfffefdfc]
; resource[160] = vertex(vertices, stride=16)
; R0.x = lane
; expect: pos60.x = f32 [-1.9, 1.11, 1.12, -1.87, -0.32, 5.4399996, 0.0, 149.9]
; expect: pos60.y = f32 [-2.05, -2.08, 1.89, 1.86, 0.56, -18.119999, -1.25, -0.52]
; expect: pos60.z = f32 [-2.11, -1.8110001, -0.512, -1.013, -0.343, -14.929, -5.25, 17.288]
; expect: pos60.w = f32 [-1.0, -1.1, -1.2, -1.3, -0.3, -9.9, -5.0, -2.5]
; expect: param0.x = f32 [1.0, 0.0, 0.0, 0.5019608, 0.015686275, 0.8, 0.0, 0.9882353]
; expect: param0.y = f32 [0.0, 1.0, 0.0, 0.5019608, 0.011764706, 0.6, 0.0, 0.99215686]
; expect: param0.z = f32 [0.0, 0.0, 1.0, 0.5019608, 0.007843138, 0.4, 0.0, 0.99607843]
; expect: param0.w = f32 [1.0, 1.0, 1.0, 0.5019608, 0.003921569, 0.2, 0.0, 1.0]
CALL_FS
ALU: KCACHE0(CB0:0-15)
  0 x: DOT4          R3.x, R1.x, KC0[0].x
    y: DOT4          ____, R1.y, KC0[0].y
    z: DOT4          ____, R1.z, KC0[0].z
    w: DOT4          ____, R1.w, KC0[0].w
  1 x: DOT4          ____, R1.x, KC0[1].x
    y: DOT4          R3.y, R1.y, KC0[1].y
    z: DOT4          ____, R1.z, KC0[1].z
    w: DOT4          ____, R1.w, KC0[1].w
  2 x: DOT4          ____, R1.x, KC0[2].x
    y: DOT4          ____, R1.y, KC0[2].y
    z: DOT4          R3.z, R1.z, KC0[2].z
    w: DOT4          ____, R1.w, KC0[2].w
  3 x: DOT4          ____, R1.x, KC0[3].x
    y: DOT4          ____, R1.y, KC0[3].y
    z: DOT4          ____, R1.z, KC0[3].z
    w: DOT4          R3.w, R1.w, KC0[3].w
EXPORT_DONE: POS60, R3.xyzw
EXPORT_DONE: PARAM0, R2.xyzw EOP
.fetch
VTX:
  VFETCH R1.xyz1, R0.x, fc160 FORMAT(32_32_32_FLOAT)
  VFETCH R2.xyzw, R0.x, fc160 FORMAT(8_8_8_8) OFFSET(12)
RETURN
