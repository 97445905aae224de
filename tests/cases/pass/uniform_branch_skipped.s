; source: manual: S_CBRANCH_EXECZ
; exec = 0
; s0 = 1
; expect: s0 = 1
s_cbranch_execz done
s_mov_b32 s0, 2
done:
