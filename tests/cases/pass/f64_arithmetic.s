; source: IEEE 754: 1/3 as f64 and its triple; 2^-1074 is kept
; isa: gfx6..gfx11
; v[0:1] = f64 0x3fd5555555555555
; v[2:3] = f64 3.0
; expect: v[4:5] = f64 1.0
; expect: v[6:7] = f64 0x400aaaaaaaaaaaab
; expect: v[8:9] = f64 0xbc90000000000000
v_mul_f64 v[4:5], v[0:1], v[2:3]
v_add_f64 v[6:7], v[0:1], v[2:3]
v_fma_f64 v[8:9], v[0:1], v[2:3], -1.0
