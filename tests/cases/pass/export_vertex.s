;; A vertex: positions, parameters, and what was exported to the same place before.
; source: SI manual, table 10.1: targets 12 to 15 and 32 to 63
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; grid: 40
; group: 40
; v0 = f32 ramp(0, 1)
; v1 = 7.0
; v2 = -1.0
; expect: export pos0.x = f32 ramp(0, 1)
; expect: export pos0.w = -1.0
; expect: export pos0.done = 1
; expect: export pos3.y = 7.0
; expect: export param0.x = -1.0
; expect: export param0.y = 7.0
; expect: export param31.z = f32 ramp(0, 1)
; expect: export param31.mask = 4
exp param0 v0, v1, off, off
exp param31 off, off, v0, off
exp pos3 off, v1, off, off
exp pos0 v0, v0, v0, v2 done
exp param0 v2, off, off, off
