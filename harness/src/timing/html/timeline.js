// The timeline: a lane a wave, in it a bar an instruction, in as many rows as bars of the wave overlap, up to ROWS.
// A bar begins with the wait before the start, thin and in the colour of its reason, and goes on from the start to the end in the colour of its kind.
const ROWS = 6, ROW = 12, PAD = 3, HEAD = 20, AXIS = 24, NAMES = 132;
const WIDEST = 80; // pixels a clock
const steps = data.steps.map(([word, place, text, kind]) => ({ word, place, text, kind, name: text.split(' ', 1)[0] }));
const lanes = data.lanes.map(([unit, simd, group, wave, begin, end, count, events, listed]) => ({ unit, simd, group: group.join(), wave, begin, end, count, events, listed }));

// ---- bars, as columns of numbers
const count = lanes.reduce((n, lane) => n + lane.events.length / 7, 0);
const numbers = () => new Float64Array(count), small = () => new Int32Array(count);
const from = numbers(), issue = numbers(), start = numbers(), done = numbers(), waited = numbers(), step = small(), why = small(), on = small(), inLane = small(), inRow = small();
const byStep = steps.map(() => []);
let last = data.clocks, filled = 0;
for (const [l, lane] of lanes.entries()) {
  const e = lane.events, order = Array.from({ length: e.length / 7 }, (_, i) => 7 * i);
  const begins = i => Math.max(0, Math.min(e[i + 1], e[i + 1] + e[i + 2] - (e[i + 4] < 0 ? 0 : e[i + 5])));
  const keys = new Map(order.map(i => [i, begins(i)]));
  order.sort((a, b) => keys.get(a) - keys.get(b) || e[a + 1] - e[b + 1] || a - b);
  const ends = [], rows = [];
  lane.first = filled;
  for (const i of order) {
    const n = filled++;
    [step[n], issue[n], start[n], done[n], why[n], waited[n], on[n]] = [e[i], e[i + 1], e[i + 1] + e[i + 2], e[i + 1] + e[i + 3], e[i + 4], e[i + 5], e[i + 6]];
    [from[n], inLane[n]] = [keys.get(i), l];
    const to = Math.max(done[n], start[n], from[n] + 1);
    let row = ends.findIndex(end => end <= from[n]);
    if (row < 0) row = ends.length < ROWS ? ends.length : ends.indexOf(Math.min(...ends));
    (rows[row] ||= []).push(n);
    ends[row] = Math.max(ends[row] || 0, to);
    inRow[n] = row;
    last = Math.max(last, to);
    byStep[step[n]].push(n);
  }
  lane.behind = filled;
  lane.events = null;
  // How far the bars up to one reach: what is on the screen is found by halving.
  lane.rows = rows.map(bars => {
    const reach = new Float64Array(bars.length);
    bars.forEach((n, i) => { reach[i] = Math.max(i ? reach[i - 1] : 0, done[n], start[n], from[n] + 1); });
    return { bars, reach };
  });
}
const to = n => Math.max(done[n], start[n], from[n] + 1);
// The first of `length` places at which something holds that then goes on holding.
function lowest(length, holds) {
  let low = 0, high = length;
  while (low < high) { const middle = (low + high) >> 1; if (holds(middle)) high = middle; else low = middle + 1; }
  return low;
}

// ---- where lanes lie
const heads = [];
let height = 0, before = null;
for (const lane of lanes) {
  const where = lane.listed ? 'CU ' + lane.unit + ' · SIMD ' + lane.simd : 'waves that are not listed';
  if (where !== before) { heads.push({ y: height, where }); height += HEAD; before = where; }
  lane.y = height;
  lane.height = Math.max(1, lane.rows.length) * ROW + 2 * PAD;
  height += lane.height;
}

// ---- what is seen
const box = $('t-box'), canvas = $('t-canvas'), tip = $('t-tip'), context = canvas.getContext('2d');
let width = 0, tall = 0, left = 0, scale = 1, over = -1, bar = -1, picked = -1, colours = {};
const whole = () => Math.max(1e-9, (width - NAMES - 12) / Math.max(1, last));
const x = clock => NAMES + (clock - left) * scale;
const clockAt = px => left + (px - NAMES) / scale;
function view(newLeft, newScale) {
  scale = Math.min(Math.max(WIDEST, whole()), Math.max(whole(), newScale));
  left = Math.max(0, Math.min(newLeft, last - (width - NAMES - 12) / scale));
  redraw();
}
function zoom(by, px = NAMES + (width - NAMES) / 2) {
  const clock = clockAt(px), scaled = Math.min(Math.max(WIDEST, whole()), Math.max(whole(), scale * by));
  view(clock - (px - NAMES) / scaled, scaled);
}
function theme() {
  const style = getComputedStyle(document.documentElement), get = name => style.getPropertyValue(name).trim();
  colours = { k: data.kinds.map((_, i) => get('--k' + i)), w: data.whys.map((_, i) => get('--w' + i)) };
  for (const name of ['card', 'text', 'dim', 'line', 'band', 'ink', 'mark', 'soft']) colours[name] = get('--' + name);
  colours.mono = get('--mono');
}
function resize() {
  const all = !width || Math.abs(scale - whole()) < 1e-9;
  width = box.clientWidth; tall = box.clientHeight;
  const dense = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * dense); canvas.height = Math.round(tall * dense);
  canvas.style.width = width + 'px'; canvas.style.height = tall + 'px';
  context.setTransform(dense, 0, 0, dense, 0, 0);
  $('t-tall').style.height = Math.max(0, height + AXIS + 8 - tall) + 'px';
  view(left, all ? 0 : scale);
}

// ---- drawing
const redraw = lazily(draw);
function axis() {
  const least = 90 / scale, ten = 10 ** Math.floor(Math.log10(least)), tick = Math.max(1, [1, 2, 5, 10].map(n => n * ten).find(n => n >= least));
  const ticks = [];
  for (let t = Math.ceil(left / tick) * tick; x(t) < width; t += tick) ticks.push(t);
  return ticks;
}
function draw() {
  const c = context, down = box.scrollTop, top = y => y - down + AXIS;
  c.clearRect(0, 0, width, tall);
  c.save();
  c.beginPath(); c.rect(NAMES, AXIS, width - NAMES, tall - AXIS); c.clip();
  const shown = lanes.slice(lowest(lanes.length, i => lanes[i].y + lanes[i].height > down), lowest(lanes.length, i => lanes[i].y >= down + tall - AXIS));
  const ticks = axis();
  c.fillStyle = colours.band;
  for (const lane of shown) if (lane.listed) c.fillRect(Math.max(NAMES, x(lane.begin)), top(lane.y) + 1, Math.max(1, Math.min(width, x(lane.end)) - Math.max(NAMES, x(lane.begin))), lane.height - 2);
  c.fillStyle = colours.line;
  for (const t of ticks) c.fillRect(Math.round(x(t)), AXIS, 1, tall);
  // Rectangles by their colours, those of the picked instruction last.
  const sets = new Map(), texts = [];
  const put = (colour, x0, y0, x1, y1) => { let set = sets.get(colour); if (!set) sets.set(colour, set = []); set.push(x0, y0, x1, y1); };
  const end = clockAt(width);
  for (const lane of shown) {
    lane.rows.forEach(({ bars, reach }, row) => {
      const y = top(lane.y) + PAD + row * ROW;
      let edge = -1;
      for (let i = lowest(bars.length, i => reach[i] >= left); i < bars.length && from[bars[i]] <= end; i++) {
        const n = bars[i], mine = step[n] === picked, x1 = x(to(n));
        // What is narrower than a pixel and has one before it there.
        if (x1 <= edge && !mine) continue;
        const dim = picked >= 0 && !mine ? '~' : '', xs = x(start[n]);
        edge = Math.max(edge, Math.ceil(x1));
        if (from[n] < start[n]) {
          const xw = why[n] < 0 ? xs : x(Math.max(from[n], start[n] - waited[n]));
          if (xw > x(from[n])) put(dim + 'k' + steps[step[n]].kind + 'q', x(from[n]), y + 5, xw, y + 7);
          if (xs > xw) put(dim + 'w' + why[n], xw, y + 3, xs, y + ROW - 4);
        }
        const xd = Math.max(x(Math.max(done[n], start[n])), xs + 1);
        put(dim + 'k' + steps[step[n]].kind, xs, y, xd > xs + 3 ? xd - 1 : xd, y + ROW - 2);
        if (xd - Math.max(xs, NAMES) > 26 && !dim) texts.push(n, xs, xd, y);
      }
    });
  }
  for (const key of [...sets.keys()].sort((a, b) => (b[0] === '~') - (a[0] === '~'))) {
    const dim = key[0] === '~', name = dim ? key.slice(1) : key, set = sets.get(key);
    c.globalAlpha = (dim ? 0.22 : 1) * (name.endsWith('q') ? 0.5 : 1);
    c.fillStyle = colours[name[0]][parseInt(name.slice(1), 10)];
    for (let i = 0; i < set.length; i += 4) {
      const x0 = Math.max(NAMES - 2, set[i]), x1 = Math.min(width + 2, set[i + 2]);
      if (x1 >= x0) c.fillRect(x0, set[i + 1], Math.max(1, x1 - x0), set[i + 3] - set[i + 1]);
    }
  }
  c.globalAlpha = 1;
  c.font = '9.5px ' + colours.mono;
  c.fillStyle = colours.ink;
  const letter = c.measureText('m').width;
  for (let i = 0; i < texts.length; i += 4) {
    const x0 = Math.max(NAMES, texts[i + 1]) + 3, { text, name } = steps[step[texts[i]]], room = Math.floor((Math.min(width, texts[i + 2]) - x0 - 3) / letter);
    const words = text.length <= room ? text : name.length <= room ? name : room > 3 ? name.slice(0, room - 1) + '…' : '';
    if (words) c.fillText(words, x0, texts[i + 3] + 8);
  }
  mark(top);
  c.restore();
  c.font = '11px system-ui, sans-serif';
  c.fillStyle = colours.card;
  c.fillRect(0, 0, NAMES, tall);
  c.textBaseline = 'middle';
  for (const lane of shown) {
    const y = top(lane.y);
    c.fillStyle = over >= 0 && lanes[inLane[over]] === lane ? colours.text : colours.dim;
    c.fillText(lane.group + ' wave ' + lane.wave, 12, y + lane.height / 2, NAMES - 18);
    c.fillStyle = colours.line;
    c.fillRect(12, y + lane.height, width, 1);
  }
  for (const { y, where } of heads) {
    if (top(y) + HEAD < AXIS || top(y) > tall) continue;
    c.fillStyle = colours.soft;
    c.fillRect(0, top(y) + 1, width, HEAD - 1);
    c.fillStyle = colours.text;
    c.fillText(where, 8, top(y) + HEAD / 2 + 1);
  }
  c.fillStyle = colours.card;
  c.fillRect(0, 0, width, AXIS);
  c.fillStyle = colours.line;
  c.fillRect(0, AXIS - 1, width, 1);
  c.fillRect(NAMES, 0, 1, tall);
  c.fillStyle = colours.dim;
  c.fillText('clock', 12, AXIS / 2);
  for (const t of ticks) { c.fillRect(Math.round(x(t)), AXIS - 5, 1, 4); c.fillText(format(t), x(t) + 4, AXIS / 2); }
  c.textBaseline = 'alphabetic';
}
// The bar under the pointer or picked, and the one that it waited for.
function cause(n) {
  if (on[n] < 0) return -1;
  let best = -1;
  for (let i = lanes[inLane[n]].first; i < lanes[inLane[n]].behind && from[i] <= start[n]; i++) if (i !== n && step[i] === on[n] && start[i] <= start[n] && (best < 0 || start[i] >= start[best])) best = i;
  return best;
}
function mark(top) {
  const n = over >= 0 ? over : bar, c = context;
  if (n < 0) return;
  const y = n => top(lanes[inLane[n]].y) + PAD + inRow[n] * ROW, other = cause(n);
  c.strokeStyle = colours.mark;
  c.lineWidth = 1.5;
  c.strokeRect(x(from[n]) - 1, y(n) - 1.5, Math.max(2, x(to(n)) - x(from[n])) + 1, ROW + 1);
  if (other < 0) return;
  c.setLineDash([3, 2]);
  c.strokeRect(x(from[other]) - 1, y(other) - 1.5, Math.max(2, x(to(other)) - x(from[other])) + 1, ROW + 1);
  c.setLineDash([]);
  const [x0, y0, x1, y1] = [x(Math.max(done[other], start[other])), y(other) + ROW / 2, x(start[n]), y(n) + ROW / 2];
  c.beginPath(); c.moveTo(x0, y0); c.bezierCurveTo(x0 + 12, y0, x1 - 12, y1, x1, y1); c.stroke();
}

// ---- what is under the pointer
function at(px, py) {
  if (px < NAMES || py < AXIS) return -1;
  const y = py - AXIS + box.scrollTop, lane = lanes[lowest(lanes.length, i => lanes[i].y + lanes[i].height > y)];
  if (!lane || y < lane.y) return -1;
  const row = lane.rows[Math.floor((y - lane.y - PAD) / ROW)];
  if (!row) return -1;
  const near = 2 / scale, clock = clockAt(px);
  let best = -1, far = Infinity;
  for (let i = lowest(row.bars.length, i => row.reach[i] >= clock - near); i < row.bars.length && from[row.bars[i]] <= clock + near; i++) {
    const n = row.bars[i], away = Math.max(0, from[n] - clock, clock - to(n));
    if (away <= near && away <= far) [best, far] = [n, away];
  }
  return best;
}
function tell(n, px, py) {
  tip.hidden = n < 0;
  if (n < 0) return;
  const s = steps[step[n]], lane = lanes[inLane[n]], line = (...parts) => element('div', {}, ...parts), plural = k => format(k) + (k === 1 ? ' clock' : ' clocks');
  const parts = [element('code', {}, s.text), line(element('i', { class: 'k' + s.kind }), data.kinds[s.kind] + ' · pc ' + s.place),
    line('group ' + lane.group + ' wave ' + lane.wave + (lane.listed ? ' · CU ' + lane.unit + ' · SIMD ' + lane.simd : '')),
    line('issue ' + format(issue[n]) + ' · start ' + format(start[n]) + ' · done ' + format(done[n]))];
  if (why[n] >= 0) {
    parts.push(line(element('i', { class: 'w' + why[n] }), 'waited ' + plural(waited[n]) + ': ' + data.whys[why[n]]));
    if (on[n] >= 0) parts.push(line('on ' + steps[on[n]].place + ' ' + steps[on[n]].text));
  }
  tip.replaceChildren(...parts);
  const { width: w, height: h } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(px + 16, innerWidth - w - 8)) + 'px';
  tip.style.top = (py + 18 + h > innerHeight ? Math.max(4, py - h - 12) : py + 18) + 'px';
}
function hover(n, px, py) {
  if (n !== over) {
    for (const row of document.querySelectorAll('#l-body .over')) row.classList.remove('over');
    over = n;
    if (n >= 0 && rows.get(step[n])) { rows.get(step[n]).classList.add('over'); reveal(rows.get(step[n])); }
    redraw();
  }
  tell(n, px, py);
}

// ---- the listing
const body = $('l-body'), list = $('l-box'), lines = [...body.children], rows = new Map(lines.filter(row => row.dataset.n).map(row => [+row.dataset.n, row]));
function reveal(row) {
  const above = list.querySelector('thead').offsetHeight, top = row.offsetTop - above;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight;
}
$('l-sort').addEventListener('change', e => {
  const clocks = row => +row.children[3].textContent.replaceAll(',', ''), sorted = e.target.value === 'clocks';
  list.classList.toggle('sorted', sorted);
  body.replaceChildren(...(sorted ? [...rows.values()].sort((a, b) => clocks(b) - clocks(a)) : lines));
  list.scrollTop = 0;
});

// ---- what is picked: an instruction, and perhaps one of its bars; the address of the page says which
function pick(newStep, newBar = -1) {
  const k = newBar < 0 ? -1 : byStep[newStep].indexOf(newBar), hash = newStep < 0 ? '#' : '#step=' + steps[newStep].word + (k < 0 ? '' : '&bar=' + k);
  try { history.replaceState(null, '', hash); } catch { /* A page that has no address has none to say it. */ }
  [picked, bar] = [newStep, newBar];
  for (const [n, row] of rows) if (n === picked) { row.setAttribute('aria-selected', true); reveal(row); } else row.removeAttribute('aria-selected');
  redraw();
}
// Brings a bar to the screen, wide enough to be seen.
function show(n) {
  const wanted = Math.max(scale, Math.min(WIDEST, 24 / Math.max(1, to(n) - from[n]))), room = (width - NAMES) / wanted;
  if (wanted > scale || from[n] < left || to(n) > clockAt(width)) view((from[n] + Math.min(to(n), from[n] + room)) / 2 - room / 2, wanted);
  const y = lanes[inLane[n]].y;
  if (y < box.scrollTop || y + lanes[inLane[n]].height > box.scrollTop + tall - AXIS) box.scrollTop = Math.max(0, y - tall / 3);
  const place = canvas.getBoundingClientRect();
  over = -1;
  tell(n, place.left + Math.max(NAMES, Math.min(width - 40, x(start[n]))), place.top + AXIS + y - box.scrollTop + PAD + (inRow[n] + 1) * ROW);
}
function next(by) {
  const all = picked < 0 ? [] : byStep[picked];
  if (!all.length) return;
  const n = all[bar < 0 ? (by > 0 ? 0 : all.length - 1) : (all.indexOf(bar) + by + all.length) % all.length];
  pick(picked, n);
  show(n);
}
function address() {
  const wanted = new URLSearchParams(location.hash.slice(1)), n = wanted.has('step') ? steps.findIndex(s => s.word === +wanted.get('step')) : -1;
  const one = n >= 0 && wanted.has('bar') ? byStep[n][+wanted.get('bar')] ?? -1 : -1;
  pick(n, one);
  if (one >= 0) show(one); else tell(-1);
}
body.addEventListener('click', e => {
  const row = e.target.closest('tr[data-n]');
  if (row) { tell(-1); pick(+row.dataset.n === picked && bar < 0 ? -1 : +row.dataset.n); }
});
body.addEventListener('keydown', e => {
  const row = e.target.closest('tr[data-n]'), beside = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[e.key];
  if (!row) return;
  if (e.key === 'Enter' || e.key === ' ') { e.preventDefault(); row.click(); }
  if (beside) {
    e.preventDefault();
    let other = row[beside];
    while (other && !other.dataset.n) other = other[beside];
    if (other) { other.focus(); pick(+other.dataset.n); }
  }
});

// ---- hands on the timeline
const inside = e => { const place = canvas.getBoundingClientRect(); return [e.clientX - place.left, e.clientY - place.top]; };
let drag = null;
canvas.addEventListener('pointerdown', e => { if (e.button === 0) { drag = { x: e.clientX, y: e.clientY, left, down: box.scrollTop, moved: false }; canvas.setPointerCapture(e.pointerId); } });
canvas.addEventListener('pointermove', e => {
  if (!drag) return hover(at(...inside(e)), e.clientX, e.clientY);
  if (!drag.moved && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 4) return;
  drag.moved = true;
  box.classList.add('drags');
  hover(-1);
  box.scrollTop = drag.down - (e.clientY - drag.y);
  view(drag.left - (e.clientX - drag.x) / scale, scale);
});
const drop = e => {
  if (drag && !drag.moved && e.type === 'pointerup') { const n = at(...inside(e)); pick(n < 0 ? -1 : step[n], n); }
  drag = null;
  box.classList.remove('drags');
};
canvas.addEventListener('pointerup', drop);
canvas.addEventListener('pointercancel', drop);
canvas.addEventListener('pointerleave', () => { if (!drag) hover(-1); });
canvas.addEventListener('wheel', e => {
  const [px] = inside(e);
  if (px < NAMES) return;
  e.preventDefault();
  const unit = e.deltaMode === 1 ? 16 : 1;
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) view(left + (e.deltaX || e.deltaY) * unit / scale, scale);
  else zoom(Math.exp(-e.deltaY * unit / 400), px);
}, { passive: false });
box.addEventListener('scroll', redraw, { passive: true });
box.addEventListener('keydown', e => {
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const move = (width - NAMES) / 6 / scale;
  const act = {
    '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), 0: () => view(0, 0), Home: () => view(0, scale), End: () => view(last, scale),
    ArrowLeft: () => view(left - move, scale), ArrowRight: () => view(left + move, scale), ArrowUp: () => { box.scrollTop -= 48; }, ArrowDown: () => { box.scrollTop += 48; },
    n: () => next(1), p: () => next(-1), Escape: () => { hover(-1); pick(-1); },
  }[e.key];
  if (act) { e.preventDefault(); act(); }
});
$('t-in').addEventListener('click', () => zoom(1.5));
$('t-out').addEventListener('click', () => zoom(1 / 1.5));
$('t-fit').addEventListener('click', () => view(0, 0));

// ---- the legend has what there is
const has = (column, of) => { const there = new Set(); for (let n = 0; n < count; n++) there.add(of(column[n])); return there; };
const kinds = has(step, n => steps[n].kind), whys = has(why, n => n);
const entry = (name, i) => element('span', {}, element('i', { class: name }), i);
$('t-legend').append(element('strong', {}, 'works:'), ...data.kinds.flatMap((name, i) => kinds.has(i) ? [entry('k' + i, name)] : []));
if ([...whys].some(n => n >= 0)) $('t-legend').append(element('strong', {}, 'waits:'), ...data.whys.flatMap((name, i) => whys.has(i) ? [entry('wait w' + i, name)] : []));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { theme(); redraw(); });
window.addEventListener('resize', lazily(resize));
window.addEventListener('hashchange', address);
theme();
resize();
address();
