;; Colours: the active lanes, the elements that EN names, done and the valid mask.
; source: SI manual, chapter 10: EN, TGT, DONE, VM
; isa: gfx6..gfx10, !gfx90a, !gfx940, !gfx941, !gfx942
; v0 = lane
; v1 = 1.5
; v2 = 2.5
; v3 = 3.5
; exec = 0x5
; expect: export mrt0.x = [0, _, 2, _]
; expect: export mrt0.y = [1.5, _, 1.5, _]
; expect: export mrt0.w = [3.5, _, 3.5, _]
; expect: export mrt0.mask = [11, 0, 11, 0, 0]
; expect: export mrt0.done = [1, 0, 1, 0]
; expect: export valid = 5
exp mrt0 v0, v1, off, v3 done vm
