//! Cases by hand: for mistakes in accesses to memory, which random rows do not reach without their buffers, and in halves of registers,
//! which random texts hardly name.

use wavediff::spirv::fault::Fault;

/// A case that notices a fault; none where rows do.
pub fn text(fault: Fault) -> Option<&'static str> {
    Some(match fault {
        Fault::ByteMaskLost => {
            "; isa: gfx900\n; buffer data[64] = random(1)\n; v[0:1] = address(data + 5)\n; v2 = 0x12345678\n; exec = 1\n\
             v_mov_b32 v3, v2\nglobal_store_byte v[0:1], v3, off\nv_mov_b32 v4, 1\n"
        }
        Fault::LoadSignLost => {
            "; isa: gfx900\n; buffer data[64] = [0x80818283, 0x84858687]\n; v[0:1] = address(data + 4)\n\
             v_mov_b32 v3, 7\nglobal_load_sbyte v2, v[0:1], off\nv_mov_b32 v4, 1\n"
        }
        Fault::LdsOffsetScaled => {
            "; isa: gfx900\n; lds: 64\n; lds = [1, 2, 3, 4, 5, 6, 7, 8]\n; v0 = 4\n\
             v_mov_b32 v4, 1\nds_read2_b32 v[2:3], v0 offset0:1 offset1:2\n"
        }
        Fault::LdsLimitIgnored => {
            "; isa: gfx803\n; lds: 64\n; lds = [1, 2, 3, 4, 5, 6, 7, 8]\n; m0 = 16\n; v0 = 24\n; v2 = 9\nds_read_b32 v2, v0\n"
        }
        Fault::LdsUnaligned => {
            "; isa: gfx803\n; lds: 64\n; lds = [0x12345678, 0x9abcdef0]\n; m0 = 64\n; v0 = 1\nds_read_b32 v2, v0\n"
        }
        Fault::IncNeverWraps => "; isa: gfx900\n; lds: 64\n; lds = [5, 6]\n; v1 = 5\n; exec = 1\nds_inc_u32 v0, v1\n",
        Fault::LanesReversed => {
            "; isa: gfx900\n; lds: 64\n; lds = [5, 6]\n; v1 = ramp(100, 1)\n; exec = 15\nds_wrxchg_rtn_b32 v2, v0, v1\n"
        }
        Fault::StoreExecIgnored => {
            "; isa: gfx900\n; lds: 256\n; v0 = ramp(0, 4)\n; v1 = ramp(100, 1)\n; exec = 5\nds_write_b32 v0, v1\n"
        }
        Fault::BorderLost => {
            "; isa: gfx900\n; buffer data[6] = [0x11111111, u16 0x2222]\n; buffer more[64] behind = random(1)\n; v[0:1] = address(data)\n\
             global_load_dwordx4 v[2:5], v[0:1], off\n"
        }
        Fault::ScratchStraight => {
            "; isa: gfx900\n; buffer data[1024] = random(1)\n; s[0:1] = address(data)\n; v0 = 4\n\
             s_mov_b64 flat_scratch, s[0:1]\nscratch_load_dword v2, v0, off\n"
        }
        Fault::SmemUnaligned => {
            "; isa: gfx900\n; buffer data[64] = [0x11111111, 0x22222222]\n; s[0:1] = address(data + 2)\ns_load_dword s4, s[0:1], 0x0\n"
        }
        Fault::ScalarBoundIgnored => {
            "; isa: gfx900\n; buffer data[64] = random(1)\n; s[4:7] = buffer(data, records=8)\ns_buffer_load_dwordx4 s[8:11], s[4:7], 0x0\n"
        }
        Fault::StraddleLost => {
            "; isa: gfx900\n; buffer data[64] = [0x11111111, 0x22222222]\n; v[0:1] = address(data + 1)\nglobal_load_dword v2, v[0:1], off\n"
        }
        Fault::OffsetLost => {
            "; isa: gfx900\n; buffer data[64] = [0x11111111, 0x22222222]\n; v[0:1] = address(data)\n\
             global_load_dword v2, v[0:1], off offset:4\n"
        }
        Fault::HighStoredLow => {
            "; isa: gfx900\n; buffer data[64]\n; v[0:1] = address(data)\n; v2 = 0x12345678\n; exec = 1\n\
             global_store_short_d16_hi v[0:1], v2, off\n"
        }
        Fault::HalfLoadClears => {
            "; isa: gfx900\n; buffer data[64] = [0x1234]\n; v[0:1] = address(data)\n; v2 = 0x56789abc\nglobal_load_short_d16 v2, v[0:1], off\n"
        }
        Fault::HighDropped => {
            "; isa: gfx1100\n; wave: 64\n; v0 = 0x20001\n; v1 = 0x40003\nv_mov_b32 v3, v1\nv_add_nc_u16 v2, v0, v1 op_sel:[1,0,0]\n"
        }
        Fault::HighWrittenLow => {
            "; isa: gfx1100\n; wave: 64\n; v0 = 0x20001\n; v1 = 0x40003\nv_mov_b32 v3, v1\nv_add_nc_u16 v2, v0, v1 op_sel:[0,0,1]\n"
        }
        _ => return None,
    })
}
