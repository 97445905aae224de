;; Of two lines that say something of one register the later one is right.
; source: docs/cases.md
; isa: gfx9..gfx12
; v[0:3] = 1
; v2 = 5
; v2 = 7
; init[gfx11]: v3 = 9
; vcc = 1
; vcc = 2
; expect: v[0:1] = 1
; expect: v2 = 7
; expect: v3 = 1
; expect[gfx11]: v3 = 9
; expect: vcc = 2
s_nop 0
