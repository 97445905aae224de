; source: manual: parts of the sources, a part of the destination, the rest kept or zero
; isa: gfx8..gfx9
; v0 = 0x11223344
; v1 = 0x01020304
; v2 = 0xaaaaaaaa
; v3 = 0xaaaaaaaa
; expect: v2 = 0xaa23aaaa
; expect: v3 = 0x00004600
v_or_b32_sdwa v2, v0, v1 dst_sel:BYTE_2 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_2 src1_sel:BYTE_1
v_or_b32_sdwa v3, v0, v1 dst_sel:BYTE_1 dst_unused:UNUSED_PAD src0_sel:BYTE_0 src1_sel:BYTE_2
