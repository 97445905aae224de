//! What pages have in common: how they begin and end, a theme of light and dark, and the first functions of their scripts.
//!
//! A page asks nothing of a network, which its policy says to the browser too: styles, data and scripts are those in it.

use crate::report::text::{escape, script};

/// Up to the body; `style` follows the theme.
pub fn head(title: &str, style: &str) -> String {
    let (title, theme) = (escape(title), include_str!("theme.css"));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n\
         <title>{title}</title>\n<style>\n{theme}{style}</style>\n</head>\n"
    )
}

/// The end of the body: data as JSON, which scripts call `data`, and the script that follows what all of them begin with.
pub fn foot(json: &str, code: &str) -> String {
    let (data, base) = (script(json), include_str!("base.js"));
    format!(
        "<script type=\"application/json\" id=\"data\">{data}</script>\n<script>\n{base}{code}</script>\n</body>\n</html>\n"
    )
}
