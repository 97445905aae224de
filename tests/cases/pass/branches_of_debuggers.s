;; No debugger is there: the branches on its flags are not taken.
; source: manual: S_CBRANCH_CDBG*; STATUS.COND_DBG_USER and COND_DBG_SYS are 0
; isa: gfx6..gfx11
; expect: s0 = 0
s_mov_b32 s0, 0
s_cbranch_cdbgsys bad
s_cbranch_cdbguser bad
s_cbranch_cdbgsys_or_user bad
s_cbranch_cdbgsys_and_user bad
s_branch good
bad: s_mov_b32 s0, 1
good:
