//! What a code object says about its kernels beside their descriptors: names, argument layout, resources.
//!
//! Three forms, one content: YAML in assembly (`.amdgpu_metadata`), MessagePack in the note of a code object since version 3,
//! and YAML with other names in the note of version 2. [`Metadata`] keeps the document as it is, so that forms convert without
//! loss; [`Kernel`] and [`Arg`] are the typed view which a launch needs. What a document must and may contain is a table
//! ([`KERNEL`], [`ARG`]), checked by [`Metadata::verify`].

use super::msgpack::{MsgPackError, Value};
use super::yaml::{self, YamlError};
use crate::isa::types::Ty;

/// The metadata of a code object.
#[derive(Clone, Debug, PartialEq)]
pub struct Metadata {
    /// The document.
    pub root: Value,
}

/// What can be wrong with metadata.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// Not MessagePack.
    #[error("MessagePack {0}")]
    MsgPack(#[from] MsgPackError),
    /// Not YAML.
    #[error("YAML {0}")]
    Yaml(#[from] YamlError),
    /// Not text, in a note of version 2.
    #[error("the text of version 2 is not UTF-8")]
    Text,
    /// Something required is missing.
    #[error("{path}: `{key}` is required")]
    Required {
        /// The kernel or argument.
        path: String,
        /// The key.
        key: &'static str,
    },
    /// A value of another type, or not of the allowed ones.
    #[error("{path}: `{key}` must be {expected}")]
    Type {
        /// The kernel or argument.
        path: String,
        /// The key.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
    },
}

/// What a value must be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// Text.
    Text,
    /// One of these texts.
    OneOf(&'static [&'static str]),
    /// A number.
    Integer,
    /// True or false.
    Boolean,
    /// This many numbers.
    Integers(usize),
    /// A list of texts.
    Texts,
    /// A list of maps of another table.
    Maps(&'static [Entry]),
}

impl Kind {
    fn expected(self) -> &'static str {
        match self {
            Text => "text",
            OneOf(_) => "one of the known names",
            Integer => "a number",
            Boolean => "true or false",
            Integers(2) => "two numbers",
            Integers(_) => "three numbers",
            Texts => "a list of texts",
            Maps(_) => "a list of maps",
        }
    }
}

/// A key of a map: its name, whether it must be there, what it holds.
#[derive(Clone, Copy, Debug)]
pub struct Entry(pub &'static str, pub bool, pub Kind);

use Kind::{Boolean, Integer, Integers, Maps, OneOf, Text, Texts};

/// The document.
#[rustfmt::skip]
pub static ROOT: &[Entry] = &[
    Entry("amdhsa.version",             true,  Integers(2)),
    Entry("amdhsa.target",              false, Text),
    Entry("amdhsa.printf",              false, Texts),
    Entry("amdhsa.kernels",             true,  Maps(KERNEL)),
];

/// A kernel.
#[rustfmt::skip]
pub static KERNEL: &[Entry] = &[
    Entry(".name",                       true,  Text),
    Entry(".symbol",                     true,  Text),
    Entry(".language",                   false, OneOf(&["OpenCL C", "OpenCL C++", "HCC", "HIP", "OpenMP", "Assembler"])),
    Entry(".language_version",           false, Integers(2)),
    Entry(".args",                       false, Maps(ARG)),
    Entry(".reqd_workgroup_size",        false, Integers(3)),
    Entry(".workgroup_size_hint",        false, Integers(3)),
    Entry(".vec_type_hint",              false, Text),
    Entry(".device_enqueue_symbol",      false, Text),
    Entry(".kernarg_segment_size",       true,  Integer),
    Entry(".kernarg_segment_align",      true,  Integer),
    Entry(".group_segment_fixed_size",   true,  Integer),
    Entry(".private_segment_fixed_size", true,  Integer),
    Entry(".uses_dynamic_stack",         false, Boolean),
    Entry(".workgroup_processor_mode",   false, Integer),
    Entry(".wavefront_size",             true,  Integer),
    Entry(".sgpr_count",                 true,  Integer),
    Entry(".vgpr_count",                 true,  Integer),
    Entry(".max_flat_workgroup_size",    true,  Integer),
    Entry(".sgpr_spill_count",           false, Integer),
    Entry(".vgpr_spill_count",           false, Integer),
    Entry(".uniform_work_group_size",    false, Integer),
];

/// An argument.
#[rustfmt::skip]
pub static ARG: &[Entry] = &[
    Entry(".name",                       false, Text),
    Entry(".type_name",                  false, Text),
    Entry(".size",                       true,  Integer),
    Entry(".offset",                     true,  Integer),
    Entry(".value_kind",                 true,  OneOf(VALUE_KINDS)),
    Entry(".pointee_align",              false, Integer),
    Entry(".address_space",              false, OneOf(&["private", "global", "constant", "local", "generic", "region"])),
    Entry(".access",                     false, OneOf(ACCESS)),
    Entry(".actual_access",              false, OneOf(ACCESS)),
    Entry(".is_const",                   false, Boolean),
    Entry(".is_restrict",                false, Boolean),
    Entry(".is_volatile",                false, Boolean),
    Entry(".is_pipe",                    false, Boolean),
];

static ACCESS: &[&str] = &["read_only", "write_only", "read_write"];

/// What may stand in an argument; those after `queue` are filled in by the launch, not by the program.
#[rustfmt::skip]
pub static VALUE_KINDS: &[&str] = &[
    "by_value", "global_buffer", "dynamic_shared_pointer", "sampler", "image", "pipe", "queue",
    "hidden_block_count_x", "hidden_block_count_y", "hidden_block_count_z",
    "hidden_group_size_x", "hidden_group_size_y", "hidden_group_size_z",
    "hidden_remainder_x", "hidden_remainder_y", "hidden_remainder_z",
    "hidden_global_offset_x", "hidden_global_offset_y", "hidden_global_offset_z",
    "hidden_grid_dims", "hidden_none", "hidden_printf_buffer", "hidden_hostcall_buffer", "hidden_heap_v1",
    "hidden_default_queue", "hidden_completion_action", "hidden_multigrid_sync_arg", "hidden_dynamic_lds_size",
    "hidden_private_base", "hidden_shared_base", "hidden_queue_ptr",
];

/// A kernel, as a launch sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// Its name in the source.
    pub name: String,
    /// The symbol of its descriptor: `NAME.kd` (version 2: of its code).
    pub symbol: String,
    /// Bytes of arguments.
    pub kernarg_segment_size: u64,
    /// Alignment of the arguments.
    pub kernarg_segment_align: u64,
    /// Bytes of LDS that the kernel declares.
    pub group_segment_fixed_size: u64,
    /// Bytes of scratch for one lane.
    pub private_segment_fixed_size: u64,
    /// Lanes in a wave.
    pub wavefront_size: u64,
    /// The largest number of work-items in a group.
    pub max_flat_workgroup_size: u64,
    /// SGPRs, with the reserved ones.
    pub sgpr_count: u64,
    /// VGPRs.
    pub vgpr_count: u64,
    /// Accumulation registers among them.
    pub agpr_count: Option<u64>,
    /// The only size of group that the kernel allows.
    pub reqd_workgroup_size: Option<[u64; 3]>,
    /// Whether scratch may be needed beyond what is declared.
    pub uses_dynamic_stack: bool,
    /// Whether a group may use both compute units of a pair.
    pub workgroup_processor_mode: Option<bool>,
    /// Whether all groups are of the same size.
    pub uniform_work_group_size: bool,
    /// Its arguments.
    pub args: Vec<Arg>,
}

/// An argument of a kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arg {
    /// Its name, where the compiler kept it.
    pub name: Option<String>,
    /// Its type, where the compiler kept it.
    pub type_name: Option<String>,
    /// Where it is, in bytes from the start of the arguments.
    pub offset: u64,
    /// Its size in bytes.
    pub size: u64,
    /// One of [`VALUE_KINDS`].
    pub value_kind: String,
    /// The type of its value, which code objects up to version 3 say: `f32`, `u16`, `struct`.
    pub value_type: Option<String>,
    /// The address space of a pointer.
    pub address_space: Option<String>,
    /// The alignment of what a pointer to LDS refers to.
    pub pointee_align: Option<u64>,
    /// How the kernel says it uses an image or pipe.
    pub access: Option<String>,
    /// How the compiler found it to use the argument.
    pub actual_access: Option<String>,
}

impl Arg {
    /// Whether the launch fills it in, not the program.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.value_kind.starts_with("hidden_")
    }

    /// The type of a number that is passed by value, where the compiler says it.
    #[must_use]
    pub fn number(&self) -> Option<Ty> {
        let plain = |ty: &String| Ty::find(ty);
        let named = self.type_name.as_deref().and_then(source_type).or(self.value_type.as_ref().and_then(plain));
        named.filter(|ty| self.value_kind == "by_value" && u64::from(ty.bytes()) == self.size)
    }

    /// The type of what a pointer refers to, where the compiler says it.
    #[must_use]
    pub fn pointee(&self) -> Option<Ty> {
        let pointer = self.type_name.as_deref().and_then(|name| name.trim_end().strip_suffix('*'));
        // Version 3 says the type of what is pointed to.
        let plain = || self.value_type.as_deref().filter(|_| self.value_kind != "by_value").and_then(Ty::find);
        pointer.and_then(source_type).or_else(plain)
    }
}

/// Types as OpenCL C, HIP and C name them. Vectors and structures are none of these.
#[rustfmt::skip]
static SOURCE_TYPES: &[(&str, Ty)] = &[
    ("char", Ty::I8), ("signed char", Ty::I8), ("uchar", Ty::U8), ("unsigned char", Ty::U8), ("bool", Ty::U8), ("_Bool", Ty::U8),
    ("short", Ty::I16), ("ushort", Ty::U16), ("unsigned short", Ty::U16),
    ("int", Ty::I32), ("uint", Ty::U32), ("unsigned int", Ty::U32), ("unsigned", Ty::U32),
    ("long", Ty::I64), ("ulong", Ty::U64), ("unsigned long", Ty::U64), ("long long", Ty::I64), ("unsigned long long", Ty::U64),
    ("size_t", Ty::U64), ("ptrdiff_t", Ty::I64), ("intptr_t", Ty::I64), ("uintptr_t", Ty::U64),
    ("int8_t", Ty::I8), ("uint8_t", Ty::U8), ("int16_t", Ty::I16), ("uint16_t", Ty::U16), ("int32_t", Ty::I32), ("uint32_t", Ty::U32),
    ("int64_t", Ty::I64), ("uint64_t", Ty::U64),
    ("half", Ty::F16), ("_Float16", Ty::F16), ("__half", Ty::F16), ("__bf16", Ty::Bf16), ("float", Ty::F32), ("double", Ty::F64),
];

/// The type of a name in source code, without its qualifiers.
fn source_type(name: &str) -> Option<Ty> {
    let words: Vec<&str> =
        name.split_whitespace().filter(|word| !matches!(*word, "const" | "volatile" | "restrict")).collect();
    let bare = words.join(" ");
    SOURCE_TYPES.iter().find(|(known, _)| *known == bare).map(|(_, ty)| *ty)
}

impl Metadata {
    /// Reads the YAML of `.amdgpu_metadata`.
    ///
    /// # Errors
    /// It is not YAML.
    pub fn from_yaml(text: &str) -> Result<Metadata, MetadataError> {
        Ok(Metadata { root: yaml::parse(text)? })
    }

    /// Reads the MessagePack of a note.
    ///
    /// # Errors
    /// It is not MessagePack.
    pub fn from_msgpack(data: &[u8]) -> Result<Metadata, MetadataError> {
        Ok(Metadata { root: Value::from_msgpack(data)? })
    }

    /// Reads the text of a note of version 2.
    ///
    /// # Errors
    /// It is not text, or not YAML.
    pub fn from_v2(data: &[u8]) -> Result<Metadata, MetadataError> {
        let text = std::str::from_utf8(data).map_err(|_| MetadataError::Text)?;
        Metadata::from_yaml(text.trim_end_matches('\0'))
    }

    /// The content of a note.
    #[must_use]
    pub fn to_msgpack(&self) -> Vec<u8> {
        self.root.to_msgpack()
    }

    /// The text for `.amdgpu_metadata`.
    #[must_use]
    pub fn to_yaml(&self) -> String {
        yaml::print(&self.root)
    }

    /// Whether this is a document of version 2, which has other names.
    #[must_use]
    pub fn is_v2(&self) -> bool {
        self.root.get("Version").is_some()
    }

    /// `[1, 2]` for code objects of version 5 and 6, `[1, 1]` for 4, `[1, 0]` for 3 and 2.
    #[must_use]
    pub fn version(&self) -> Option<[u64; 2]> {
        let version = self.root.get("amdhsa.version").or_else(|| self.root.get("Version"))?;
        numbers(version)
    }

    /// Checks the document against the tables, as assemblers do before writing it.
    ///
    /// # Errors
    /// Something required is missing or has the wrong type.
    pub fn verify(&self) -> Result<(), MetadataError> {
        verify(&self.root, ROOT, "metadata")
    }

    /// The kernels. What is missing is zero or empty: files in the wild are not all complete.
    #[must_use]
    pub fn kernels(&self) -> Vec<Kernel> {
        let of = |key| self.root.get(key).and_then(Value::as_array).unwrap_or_default();
        if self.is_v2() {
            of("Kernels").iter().map(kernel_v2).collect()
        } else {
            of("amdhsa.kernels").iter().map(kernel).collect()
        }
    }

    /// The kernel whose descriptor has this symbol.
    #[must_use]
    pub fn kernel(&self, symbol: &str) -> Option<Kernel> {
        self.kernels().into_iter().find(|k| k.symbol == symbol)
    }
}

fn verify(value: &Value, table: &'static [Entry], path: &str) -> Result<(), MetadataError> {
    for &Entry(key, required, kind) in table {
        let Some(value) = value.get(key) else {
            if required {
                return Err(MetadataError::Required { path: path.to_owned(), key });
            }
            continue;
        };
        let list_of = |what: fn(&Value) -> bool| value.as_array().is_some_and(|items| items.iter().all(what));
        let number: fn(&Value) -> bool = |v| matches!(v, Value::Uint(_) | Value::Int(_));
        let fits = match kind {
            Text => value.as_str().is_some(),
            OneOf(names) => value.as_str().is_some_and(|text| names.contains(&text)),
            Integer => number(value),
            Boolean => matches!(value, Value::Bool(_)),
            Integers(count) => list_of(number) && value.as_array().is_some_and(|items| items.len() == count),
            Texts => list_of(|v| v.as_str().is_some()),
            Maps(_) => list_of(|v| matches!(v, Value::Map(_))),
        };
        if !fits {
            return Err(MetadataError::Type { path: path.to_owned(), key, expected: kind.expected() });
        }
        if let Maps(table) = kind {
            for (at, item) in value.as_array().unwrap_or_default().iter().enumerate() {
                verify(item, table, &format!("{path}, {key}[{at}]"))?;
            }
        }
    }
    Ok(())
}

fn numbers<const N: usize>(value: &Value) -> Option<[u64; N]> {
    let numbers: Vec<u64> = value.as_array()?.iter().map(Value::as_u64).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

fn number(map: &Value, key: &str) -> Option<u64> {
    map.get(key)?.as_u64()
}

fn text(map: &Value, key: &str) -> Option<String> {
    map.get(key)?.as_str().map(str::to_owned)
}

fn flag(map: &Value, key: &str) -> Option<bool> {
    match map.get(key)? {
        Value::Bool(value) => Some(*value),
        other => other.as_u64().map(|number| number != 0),
    }
}

fn kernel(map: &Value) -> Kernel {
    let number_or_0 = |key| number(map, key).unwrap_or(0);
    Kernel {
        name: text(map, ".name").unwrap_or_default(),
        symbol: text(map, ".symbol").unwrap_or_default(),
        kernarg_segment_size: number_or_0(".kernarg_segment_size"),
        kernarg_segment_align: number_or_0(".kernarg_segment_align"),
        group_segment_fixed_size: number_or_0(".group_segment_fixed_size"),
        private_segment_fixed_size: number_or_0(".private_segment_fixed_size"),
        wavefront_size: number_or_0(".wavefront_size"),
        max_flat_workgroup_size: number_or_0(".max_flat_workgroup_size"),
        sgpr_count: number_or_0(".sgpr_count"),
        vgpr_count: number_or_0(".vgpr_count"),
        agpr_count: number(map, ".agpr_count"),
        reqd_workgroup_size: map.get(".reqd_workgroup_size").and_then(numbers),
        uses_dynamic_stack: flag(map, ".uses_dynamic_stack").unwrap_or(false),
        workgroup_processor_mode: flag(map, ".workgroup_processor_mode"),
        uniform_work_group_size: flag(map, ".uniform_work_group_size").unwrap_or(false),
        args: map.get(".args").and_then(Value::as_array).unwrap_or_default().iter().map(arg).collect(),
    }
}

fn arg(map: &Value) -> Arg {
    Arg {
        name: text(map, ".name"),
        type_name: text(map, ".type_name"),
        offset: number(map, ".offset").unwrap_or(0),
        size: number(map, ".size").unwrap_or(0),
        value_kind: text(map, ".value_kind").unwrap_or_default(),
        value_type: text(map, ".value_type").map(|ty| ty.to_ascii_lowercase()),
        address_space: text(map, ".address_space"),
        pointee_align: number(map, ".pointee_align"),
        access: text(map, ".access"),
        actual_access: text(map, ".actual_access"),
    }
}

/// A kernel of version 2. Arguments have no offsets there: each follows the one before, aligned.
fn kernel_v2(map: &Value) -> Kernel {
    let props = map.get("CodeProps").unwrap_or(&Value::Nil);
    let number_or_0 = |key| number(props, key).unwrap_or(0);
    let mut end: u64 = 0;
    let args = map.get("Args").and_then(Value::as_array).unwrap_or_default();
    let args = args.iter().map(|map| {
        let align = number(map, "Align").filter(|align| align.is_power_of_two() && *align <= 1 << 20).unwrap_or(1);
        let size = number(map, "Size").unwrap_or(0);
        let offset = end.checked_next_multiple_of(align).unwrap_or(end);
        end = offset.saturating_add(size);
        Arg {
            name: text(map, "Name"),
            type_name: text(map, "TypeName"),
            offset,
            size,
            value_kind: text(map, "ValueKind").as_deref().map(snake_case).unwrap_or_default(),
            value_type: text(map, "ValueType").map(|ty| ty.to_ascii_lowercase()),
            address_space: text(map, "AddrSpaceQual").as_deref().map(snake_case),
            pointee_align: number(map, "PointeeAlign"),
            access: text(map, "AccQual").as_deref().map(snake_case),
            actual_access: text(map, "ActualAccQual").as_deref().map(snake_case),
        }
    });
    Kernel {
        name: text(map, "Name").unwrap_or_default(),
        symbol: text(map, "SymbolName").unwrap_or_default(),
        args: args.collect(),
        kernarg_segment_size: number_or_0("KernargSegmentSize"),
        kernarg_segment_align: number_or_0("KernargSegmentAlign"),
        group_segment_fixed_size: number_or_0("GroupSegmentFixedSize"),
        private_segment_fixed_size: number_or_0("PrivateSegmentFixedSize"),
        wavefront_size: number_or_0("WavefrontSize"),
        max_flat_workgroup_size: number_or_0("MaxFlatWorkGroupSize"),
        sgpr_count: number_or_0("NumSGPRs"),
        vgpr_count: number_or_0("NumVGPRs"),
        reqd_workgroup_size: map.get("Attrs").and_then(|a| a.get("ReqdWorkGroupSize")).and_then(numbers),
        uses_dynamic_stack: flag(props, "IsDynamicCallStack").unwrap_or(false),
        ..Kernel::default()
    }
}

/// `HiddenGlobalOffsetX` to `hidden_global_offset_x`.
fn snake_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (at, c) in name.char_indices() {
        if c.is_ascii_uppercase() && at > 0 {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
