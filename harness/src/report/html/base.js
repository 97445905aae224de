'use strict';
// What the scripts of all pages begin with. Text is only ever set as text.
const data = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const format = n => n.toLocaleString('en-US');

function element(tag, attributes, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) if (value !== undefined && value !== null) e.setAttribute(name, value);
  e.append(...children.filter(c => c !== null && c !== undefined));
  return e;
}
// Calls back at most once a frame.
function lazily(f) {
  let waiting = false;
  return () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; f(); }); } };
}
