; source: manual: S_SETHALT, and nobody wakes it
; expect: trap halt at here
here: s_sethalt 1
