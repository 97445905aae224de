//! The tables as a page: one file without a server. Names are looked for and columns sorted by a script; without scripts it is the tables.

use super::text::shown;
use crate::report::html::shell;
use crate::report::text::escape;
use serde_json::Value;
use std::fmt::Write as _;

/// The page of all runs, as [`data`](super::data) has them.
pub fn page(all: &Value) -> String {
    let runs = || all.as_array().into_iter().flatten();
    let arch = runs().next().map_or("", |run| text(&run["arch"]));
    let mut out = shell::head(&format!("wavediff bench: {arch}"), include_str!("bench.css"));
    let _ = writeln!(
        out,
        "<body>\n<header class=\"top\"><div class=\"wide\">\n<p class=\"name\">wavediff bench</p>\n<h1>{}</h1>\n</div></header>\n\
         <main class=\"wide\">\n<div class=\"bar\" hidden id=\"tools\"><input id=\"find\" type=\"search\" placeholder=\"instruction or unit\" \
         aria-label=\"instruction or unit\"><span id=\"found\"></span></div>",
        escape(arch)
    );
    for run in runs() {
        push_run(&mut out, run);
    }
    out.push_str("</main>\n");
    out.push_str(&shell::foot("{}", include_str!("bench.js")));
    out
}

fn push_run(out: &mut String, run: &Value) {
    let unit = text(&run["in"]);
    let _ = writeln!(
        out,
        "<h2>{} <small>waves of {} lanes, in {}</small></h2>",
        escape(text(&run["engine"])),
        run["lanes"],
        escape(unit)
    );
    let rows: Vec<&Value> = run["rows"].as_array().into_iter().flatten().collect();
    let (patterns, rows): (Vec<&Value>, Vec<&Value>) = rows.into_iter().partition(|row| row["bytes"].is_u64());
    if !patterns.is_empty() {
        push_patterns(out, unit, &patterns);
    }
    if !rows.is_empty() {
        push_rows(out, &rows);
    }
}

/// What is measured.
const KINDS: [&str; 2] = ["rate", "latency"];

/// A bar of the width of a share.
fn bar(share: f64) -> String {
    format!("<td class=\"share\"><i style=\"width: {:.1}%\"></i>", share.clamp(0.0, 1.0) * 100.0)
}

/// Patterns; of those with the same instruction each has a bar, which is as long as it takes.
fn push_patterns(out: &mut String, unit: &str, patterns: &[&Value]) {
    let name = |row: &Value| text(&row["instruction"]).to_owned();
    let cost = |row: &Value| KINDS.into_iter().find_map(|kind| Some((kind, row[kind]["each"].as_f64()?)));
    // What stands beside each other in bars: one instruction, waiting for itself or not.
    let key = |row: &Value| (name(row).split(',').next().map(str::to_owned), cost(row).map(|(kind, _)| kind));
    let _ = writeln!(
        out,
        "<div class=\"card scroll\"><table class=\"plain sorted\"><thead><tr><th>pattern<th>of<th class=\"n\">{unit}<th><th class=\"n\">bytes \
         in one</thead><tbody>",
        unit = escape(unit)
    );
    for row in patterns {
        let of_same: Vec<f64> =
            patterns.iter().filter(|other| key(other) == key(row)).filter_map(|other| Some(cost(other)?.1)).collect();
        let most = of_same.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
        let each = cost(row).map(|(_, each)| each);
        let bar = each.filter(|_| of_same.len() > 1).map_or("<td>".to_owned(), |each| bar(each / most));
        let bytes = row["bytes"].as_f64().zip(each).filter(|(bytes, each)| *bytes > 0.0 && *each > 0.0);
        let _ = writeln!(
            out,
            "<tr><td class=\"mono\">{}<td>{}<td class=\"n\">{}{}<td class=\"n\">{}</tr>",
            escape(&name(row)),
            escape(text(&row["unit"])),
            each.map_or("-".to_owned(), shown),
            bar,
            bytes.map_or(String::new(), |(bytes, each)| shown(bytes / each))
        );
    }
    out.push_str("</tbody></table></div>\n");
}

/// Rows, with both costs, or why there are none.
fn push_rows(out: &mut String, rows: &[&Value]) {
    out.push_str(
        "<div class=\"card scroll\"><table class=\"plain sorted\"><thead><tr><th>instruction<th class=\"n\">rate<th class=\"n\">latency\
         <th>unit<th>figures from, or why there is none</thead><tbody>\n",
    );
    for row in rows {
        let each = |kind: &str| row[kind]["each"].as_f64().map_or("-".to_owned(), shown);
        let with =
            row["latency"]["with"].as_str().map_or(String::new(), |with| format!(" <small>+ {}</small>", escape(with)));
        let why = KINDS.into_iter().find_map(|kind| row[kind]["none"].as_str());
        let from = [&row["rate_from"], &row["latency_from"]].map(text);
        let said = match (why, from) {
            (Some(why), _) => why.to_owned(),
            (None, ["", _]) => String::new(),
            (None, [rate, latency]) if rate == latency => rate.to_owned(),
            (None, [rate, latency]) => format!("{rate}, {latency}"),
        };
        let _ = writeln!(
            out,
            "<tr><td class=\"mono\">{}<td class=\"n\">{}<td class=\"n\">{}{with}<td>{}<td>{}</tr>",
            escape(text(&row["instruction"])),
            each("rate"),
            each("latency"),
            escape(text(&row["unit"])),
            escape(&said)
        );
    }
    out.push_str("</tbody></table></div>\n");
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
