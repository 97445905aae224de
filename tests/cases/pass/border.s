;; Accesses go over the border of two buffers that lie one behind the other, as over any word of memory.
; source: bytes of neighbouring addresses, little endian
; isa: gfx9, gfx10
; wave: 64
; exec = 1
; buffer data[6] = [0x11111111, u16 0x2222]
; buffer more[16] behind = [0x44443333, 0x66665555, 0x88887777]
; v[0:1] = address(data)
; v6 = 0xddccbbaa
; expect: v2 = [0x11111111]
; expect: v3 = [0x33332222]
; expect: v4 = [0x55554444]
; expect: v5 = [0x77776666]
; expect: buffer data = [0x11111111, u16 0xbbaa]
; expect: buffer more = [0x4444ddcc, 0x66665555, 0x88887777, 0]
global_load_dwordx4 v[2:5], v[0:1], off
s_waitcnt vmcnt(0)
global_store_dword v[0:1], v6, off offset:4
