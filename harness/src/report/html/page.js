// The matrix and the failures: drawn for as much of them as is on the screen. Text is only ever set as text.
// A letter for each status, so that colour is not all there is.
const LETTERS = { fail: 'F', trap: 'T', crash: 'C', timeout: 'H', unsupported: 'u', flake: '~', 'unexpected-pass': '+', expected: 'e', unknown: '?' };

function options(select, all, names) {
  select.append(element('option', { value: '' }, all), ...names.map((name, i) => element('option', { value: i }, name)));
  select.hidden = names.length < 2;
}
// Calls back when nothing was typed for a moment.
function rested(f) {
  let timer = 0;
  return () => { clearTimeout(timer); timer = setTimeout(f, 120); };
}
// Draws the lines of `count` that a box of scrolled lines shows, each `height` high.
function windowed(box, body, height, above, draw) {
  let count = 0, first = -1, last = -1;
  const show = force => {
    const top = Math.max(0, box.scrollTop - above()), from = Math.max(0, Math.floor(top / height) - 8);
    const to = Math.min(count, Math.ceil((top + box.clientHeight) / height) + 8);
    if (!force && from >= first && to <= last && to - from === last - first) return;
    [first, last] = [from, to];
    const lines = [];
    for (let i = from; i < to; i++) { const line = draw(i); line.style.top = i * height + 'px'; lines.push(line); }
    body.replaceChildren(...lines);
  };
  box.addEventListener('scroll', lazily(() => show(false)), { passive: true });
  window.addEventListener('resize', lazily(() => show(true)));
  return {
    reset(n) { count = n; body.style.height = n * height + 'px'; show(true); },
    redraw() { show(true); },
    reveal(i) {
      const top = i * height, view = box.clientHeight - above();
      if (top < box.scrollTop) box.scrollTop = top;
      else if (top + height > box.scrollTop + view) box.scrollTop = top + height - view;
      show(false);
    },
  };
}

// ---- the matrix
const matrix = (() => {
  const worst = cell => {
    let kind = -1, rank = -1;
    for (let i = 1; i < cell.length; i += 2) {
      const name = data.statuses[cell[i]], r = data.bad[cell[i]] ? 3 : name === 'pass' ? 0 : name === 'expected' ? 2 : 1;
      if (r > rank) [kind, rank] = [cell[i], r];
    }
    return [kind, rank];
  };
  const rows = data.rows.map(([suite, name, cells]) => {
    const row = { suite, name, cells: new Map(), lower: name.toLowerCase() };
    for (const cell of cells) row.cells.set(cell[0], { cell, worst: worst(cell) });
    return row;
  });
  let shown = [], columns = [];
  options($('m-suite'), 'all suites', data.suites);
  options($('m-engine'), 'all engines', data.engines);
  const kinds = data.statuses.filter((_, k) => rows.some(row => [...row.cells.values()].some(c => c.worst[0] === k)));
  $('m-legend').append(...kinds.map(name => element('span', {}, element('i', { class: 's-' + name }), (LETTERS[name] ? LETTERS[name] + ' ' : '') + name)));

  const name = c => data.processors[data.columns[c][1]] + ' on ' + data.engines[data.columns[c][0]];
  const describe = cell => {
    const parts = [];
    for (let i = 1; i < cell.length; i += 2) parts.push(format(cell[i + 1]) + ' ' + data.statuses[cell[i]]);
    return parts.join(', ');
  };
  const head = () => {
    const groups = [], labels = [element('div', { class: 'm-name' })];
    for (const c of columns) {
      const engine = data.columns[c][0], last = groups[groups.length - 1];
      if (last && last.engine === engine) last.n++; else groups.push({ engine, n: 1 });
      labels.push(element('div', { class: 'm-col', title: name(c) }, data.processors[data.columns[c][1]]));
    }
    const of = groups.map(g => {
      const e = element('div', { class: 'm-of', title: data.engines[g.engine] }, data.engines[g.engine]);
      e.style.cssText = 'flex:none;width:' + g.n * 27 + 'px';
      return e;
    });
    $('m-head').replaceChildren(element('div', { class: 'm-line' }, element('div', { class: 'm-name' }), ...of), element('div', { class: 'm-line' }, ...labels));
  };
  const draw = i => {
    const row = shown[i];
    const cells = columns.map(c => {
      const found = row.cells.get(c);
      if (!found) return element('div', { class: 'm-cell', title: row.name + ', ' + name(c) + ': no case' }, element('b', {}, '·'));
      const status = data.statuses[found.worst[0]], can = found.worst[1] > 1;
      const title = row.name + ', ' + name(c) + ': ' + describe(found.cell);
      const cell = element('div', { class: can ? 'm-cell can' : 'm-cell', title }, element('b', { class: 's-' + status }, LETTERS[status] || ''));
      if (can) cell.addEventListener('click', () => failures.only(row, c));
      return cell;
    });
    const label = element('div', { class: 'm-name', title: data.suites[row.suite] + ', ' + row.name }, element('small', {}, data.suites[row.suite]), row.name);
    return element('div', { class: 'm-row' }, label, ...cells);
  };
  const view = windowed($('m-grid'), $('m-body'), 24, () => $('m-head').offsetHeight, draw);
  const apply = () => {
    const text = $('m-text').value.trim().toLowerCase(), suite = $('m-suite').value, engine = $('m-engine').value, which = $('m-which').value;
    columns = data.columns.map((_, c) => c).filter(c => engine === '' || data.columns[c][0] === +engine);
    shown = rows.filter(row => {
      if (text && !row.lower.includes(text) || suite !== '' && row.suite !== +suite) return false;
      const ranks = columns.map(c => row.cells.get(c)).filter(Boolean).map(c => c.worst[1]);
      if (!ranks.length) return false;
      const most = Math.max(...ranks);
      return which === 'all' || (which === 'bad' ? most === 3 : which === 'not' ? most > 0 : most === 0);
    });
    head();
    $('m-count').textContent = shown.length === rows.length ? format(rows.length) + ' rows' : format(shown.length) + ' of ' + format(rows.length) + ' rows';
    $('m-grid').scrollTop = 0;
    view.reset(shown.length);
  };
  if (rows.length > 60 && data.results.some(r => data.bad[r[5]])) $('m-which').value = 'bad';
  for (const id of ['m-suite', 'm-engine', 'm-which']) $(id).addEventListener('change', apply);
  $('m-text').addEventListener('input', rested(apply));
  apply();
  return { apply };
})();

// ---- the failures
const failures = (() => {
  const text = n => data.texts[n];
  const all = data.results.map(([name, suite, column, row, instruction, status, reason, count, again, differences, inputs, file], n) =>
    ({ n, name, suite, column, row, instruction, status, reason, count, again, differences, inputs, file, engine: data.columns[column][0], processor: data.columns[column][1] }));
  const haystack = r => r.hay || (r.hay = [r.name, text(r.row), text(r.instruction), text(r.reason), ...r.differences.flat().map(text)].join('\n').toLowerCase());
  let shown = [], picked = -1, just = null;
  // What went wrong as expected is hidden beside what is not.
  const off = new Set(all.some(r => data.bad[r.status]) ? data.statuses.keys() : []);
  data.bad.forEach((bad, k) => { if (bad) off.delete(k); });
  options($('f-suite'), 'all suites', data.suites);
  options($('f-processor'), 'all processors', data.processors);
  options($('f-engine'), 'all engines', data.engines);

  const kinds = data.statuses.map((_, k) => all.filter(r => r.status === k).length);
  kinds.forEach((n, k) => {
    if (!n) return;
    const chip = element('button', { 'aria-pressed': !off.has(k), class: 's-' + data.statuses[k] }, element('i'), data.statuses[k] + ' ' + format(n));
    chip.addEventListener('click', () => { if (!off.delete(k)) off.add(k); chip.setAttribute('aria-pressed', !off.has(k)); apply(); });
    $('f-chips').append(chip);
  });

  const draw = i => {
    const r = shown[i], status = data.statuses[r.status];
    const many = r.count > 1 ? ' · ' + format(r.count) + ' cases' : '';
    const line = element('div', { class: 'f-row s-' + status, role: 'option', id: 'f-' + i, 'aria-selected': i === picked, title: r.name },
      element('code', {}, text(r.instruction) || text(r.row)),
      element('span', {}, element('em', {}, status), ' · ' + data.processors[r.processor] + ' · ' + data.engines[r.engine] + ' · ' + r.name + many));
    line.addEventListener('click', () => pick(i));
    return line;
  };
  const view = windowed($('f-list'), $('f-body'), 56, () => 0, draw);

  // What two values differ in: characters for values of one length, else all of it.
  const marked = (mine, other) => {
    if (mine.length !== other.length || mine.length > 200) return [mine === other ? mine : element('mark', {}, mine)];
    const parts = [];
    for (let i = 0; i < mine.length;) {
      let j = i;
      const same = mine[i] === other[i];
      while (j < mine.length && (mine[j] === other[j]) === same) j++;
      parts.push(same ? mine.slice(i, j) : element('mark', {}, mine.slice(i, j)));
      i = j;
    }
    return parts;
  };
  // Words of 32 bits as floats, which they often are.
  const reading = value => {
    if (!/^0x[0-9a-f]{8}$/i.test(value)) return null;
    const view = new DataView(new ArrayBuffer(4));
    view.setUint32(0, parseInt(value, 16));
    const f = view.getFloat32(0);
    return element('small', {}, 'f32 ' + (Object.is(f, -0) ? '-0' : Number.isInteger(f) && Math.abs(f) < 1e7 ? f.toFixed(1) : String(+f.toPrecision(9))));
  };
  const detail = r => {
    if (!r) return $('f-detail').replaceChildren();
    const status = data.statuses[r.status], parts = [];
    parts.push(element('h3', {}, text(r.instruction) || text(r.row)));
    parts.push(element('p', { class: 'where' }, element('span', { class: 'badge s-' + status }, status),
      r.name + ' · ' + data.processors[r.processor] + ' · ' + data.engines[r.engine] + ' · row ' + text(r.row) + (r.count > 1 ? ' · stands for ' + format(r.count) + ' cases' : '')));
    if (text(r.reason)) parts.push(element('p', { class: 'reason' }, text(r.reason)));
    // Beside a recording, which has no values, stands also what the emulator wrote.
    const wrote = r.inputs.some(n => text(n).startsWith('>'));
    if (r.inputs.length) parts.push(element('h4', {}, wrote ? 'On ' + data.reference + ' it read and wrote' : 'It read'), element('pre', { class: 'inputs' }, r.inputs.map(text).join('\n')));
    if (r.differences.length) {
      const rows = r.differences.map(d => {
        const [place, expected, got, apart] = d.map(text);
        return element('tr', {}, element('td', {}, place, apart ? element('small', {}, ' ' + apart) : ''), element('td', {}, ...marked(expected, got), reading(expected)), element('td', { class: 'got' }, ...marked(got, expected), reading(got)));
      });
      parts.push(element('table', { class: 'values' },
        element('thead', {}, element('tr', {}, element('th', {}, 'place'), element('th', {}, data.reference), element('th', {}, data.engines[r.engine]))), element('tbody', {}, ...rows)));
    }
    if (text(r.again)) parts.push(element('h4', {}, 'To see it again'), element('div', { class: 'again' }, element('code', {}, text(r.again)), element('button', { 'data-copy': '' }, 'Copy')));
    if (text(r.file)) parts.push(element('p', { class: 'where' }, 'case file ', element('code', {}, text(r.file))));
    $('f-detail').replaceChildren(...parts);
    $('f-detail').scrollTop = 0;
  };
  const pick = i => {
    picked = i;
    detail(shown[i]);
    view.redraw();
    if (shown[i]) { view.reveal(i); $('f-list').setAttribute('aria-activedescendant', 'f-' + i); }
  };
  const apply = () => {
    const wanted = $('f-text').value.trim().toLowerCase(), suite = $('f-suite').value, processor = $('f-processor').value, engine = $('f-engine').value;
    shown = all.filter(r => !off.has(r.status) && (suite === '' || r.suite === +suite) && (processor === '' || r.processor === +processor) &&
      (engine === '' || r.engine === +engine) && (!just || text(r.row) === just) && (!wanted || haystack(r).includes(wanted)));
    const filtered = Boolean(wanted || suite || processor || engine || just);
    $('f-clear').hidden = !filtered;
    $('f-clear').textContent = just ? 'Only ' + just + ' ✕' : 'Clear';
    $('f-count').textContent = (shown.length === all.length ? format(all.length) : format(shown.length) + ' of ' + format(all.length)) +
      (data.more ? ', and ' + format(data.more) + ' more in the journal' : '');
    $('f-panes').hidden = !shown.length;
    $('f-none').hidden = Boolean(shown.length);
    $('f-none').textContent = all.length ? 'Nothing is left of ' + format(all.length) + '.' : 'There are none.';
    $('f-list').scrollTop = 0;
    view.reset(shown.length);
    pick(shown.length ? 0 : -1);
  };
  $('f-clear').addEventListener('click', () => {
    just = null;
    for (const id of ['f-text', 'f-suite', 'f-processor', 'f-engine']) $(id).value = '';
    apply();
  });
  if (!all.length) document.querySelector('#failures .bar').hidden = true;
  for (const id of ['f-suite', 'f-processor', 'f-engine']) $(id).addEventListener('change', apply);
  $('f-text').addEventListener('input', rested(apply));
  $('f-list').addEventListener('keydown', e => {
    const page = Math.max(1, Math.floor($('f-list').clientHeight / 56) - 1);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: page, PageUp: -page, Home: -shown.length, End: shown.length }[e.key];
    if (step && shown.length && !e.ctrlKey && !e.metaKey) { e.preventDefault(); pick(Math.min(shown.length - 1, Math.max(0, picked + step))); }
  });
  apply();
  return {
    // Those of a row on a processor and an engine: what a cell of the matrix leads to.
    only(row, column) {
      just = row.name;
      off.clear();
      for (const chip of $('f-chips').children) chip.setAttribute('aria-pressed', true);
      $('f-text').value = '';
      $('f-suite').value = row.suite;
      [$('f-engine').value, $('f-processor').value] = data.columns[column];
      apply();
      $('failures').scrollIntoView();
    },
  };
})();

document.addEventListener('click', e => {
  const button = e.target.closest('[data-copy]');
  if (!button) return;
  const code = button.parentElement.querySelector('code'), done = () => { button.textContent = 'Copied'; setTimeout(() => { button.textContent = 'Copy'; }, 1500); };
  const by = () => { getSelection().selectAllChildren(code); if (document.execCommand('copy')) done(); };
  if (navigator.clipboard) navigator.clipboard.writeText(code.textContent).then(done, by); else by();
});
