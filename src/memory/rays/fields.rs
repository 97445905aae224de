//! The fields of the descriptor of a tree, which has four words: the RDNA3 and RDNA4 manuals, and PAL's headers for what those leave out.

use crate::memory::image::fields::{__, At, BASE, Fields, b, fields, two};

#[rustfmt::skip]
fields! {
/// A field of the descriptor of a tree.
TreeField {
    //                                       gfx6-8  gfx9  gfx10                            gfx11                            gfx12
    /// The address of the tree, in 256 bytes.
    Base            "base"            [__,     __,    BASE,                            BASE,                            BASE];
    /// Pointers to triangles stand before those to boxes.
    TrianglesFirst  "triangles_first" [__,     __,    __,                              __,                              b(1, 20, 20)];
    /// By what boxes are sorted: 0 where the ray enters first, 1 the longest way through, 2 the nearest middle.
    Heuristic       "heuristic"       [__,     __,    __,                              b(1, 22, 21),                    b(1, 22, 21)];
    /// By how many units in the last place the end of the way through a box grows.
    Grow            "grow"            [__,     __,    b(1, 30, 23),                    b(1, 30, 23),                    b(1, 30, 23)];
    /// Boxes are sorted.
    Sort            "sort"            [__,     __,    b(1, 31, 31),                    b(1, 31, 31),                    b(1, 31, 31)];
    /// The last unit of 64 bytes.
    Size            "size"            [__,     __,    two(b(2, 31, 0), b(3, 9, 0)),    two(b(2, 31, 0), b(3, 9, 0)),    two(b(2, 31, 0), b(3, 9, 0))];
    /// Nodes have 128 bytes and are quantised or packed.
    Compressed      "compressed"      [__,     __,    __,                              __,                              b(3, 19, 19)];
    /// Node type 4 has boxes with 17 bits of mantissa, not those of f16.
    Precise         "precise"         [__,     __,    __,                              __,                              b(3, 20, 20)];
    /// Eight boxes are sorted together, not four and four.
    WideSort        "wide_sort"       [__,     __,    __,                              __,                              b(3, 21, 21)];
    /// Node type 6 is an instance, not a node of the user.
    Instances       "instances"       [__,     __,    __,                              __,                              b(3, 22, 22)];
    /// Flags of 64-bit pointers cull, and turn triangles.
    PointerFlags    "pointer_flags"   [__,     __,    __,                              b(3, 23, 23),                    b(3, 23, 23)];
    /// Triangles give barycentric coordinates, not their number and whether they are hit.
    Barycentrics    "barycentrics"    [__,     __,    b(3, 24, 24),                    b(3, 24, 24),                    b(3, 24, 24)];
    /// 8.
    Type            "type"            [__,     __,    b(3, 31, 28),                    b(3, 31, 28),                    b(3, 31, 28)];
}
}
