// Looks for names, and sorts by the column whose heading is clicked; what is no number stands behind all numbers.
document.body.classList.add('scripted');
$('tools').hidden = false;
const rows = [...document.querySelectorAll('.sorted tbody tr')];
function find() {
  const words = $('find').value.toLowerCase().split(/\s+/).filter(word => word);
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !words.every(word => text.includes(word));
    if (!row.hidden) shown++;
  }
  $('found').textContent = words.length ? format(shown) + ' of ' + format(rows.length) : '';
}
$('find').addEventListener('input', lazily(find));
for (const heading of document.querySelectorAll('.sorted th')) heading.addEventListener('click', () => {
  const headings = [...heading.parentNode.children], column = headings.indexOf(heading);
  const down = heading.getAttribute('aria-sort') === 'ascending';
  for (const other of headings) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', down ? 'descending' : 'ascending');
  const body = heading.closest('table').tBodies[0], sign = down ? -1 : 1;
  const key = row => {
    const text = row.cells[column].textContent, n = parseFloat(text.replaceAll(',', ''));
    return heading.classList.contains('n') ? (Number.isNaN(n) ? sign * Infinity : n) : text;
  };
  body.append(...[...body.rows].sort((a, b) => { const x = key(a), y = key(b); return sign * (x < y ? -1 : x > y ? 1 : 0); }));
});
