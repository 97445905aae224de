; source: manual: what is selected is sign-extended
; isa: gfx8..gfx9
; v0 = 0x80ff
; expect: v1 = 0xffffff80
; expect: v2 = 0xffff80ff
v_mov_b32_sdwa v1, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1
v_mov_b32_sdwa v2, sext(v0) dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0
