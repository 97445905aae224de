//! Meanings as people read them: the expressions as they are written, by the names of their rows.

use super::{Meaning, Visitor};
use std::collections::HashMap;
use std::sync::OnceLock;

/// How a meaning is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The names of the sources, in the order of the operands; an old destination and a bit come behind them.
    pub sources: Vec<&'static str>,
    /// What becomes of them.
    pub text: String,
}

struct Collect(HashMap<&'static str, &'static str>);

impl Visitor for Collect {
    fn visit<M: Meaning>(&mut self, name: &'static str) {
        self.0.insert(name, M::TEXT);
    }
}

/// The formula of a meaning, looked up as [`super::find`] says; none for memory, control and moves between lanes.
#[must_use]
pub fn formula(meaning: &str) -> Option<Formula> {
    static TABLE: OnceLock<HashMap<&'static str, &'static str>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut all = Collect(HashMap::new());
        super::vector(&mut all);
        super::scalar(&mut all);
        all.0
    });
    let (sources, text) = table.get(meaning)?.split_once("= ")?;
    // The algebra goes without saying, and so do the line breaks of the source.
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace("k.", "");
    Some(Formula { sources: sources.split_whitespace().collect(), text })
}

#[cfg(test)]
mod tests {
    use super::formula;

    #[test]
    fn sources_keep_their_order() {
        let found = formula("v_subrev_f32").expect("a meaning");
        assert_eq!((&found.sources[..], found.text.as_str()), (&["a", "b"][..], "sub_f32(b, a)"));
        assert_eq!(formula("s_endpgm"), None);
    }
}
