;; What gfx11 made of interpolation: a load for the quads, and two fused multiply-adds.
; source: arithmetic, as in interp_two_primitives.s
; isa: gfx11
; lds = [f32 1.0, 2.0, 3.0, 4.0, 10.0, 20.0, 30.0, 40.0, 100.0, 200.0, 300.0, 400.0,
;        5.0, 6.0, 7.0, 8.0, 50.0, 60.0, 70.0, 80.0, 500.0, 600.0, 700.0, 800.0,
;        -1.0, -2.0, -3.0, -4.0, -10.0, -20.0, -30.0, -40.0, -100.0, -200.0, -300.0, -400.0,
;        -5.0, -6.0, -7.0, -8.0, -50.0, -60.0, -70.0, -80.0, -500.0, -600.0, -700.0, -800.0]
; m0 = 0x10000
; v0 = 0.5
; v1 = 0.25
; expect: v4 = [31.0, 31.0, 31.0, 31.0, 155.0, 155.0, 155.0, 155.0, 155.0]
lds_param_load v2, attr0.x
v_interp_p10_f32 v4, v2, v0, v2 wait_exp:0
v_interp_p2_f32 v4, v2, v1, v4 wait_exp:7
