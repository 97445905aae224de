; source: manual: lanes that EXEC switches off are not written
; exec = 0x5
; v1 = 7
; expect: v1 = [1, 7, 1, 7]
v_mov_b32 v1, 1
