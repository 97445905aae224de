//! What drivers read of the tile tables of gfx6 to gfx8: the words of `GB_ADDR_CONFIG`, `GB_TILE_MODE` and `GB_MACROTILE_MODE`, as Mesa's
//! stand-in for the kernel has them of a Pitcairn, a Bonaire and a Polaris 10. The kernel gives Tahiti and Pitcairn the same tables.

/// The registers of a chip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Registers {
    /// `GB_ADDR_CONFIG`.
    pub config: u32,
    /// `GB_TILE_MODE0` and on.
    pub tiles: [u32; 32],
    /// `GB_MACROTILE_MODE0` and on, from gfx7.
    pub macros: [u32; 16],
    /// `MC_ARB_RAMCFG`: banks, rows and columns of the memory.
    pub memory: u32,
}

#[rustfmt::skip]
const TAHITI: Registers = Registers {
    config: 0x1201_1003,
    tiles: [
        0x0036_0292, 0x0036_0a92, 0x0036_1292, 0x0012_2a92, 0x0000_028a, 0x0002_1a92, 0x0003_1292, 0x0002_2112,
        0x0000_0004, 0x0000_0288, 0x0036_1290, 0x0035_1290, 0x0030_1a90, 0x0000_0289, 0x0032_1291, 0x0031_1291,
        0x0030_1a91, 0x0030_2a91, 0x0000_028d, 0x0030_2aa1, 0x0030_2a9d, 0x0013_1291, 0x0012_1291, 0x0003_1291,
        0x0002_1a91, 0x0002_2111, 0x0002_2111, 0x0002_2111, 0x0002_2111, 0x0002_2111, 0x0001_2911, 0,
    ],
    macros: [0; 16],
    memory: 0x025a,
};

#[rustfmt::skip]
const BONAIRE: Registers = Registers {
    config: 0x1201_0001,
    tiles: [
        0x0080_0150, 0x0080_0950, 0x0080_1150, 0x0080_1950, 0x0080_2950, 0x0080_0148, 0x0080_2954, 0x0000_2800,
        0x0000_0144, 0x0000_0148, 0x0200_0150, 0x0600_0154, 0x0000_2800, 0x0040_0148, 0x0240_0150, 0x0240_0170,
        0x0640_0154, 0x0000_2800, 0x0040_014c, 0x0040_014c, 0x0040_015c, 0x0040_0174, 0x0040_0164, 0x0000_2800,
        0x0040_015c, 0x0040_0160, 0x0040_0178, 0x00c0_0148, 0x02c0_0150, 0x06c0_0154, 0x0000_2800, 0,
    ],
    macros: [0xe8, 0xe4, 0xd0, 0xd0, 0xd0, 0x90, 0x40, 0, 0xed, 0xe9, 0xe8, 0xe4, 0xd0, 0x90, 0x40, 0],
    memory: 0x6262,
};

#[rustfmt::skip]
const POLARIS10: Registers = Registers {
    config: 0x2201_1003,
    tiles: [
        0x0080_0310, 0x0080_0b10, 0x0080_1310, 0x0080_1b10, 0x0080_2b10, 0x0080_2b08, 0x0080_2b14, 0x0080_2954,
        0x0000_0304, 0x0200_0308, 0x0200_0310, 0x0600_0314, 0x0600_0154, 0x0240_0308, 0x0240_0310, 0x0240_0330,
        0x0640_0314, 0x0640_0154, 0x0040_030c, 0x0100_030c, 0x0100_031c, 0x0100_0334, 0x0100_0324, 0x0100_0164,
        0x0040_031c, 0x0100_0320, 0x0100_0338, 0x02c0_0308, 0x02c0_0310, 0x06c0_0314, 0x06c0_0154, 0,
    ],
    macros: [0xe8, 0xe8, 0xe8, 0xe8, 0xd4, 0xc0, 0xc0, 0, 0xec, 0xe8, 0xd4, 0xd0, 0x80, 0x40, 0x40, 0],
    memory: 0x60a2,
};

impl Registers {
    /// Those of a chip by its name; from gfx9 on all are 0, which is a `GB_ADDR_CONFIG` of its own.
    pub(super) fn of(chip: &str) -> Registers {
        match chip {
            "tahiti" => TAHITI,
            "bonaire" => BONAIRE,
            "polaris10" => POLARIS10,
            _ => Registers::default(),
        }
    }
}
