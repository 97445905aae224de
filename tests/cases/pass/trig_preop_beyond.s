;; Where the table of 2/pi ends for hardware, the result is +0: segment 21 is bit 1113, segment 22 bit 1166.
; source: LLVM's constant folding ("return 0 for outbound segment (hardware behavior)", a table of 37 words)
; isa: all
; v[0:1] = f64 1.0
; expect: v[2:3] = u64 0
; expect: v[4:5] = u64 0
v_trig_preop_f64 v[2:3], v[0:1], 22
v_trig_preop_f64 v[4:5], v[0:1], 31
