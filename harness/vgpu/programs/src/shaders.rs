//! The shaders: rows of names. A row says what is done with it; its first lines say the rest.

/// A shader.
pub struct Row {
    pub name: &'static str,
    pub source: &'static str,
    /// Whether it is a program of its own; else functions use it.
    pub alone: bool,
}

/// A shader of this package.
macro_rules! own {
    ($name:literal) => {
        Row { name: $name, source: include_str!(concat!("../shaders/", $name, ".comp")), alone: true }
    };
}

/// A shader that functions of the host use.
macro_rules! used {
    ($name:literal) => {
        Row { name: $name, source: include_str!(concat!("../shaders/", $name, ".comp")), alone: false }
    };
}

/// A shader that the tests of RADV's machine code run too.
macro_rules! shared {
    ($name:literal) => {
        Row { name: $name, source: include_str!(concat!("../../../../shaders/vulkan/", $name, ".comp")), alone: true }
    };
}

/// All shaders.
pub const ALL: &[Row] = &[
    own!("atomic64_shared"),
    own!("atomic_float"),
    own!("atomic_last"),
    own!("atomic_returns"),
    own!("atomic_table"),
    own!("base_groups"),
    own!("double_orbit"),
    own!("float_exact"),
    own!("float_fft"),
    own!("float_matmul"),
    own!("float_nbody"),
    own!("float_newton"),
    own!("float_rays"),
    own!("groups_many"),
    own!("half_polynomial"),
    own!("int16_sort"),
    own!("int64_division"),
    own!("int8_base64"),
    own!("int_crc32"),
    own!("int_dot"),
    own!("int_interpreter"),
    own!("int_life"),
    own!("int_lz"),
    own!("int_mandelbrot"),
    own!("int_pcg"),
    own!("int_sha256"),
    own!("int_siphash"),
    own!("layout_scalar"),
    own!("memory_model"),
    own!("scratch_stack"),
    own!("scratch_types"),
    own!("shared_atomics"),
    own!("shared_histogram"),
    own!("shared_radix"),
    own!("shared_waves"),
    own!("shared_zeroed"),
    own!("special"),
    own!("subgroup_clustered"),
    own!("subgroup_compact"),
    own!("subgroup_extended"),
    own!("subgroup_scan"),
    own!("subgroup_turns"),
    own!("subgroup_votes"),
    used!("address_list"),
    used!("behind"),
    used!("count"),
    used!("counts_of_groups"),
    used!("dynamic"),
    used!("image_atomic"),
    used!("image_quads"),
    used!("image_read"),
    used!("image_sample"),
    used!("image_size"),
    used!("image_write"),
    used!("inline_block"),
    used!("lanes"),
    used!("mix"),
    used!("numbered"),
    used!("push_words"),
    used!("step"),
    used!("texel_atomics"),
    used!("texel_read_float"),
    used!("texel_read_int"),
    used!("texel_read_uint"),
    used!("texel_read_half"),
    used!("texel_write_alike"),
    used!("texel_write_r16f"),
    used!("texel_write_rg16f"),
    used!("texel_write_rgba16f"),
    used!("texel_write_r32ui"),
    used!("texel_write_rg32ui"),
    used!("texel_write_rgba16i"),
    used!("texel_write_rgba32f"),
    used!("texel_write_rgba8"),
    used!("texel_write_rgba8ui"),
    shared!("add"),
    shared!("atomics"),
    shared!("atomics64"),
    shared!("ballot"),
    shared!("big_lds"),
    shared!("bitonic"),
    shared!("bits"),
    shared!("branches"),
    shared!("buffer_index"),
    shared!("clusters"),
    shared!("collatz"),
    shared!("compares"),
    shared!("constants"),
    shared!("converted"),
    shared!("divisions"),
    shared!("doubles"),
    shared!("dynamic_ubo"),
    shared!("floats"),
    shared!("folded"),
    shared!("functions"),
    shared!("groups_of_96"),
    shared!("halves"),
    shared!("halves_packed"),
    shared!("ids"),
    shared!("lengths"),
    shared!("many_sets"),
    shared!("math"),
    shared!("narrow"),
    shared!("one_lane"),
    shared!("push_table"),
    shared!("returned"),
    shared!("returned64"),
    shared!("saxpy_push"),
    shared!("scalars"),
    shared!("scan"),
    shared!("sets"),
    shared!("shared_reverse"),
    shared!("shared_tree"),
    shared!("shared_types"),
    shared!("spill"),
    shared!("spill_registers"),
    shared!("spill_vectors"),
    shared!("structures"),
    shared!("subgroup_ids"),
    shared!("subgroup_shuffle"),
    shared!("subgroup_sum"),
    shared!("transpose"),
    shared!("types16"),
    shared!("types64"),
    shared!("types8"),
    shared!("vectors"),
];

/// The text of a shader.
pub fn source(name: &str) -> &'static str {
    ALL.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no shader `{name}`")).source
}

#[cfg(test)]
mod tests {
    use super::ALL;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn every_file_is_a_row() {
        let names: BTreeSet<String> = ALL.iter().map(|row| row.name.to_owned()).collect();
        assert_eq!(names.len(), ALL.len(), "a name is there twice");
        for folder in ["shaders", "../../../shaders/vulkan"] {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
            for entry in std::fs::read_dir(folder).expect("the folder of shaders") {
                let path = entry.expect("a file").path();
                if path.extension().is_none_or(|ending| ending != "comp") {
                    continue;
                }
                let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
                assert!(names.contains(&name), "{} is no row", path.display());
            }
        }
    }
}
