//! Facts with names, so that whoever writes them down (as JSON, as a table) needs no second list of fields.

/// A value of a fact.
#[derive(Clone, Debug, PartialEq)]
pub enum Fact {
    /// Yes or no.
    Bool(bool),
    /// A count or a size.
    Number(u64),
    /// A time.
    Real(f64),
    /// A name.
    Text(String),
    /// Several names.
    List(Vec<String>),
    /// More facts.
    Group(Vec<(&'static str, Fact)>),
}

/// Something that is a fact.
pub trait AsFact {
    /// The fact.
    fn fact(&self) -> Fact;
}

impl AsFact for bool {
    fn fact(&self) -> Fact {
        Fact::Bool(*self)
    }
}

impl AsFact for u32 {
    fn fact(&self) -> Fact {
        Fact::Number(u64::from(*self))
    }
}

impl AsFact for u64 {
    fn fact(&self) -> Fact {
        Fact::Number(*self)
    }
}

impl AsFact for f32 {
    fn fact(&self) -> Fact {
        Fact::Real(f64::from(*self))
    }
}

impl AsFact for String {
    fn fact(&self) -> Fact {
        Fact::Text(self.clone())
    }
}

impl AsFact for [u32; 3] {
    fn fact(&self) -> Fact {
        Fact::List(self.iter().map(ToString::to_string).collect())
    }
}

/// Declares structures whose fields are facts, under their own names.
macro_rules! facts {
    ($($(#[$doc:meta])* pub struct $name:ident { $($(#[$about:meta])* pub $field:ident: $of:ty,)* })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Default, PartialEq)]
            pub struct $name { $($(#[$about])* pub $field: $of,)* }

            impl $crate::vulkan::caps::fact::AsFact for $name {
                fn fact(&self) -> $crate::vulkan::caps::fact::Fact {
                    $crate::vulkan::caps::fact::Fact::Group(vec![
                        $((stringify!($field), $crate::vulkan::caps::fact::AsFact::fact(&self.$field)),)*
                    ])
                }
            }
        )*
    };
}
pub(in crate::vulkan) use facts;
