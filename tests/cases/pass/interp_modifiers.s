;; The VOP3 form has modifiers of its coordinate and of its result.
; source: arithmetic: 1 - 10 * 0.5 = -4, doubled; clamped; 100 * 0.25 - 8
; isa: gfx8..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; lds = [f32 1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0, 100.0, 200.0, 300.0, 400.0,
;        5.0, 6.0, 7.0, 8.0, 50.0, 60.0, 70.0, 80.0, 500.0, 600.0, 700.0, 800.0,
;        -1.0, -2.0, -3.0, -4.0, -10.0, -20.0, -30.0, -40.0, -100.0, -200.0, -300.0, -400.0,
;        -5.0, -6.0, -7.0, -8.0, -50.0, -60.0, -70.0, -80.0, -500.0, -600.0, -700.0, -800.0]
; v0 = -0.5
; v1 = 0.25
; mode: denorm32=flush, ieee=0
; expect: v2 = -8.0
; expect: v3 = 0.0
; expect: v4 = 17.0
v_interp_p1_f32_e64 v2, v0, attr0.x mul:2
v_interp_p1_f32_e64 v3, v0, attr0.x clamp
v_interp_p1_f32_e64 v4, v0, attr0.x mul:2
v_interp_p2_f32_e64 v4, |v1|, attr0.x
