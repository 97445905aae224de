//! For each fault, what must notice it: a few cases, or programs of a few rows.

use wavediff::isa::form::Variant;
use wavediff::spirv::fault::Fault;
use wavediff::spirv::lanes::Model;

/// What is run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// The processor.
    pub arch: &'static str,
    /// Lanes of a wave, for rows.
    pub lanes: u32,
    /// How lanes are carried out.
    pub model: Model,
    /// What runs.
    pub what: What,
}

/// Cases, rows, or rows of memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Files of `tests/cases/pass`.
    Cases(&'static [&'static str]),
    /// Rows by name.
    Rows {
        /// Their names: those that a processor lacks do not count.
        names: &'static [&'static str],
        /// Their forms.
        variant: Option<Variant>,
        /// The format of their first words.
        format: Option<&'static str>,
        /// Instructions of a form beside the plain one.
        mixed: usize,
        /// Instructions at most.
        most: usize,
    },
    /// Rows of memory by name, in so many examples.
    Memory(&'static [&'static str], usize),
}

impl Selection {
    fn on(self, arch: &'static str) -> Selection {
        Selection { arch, ..self }
    }
    fn wave(self, lanes: u32) -> Selection {
        Selection { lanes, ..self }
    }
    fn by(self, model: Model) -> Selection {
        Selection { model, ..self }
    }
    fn form(mut self, form: Variant) -> Selection {
        if let What::Rows { variant, .. } = &mut self.what {
            *variant = Some(form);
        }
        self
    }
    fn format(mut self, name: &'static str) -> Selection {
        if let What::Rows { format, .. } = &mut self.what {
            *format = Some(name);
        }
        self
    }
    fn count(mut self, count: usize) -> Selection {
        if let What::Rows { mixed, most, .. } = &mut self.what {
            (*mixed, *most) = (count, count);
        }
        self
    }
}

fn rows(names: &'static [&'static str]) -> Selection {
    let what = What::Rows { names, variant: None, format: None, mixed: 1, most: 6 };
    Selection { arch: "gfx1100", lanes: 64, model: Model::Serial, what }
}

fn cases(names: &'static [&'static str]) -> Selection {
    Selection { arch: "gfx900", lanes: 64, model: Model::Serial, what: What::Cases(names) }
}

fn memory(names: &'static [&'static str], count: usize) -> Selection {
    let what = What::Memory(names, count);
    Selection { arch: "gfx900", lanes: 64, model: Model::Workgroup, what }
}

/// What notices a fault.
pub fn selection(fault: Fault) -> Selection {
    use Fault::*;
    match fault {
        SubSwapped => rows(&["v_sub_nc_u32", "v_sub_u32"]),
        CarryLost => rows(&["v_mad_u64_u32"]),
        BorrowLost => rows(&["s_sub_nc_u64"]).on("gfx1200").count(12),
        CrossLost => rows(&["s_mul_u64"]).on("gfx1200"),
        MulhiUnsignedSigned => rows(&["v_mul_hi_u32"]),
        MulhiSignedUnsigned => rows(&["v_mul_hi_i32"]),
        ShiftBeyond => rows(&["v_lshlrev_b32"]),
        SarLogical => rows(&["v_ashrrev_i32"]),
        FarAbove32 => rows(&["v_lshlrev_b64"]),
        FunnelLost => rows(&["v_lshrrev_b64"]),
        LtUSigned => rows(&["v_cmp_lt_u32"]),
        LtSUnsigned => rows(&["v_cmp_lt_i32"]),
        LtUHighOnly => rows(&["v_cmp_lt_u64"]),
        LtSWideUnsigned => rows(&["v_cmp_lt_i64"]),
        EqLowOnly => rows(&["v_cmp_eq_u64"]),
        SelSwapped => rows(&["v_cndmask_b32"]),
        ClzOff => rows(&["s_flbit_i32_b32", "s_clz_i32_u32"]),
        CtzHighHalfOff | ClzLowHalfOff => cases(&["find_bits_wide"]),
        BrevDropped => rows(&["v_bfrev_b32"]),
        BrevHalvesStay => rows(&["s_brev_b64"]),
        PopcountLowOnly => rows(&["s_bcnt1_i32_b64"]),
        SextZext => rows(&["v_sub_nc_i32", "v_sub_i32"]).format("VOP3").form(Variant::Base).count(12),

        RoundingIgnored | DenormalsKept | DenormalsFlushed | NanNotQuieted => rows(&["v_mul_f32"]),
        HalfBySingle => rows(&["v_mul_f16"]),
        OverflowFlagIgnored => rows(&["v_cvt_f16_f32"]),
        ClampKeepsNan | ClampDropped | OmodDropped => rows(&["v_mul_f32"]).format("VOP3").form(Variant::Base).count(28),
        WidenDropped => rows(&["v_fma_mix_f32"]).count(10),
        MinOfNan => rows(&["v_min_f32"]),
        CmpUnordered => rows(&["v_cmp_lt_f32"]),
        FmaRoundsTwice => cases(&["fma_rounds_once"]),
        FloatSubSwapped => rows(&["v_sub_f32"]),
        ConvertNearest => rows(&["v_cvt_i32_f32"]),
        ConvertUnsigned => rows(&["v_cvt_f32_i32"]),
        FloorTruncates => rows(&["v_floor_f32"]),
        FixupSwapped => rows(&["v_div_fixup_f32"]),
        ScaleFlagLost => rows(&["v_div_scale_f32"]),

        ExecIgnored | ExecHalvesSwapped => rows(&["v_mov_b32"]),
        MaskNotAnded => rows(&["v_cmp_lt_u32"]),
        MaskHighLost => rows(&["v_cmp_lt_u32"]).by(Model::Workgroup),
        CarryOfLaneZero => rows(&["v_cndmask_b32"]).by(Model::Workgroup),
        NegDropped | AbsDropped | AbsBehindNeg => rows(&["v_cndmask_b32"]).format("VOP3").form(Variant::Base).count(84),
        HighDropped | HalfNotKept | HighWrittenLow => rows(&["v_add_nc_u16", "v_add_u16"]).count(32),
        SextDropped => cases(&["sdwa_sext"]),
        SelectDropped | DstSelectLow | UnusedCleared | UnusedNoSign => {
            rows(&["v_max_i32"]).on("gfx900").form(Variant::Sdwa).count(56)
        }
        PackedHighNeg => rows(&["v_dot2_f32_f16"]).count(8),
        PackedHighSelect => rows(&["v_dot2_u32_u16"]).on("gfx906").count(24),
        WideResultCut => rows(&["v_lshlrev_b64"]),
        DualOrder => cases(&["dual"]).on("gfx1100"),
        DppRowMask | DppBankMask | DppBoundControl | DppReadsInactive => {
            rows(&["v_mov_b32"]).form(Variant::Dpp).count(56)
        }
        DppWraps => rows(&["v_mov_b32"]).form(Variant::Dpp).count(56).by(Model::Workgroup),
        Dpp8Reversed => rows(&["v_mov_b32"]).form(Variant::Dpp8).count(24),

        FirstLaneZero => rows(&["v_readfirstlane_b32"]).count(12),
        LaneNotWrapped => rows(&["v_readlane_b32"]).wave(32).count(12),
        WritelaneByExec => rows(&["v_writelane_b32"]).by(Model::Workgroup),
        PermuteReadsInactive => rows(&["v_permlane16_b32"]).count(8),
        PermuteSameRow => rows(&["v_permlanex16_b32"]),
        PermuteLowSelectors => rows(&["v_permlane16_b32"]).by(Model::Workgroup),
        HalvesStay => rows(&["v_permlane64_b32"]),
        SwapLosesOne => rows(&["v_swap_b32"]),

        SccKept => rows(&["s_add_u32", "s_add_co_u32"]),
        SccInInverted => rows(&["s_cselect_b32"]),
        ScalarHighKept => rows(&["s_not_b64"]),
        SaveexecNew | ExecSccKept => rows(&["s_and_saveexec_b64"]),
        WrexecOld => rows(&["s_andn1_wrexec_b64", "s_and_not0_wrexec_b64"]),
        GetpcOff | CallReturnsBeyond => cases(&["call"]),
        GetregUnshifted | SetregUnshifted => cases(&["mode_fields"]),
        MovrelIgnored | VectorMoveIgnored => cases(&["movrel"]).on("gfx803"),
        MovrelBeyond | VectorMoveBeyond => cases(&["movrel_beyond"]).on("gfx803"),

        ImageLevelIgnored => cases(&["../images/load_mip"]).on("gfx1010"),
        ImageConstantAdded => cases(&["../images/tiled"]).on("gfx1030"),
        ImageTailInPlace => cases(&["../images/tiled"]).on("gfx1030").by(Model::Workgroup),
        ImageRotationLost => cases(&["../images/slices"]).on("gfx803"),
        ImageLayerUnchecked => cases(&["../images/load"]),
        ImageMaskInOrder => cases(&["../images/load_gfx10"]).on("gfx1100"),
        ImageSrgbLinear => cases(&["../images/srgb"]).on("gfx1100"),
        ImageWeightsSwapped => cases(&["../images/sample"]),

        BranchInverted => cases(&["loop"]),
        VcczLowOnly | ExeczLowOnly => cases(&["branch_on_upper_half"]),
        BarrierPassed => cases(&["barrier_before_a_trap"]),
        SubvectorUnsaved => cases(&["subvector_loop"]).on("gfx1010"),
        ForkSidesSwapped | ForkDepthKept => cases(&["fork"]),
        MessageWithoutM0 => cases(&["message"]),
        ExportIgnoresExec => cases(&["export_colour"]).on("gfx1030"),
        ExportHalvesSwapped => cases(&["export_halves"]).on("gfx803"),
        PrimitiveIgnored => cases(&["interp_two_primitives"]).on("gfx900"),
        QuadsByLane => cases(&["param_load"]).on("gfx1100").wave(32),
        TrapNumberLost => cases(&["trap_number"]),
        TrapSavesNext | TrapReturnKeepsPriv => cases(&["trap_entry"]),
        StatusSccKept => cases(&["trap_scc"]),
        EpilogueWithoutScc => rows(&["s_add_u32", "s_add_co_u32"]),
        PrologueWithoutMode => cases(&["mode_fields"]).by(Model::Workgroup),

        MatrixRowsInOrder | MatrixUnsigned => rows(&["v_wmma_i32_16x16x16_iu4"]).count(12),
        MatrixGroupsSwapped => rows(&["v_wmma_i32_16x16x32_iu4"]).on("gfx1200").wave(32),

        BoundShifted => cases(&["buffer_bounds"]),
        ByteMaskLost => memory(&["global_store_byte", "global_store_short"], 4),
        SwizzleIgnored => cases(&["buffer_swizzle"]),
        ComponentWrong => cases(&["typed_buffer"]),
        LoadSignLost => memory(&["global_load_sbyte", "global_load_sshort"], 4),
        LdsOffsetScaled => memory(&["ds_read2_b32"], 4),
        LdsLimitIgnored | LdsUnaligned => memory(&["ds_read_b32"], 6).on("gfx803"),
        GdsBaseLost | GdsSizeIgnored => cases(&["../across/gds_memory"]),
        GdsAllLanes => cases(&["../across/gds_first_lane"]).on("gfx1100").wave(32),
        SignalsLost => cases(&["../across/barrier_split"]).on("gfx1200").wave(32),
        RayGrowLost => cases(&["../rays/grow"]).on("gfx1100").wave(32),
        RaySizeIgnored => cases(&["../rays/size"]).on("gfx1100").wave(32),
        BoxesUnsorted => cases(&["../rays/boxes"]).on("gfx1100").wave(32),
        StackVisitedForgotten => cases(&["../rays/stack_gfx11"]).on("gfx1100").wave(32),
        AtomicReturnsNew => cases(&["global_atomics"]),
        IncNeverWraps => memory(&["ds_inc_u32"], 4),
        LanesReversed => memory(&["ds_wrxchg_rtn_b32"], 4),
        StoreExecIgnored => memory(&["ds_write_b32"], 4),
        ScratchStraight => memory(&["scratch_load_dword"], 4),
        SmemUnaligned => memory(&["s_load_dword"], 4),
        ScalarBoundIgnored => memory(&["s_buffer_load_dwordx4"], 6),
        NormTruncated => cases(&["typed_buffer_rounds"]),
        StraddleLost => memory(&["global_load_dword"], 4),
        BorderLost => memory(&["global_load_dwordx4"], 6),
        OffsetLost => memory(&["global_load_dword"], 12),
        HighStoredLow => memory(&["global_store_short_d16_hi"], 4),
        HalfLoadClears => memory(&["global_load_short_d16"], 4),
        TransposedAsHalves => cases(&["transposing_loads"]).on("gfx1200"),
    }
}
