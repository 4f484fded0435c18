"use strict";
const $ = id => document.getElementById(id), period = 2000, keep = 150;
let before = null, paused = false;
const points = [];

function node(tag, attrs, ...children) {
  const svg = ["svg", "rect", "line", "polyline", "text", "title", "g"].includes(tag);
  const e = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [k, v] of Object.entries(attrs || {})) if (v !== undefined && v !== null) e.setAttribute(k, v);
  e.append(...children.filter(c => c !== undefined && c !== null));
  return e;
}
const width = id => Math.max(260, $(id).clientWidth);
const fill = (id, ...children) => $(id).replaceChildren(...children);
const none = text => node("p", { class: "none" }, text);

function count(n) {
  if (!isFinite(n)) return "–";
  for (const [u, f] of [["G", 1e9], ["M", 1e6], ["k", 1e4]]) if (n >= f) return (n / (u === "k" ? 1e3 : f)).toFixed(1) + " " + u;
  return n >= 100 || Number.isInteger(n) ? Math.round(n).toString() : n.toFixed(1);
}
function bytes(n) {
  for (const [u, f] of [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 1024]]) if (n >= f) return (n / f).toFixed(1) + " " + u;
  return Math.round(n) + " B";
}
function time(s) {
  if (!isFinite(s) || s < 0) return "–";
  if (s >= 86400) return (s / 86400).toFixed(1) + " d";
  if (s >= 3600) return (s / 3600).toFixed(1) + " h";
  if (s >= 120) return (s / 60).toFixed(1) + " min";
  if (s >= 1) return s.toFixed(1) + " s";
  if (s >= 1e-3) return (s * 1e3).toFixed(1) + " ms";
  return Math.round(s * 1e6) + " µs";
}

function quantile(now, old, part) {
  const was = new Map((old || []).map(b => [b.end, b.count]));
  const diff = (now || []).map(b => [b.end, Math.max(0, b.count - (was.get(b.end) || 0))]);
  const total = diff.reduce((a, b) => a + b[1], 0);
  let sum = 0;
  for (const [end, n] of diff) if ((sum += n) > 0 && sum >= part * total) return end;
  return NaN;
}

function chart(id, series, format) {
  const w = width(id), h = 150, left = 58, values = points.flatMap(p => series.map(s => p[s.key])).filter(isFinite);
  if (values.length < 2) return fill(id, none("The first figures come in a few seconds."));
  const top = Math.max(...values) * 1.1 || 1;
  const x = i => left + (w - left) * (keep - points.length + i) / (keep - 1), y = v => h - 4 - (h - 14) * v / top;
  const svg = node("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": series.map(s => s.name + " " + format(points.at(-1)[s.key])).join(", ") });
  for (const v of [0, top / 2, top]) svg.append(node("line", { class: "axis", x1: left, x2: w, y1: y(v), y2: y(v) }), node("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, format(v)));
  series.forEach((s, n) => svg.append(node("polyline", { class: "l" + n, points: points.map((p, i) => isFinite(p[s.key]) ? x(i).toFixed(1) + "," + y(p[s.key]).toFixed(1) : "").join(" ") })));
  fill(id, svg, node("div", { class: "legend" }, ...series.map((s, n) => node("span", {}, node("i", { class: "k" + n }), s.name + " " + format(points.at(-1)[s.key])))));
}

// map lays tables out as rectangles of the area of their pages: the largest first, in rows or columns along the shorter side.
function map(tables) {
  const size = t => Math.max(t.listed, t.resident), all = (tables || []).filter(t => size(t) > 0).sort((a, b) => size(b) - size(a)).slice(0, 60);
  $("warmNote").textContent = all.length ? "Area: pages of the table that a restart loads. Colour: how many of them are in memory; the figure is in percent." : "";
  if (!all.length) return fill("map", none("No pages of tables are in memory or in the list yet."));
  const w = width("map"), h = 260, svg = node("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": "Warmth by table" });
  let x = 0, y = 0, cw = w, ch = h, left = all.reduce((a, t) => a + size(t), 0);
  for (let i = 0; i < all.length;) {
    const tall = cw > ch, short = tall ? ch : cw, area = cw * ch / left;
    let n = 1, sum = size(all[i]);
    const worst = (sum, n) => { const thick = sum * area / short; return Math.max(...all.slice(i, i + n).map(t => { const len = size(t) * area / thick; return Math.max(len / thick, thick / len); })); };
    while (i + n < all.length && worst(sum + size(all[i + n]), n + 1) <= worst(sum, n)) sum += size(all[i + n++]);
    const thick = sum * area / short;
    let at = tall ? y : x;
    for (const t of all.slice(i, i + n)) {
      const len = size(t) * area / thick, r = tall ? [x, at, thick, len] : [at, y, len, thick], warm = t.listed ? t.warm : 100;
      const g = node("g", {}, node("title", {}, `${t.name}: ${t.resident} pages in memory, ${t.listed} listed, ${warm.toFixed(0)} % warm`),
        node("rect", { x: r[0], y: r[1], width: Math.max(r[2], 0), height: Math.max(r[3], 0), fill: `hsl(${210 - 1.85 * warm} 75% ${80 - 0.18 * warm}%)` }));
      if (r[2] > 70 && r[3] > 18) g.append(node("text", { x: r[0] + 6, y: r[1] + 15 }, (t.name.length > r[2] / 7.5 - 6 ? t.name.slice(0, Math.max(3, r[2] / 7.5 - 7)) + "…" : t.name) + " " + warm.toFixed(0)));
      svg.append(g);
      at += len;
    }
    if (tall) { x += thick; cw -= thick; } else { y += thick; ch -= thick; }
    left -= sum; i += n;
  }
  fill("map", svg);
}

function starts(list) {
  if (!list || !list.length) return fill("starts", none("No start is known."));
  const shown = list.slice(-6).reverse(), all = width("starts"), w = all > 640 ? all - 200 : all, area = w * .6, end = s => Math.max(...s.phases.filter(p => p.took > 0).map(p => p.at + p.took), 0), most = Math.max(...shown.map(end), 1e-3);
  fill("starts", ...shown.map(s => {
    const rows = s.phases.filter(p => p.took > 0 || !p.done), h = Math.max(rows.length, 1) * 18;
    const svg = node("svg", { viewBox: `0 0 ${w} ${h}`, role: "img", "aria-label": rows.map(p => `${p.name} ${time(p.took)}`).join(", ") });
    rows.forEach((p, i) => {
      const x = area * p.at / most, took = Math.max(area * p.took / most, 2);
      svg.append(node("rect", { x, y: i * 18 + 3, width: took, height: 12, rx: 2, fill: p.done ? "var(--b)" : "var(--a)" }),
        node("text", { x: x + took + 6, y: i * 18 + 13 }, `${p.name} ${time(p.took)}${p.done ? "" : " …"}`));
    });
    return node("div", { class: "start" }, node("span", {}, new Date(s.began).toLocaleString(), node("br"), time(end(s))), svg);
  }));
}

function table(id, heads, rows, empty) {
  if (!rows.length) return fill(id, node("caption", { class: "none" }, empty));
  const cell = (c, i) => node("td", { class: heads[i][1] }, c instanceof Node ? c : String(c));
  fill(id, node("thead", {}, node("tr", {}, ...heads.map(h => node("th", { scope: "col", class: h[1] === "n" ? "n" : "" }, h[0])))), node("tbody", {}, ...rows.map(r => node("tr", {}, ...r.map(cell)))));
}
function list(id, fields, empty) {
  fill(id, ...(fields.length ? fields.flatMap(f => [node("dt", {}, f.name), node("dd", {}, f.value)]) : [node("dd", { class: "none" }, empty)]));
}

const opened = new Set(), plans = new Map();
function statement(d, planned) {
  const key = d.schema + "\0" + d.text, plan = node("pre", {}, plans.get(key) || "");
  const box = node("details", opened.has(key) ? { open: "" } : {}, node("summary", {}, d.text || "(all others)"), node("div", {}, "Sample: " + d.sample),
    planned ? plan : node("div", { class: "none" }, "The plan is shown when ember_health_password_file is set."));
  box.addEventListener("toggle", () => {
    if (!box.open) { opened.delete(key); plans.delete(key); return; }
    opened.add(key);
    if (planned && !plans.has(key)) explain(d, key, plan);
  });
  return box;
}
async function explain(d, key, out) {
  plans.set(key, "The plan is being made …");
  out.textContent = plans.get(key);
  try {
    const r = await fetch(`/dashboard/plan?schema=${encodeURIComponent(d.schema)}&digest=${encodeURIComponent(d.digest)}`, { cache: "no-store" });
    if (!r.ok) throw new Error("the server answers " + r.status);
    const a = await r.json();
    plans.set(key, a.error ? "No plan: " + a.error : a.plan);
  } catch (e) { plans.set(key, "No plan: " + e.message); }
  out.textContent = plans.get(key);
}

function show(s) {
  const c = s.counts || {}, now = performance.now() / 1000, old = before && before.s.uptime <= s.uptime ? before : null;
  const state = s.failed ? "failed" : s.readOnly && s.state.status === "ready" ? "readonly" : s.state.status;
  $("badge").textContent = state === "readonly" ? "read only" : state;
  $("badge").className = "badge " + state;
  $("text").textContent = s.failed || (s.state.status === "ready" ? "" : s.state.text);
  $("host").textContent = [s.host, s.version].filter(Boolean).join(" · ");
  document.title = `${state} – Ember ${s.host || ""}`;
  $("bar").hidden = !(s.state.percent > 0 && s.state.percent < 100);
  $("done").style.width = s.state.percent + "%";
  $("early").hidden = !!s.counts;
  $("main").hidden = !s.counts;
  if (!s.counts) return;
  const rate = k => old ? Math.max(0, (c[k] - (old.s.counts[k] || 0)) / (now - old.at)) : NaN;
  const hits = c.read_requests ? 100 * (1 - c.reads / c.read_requests) : NaN;
  points.push({ queries: rate("queries"), commits: rate("commits"), reads: rate("reads"), p50: quantile(s.histogram, old && old.s.histogram, .5), p95: quantile(s.histogram, old && old.s.histogram, .95), p99: quantile(s.histogram, old && old.s.histogram, .99) });
  if (points.length > keep) points.shift();
  const p = points.at(-1), tile = (v, name) => node("div", { class: "tile" }, node("b", {}, v), node("span", {}, name));
  fill("tiles", tile(count(p.queries), "statements a second"), tile(count(p.commits), "commits a second"), tile(time(p.p95), "95 % of statements within"), tile(count(c.running) + " / " + count(c.connected), "running / connected"),
    tile(isFinite(hits) ? hits.toFixed(1) + " %" : "–", "found in memory"), tile(c.pages_total ? (100 * c.pages_data / c.pages_total).toFixed(0) + " %" : "–", "of the pool in use"), tile(time(s.recovery.estimate), "recovery if killed now"), tile(time(s.uptime), "since the start"));
  chart("rate", [{ key: "queries", name: "statements/s" }, { key: "commits", name: "commits/s" }, { key: "reads", name: "pages read/s" }], count);
  chart("latency", [{ key: "p50", name: "median" }, { key: "p95", name: "95 %" }, { key: "p99", name: "99 %" }], time);
  map(s.tables);
  starts(s.starts);
  table("digests", [["Statement", "q"], ["Schema", ""], ["Runs", "n"], ["Total", "n"], ["Mean", "n"], ["95 %", "n"], ["Longest", "n"], ["Rows sent", "n"], ["Rows read", "n"], ["Errors", "n"]],
    (s.digests || []).map(d => [statement(d, s.plans), d.schema, count(d.count), time(d.total), time(d.mean), time(d.p95), time(d.max), count(d.sent), count(d.examined), count(d.errors)]), "No statement has run, or performance_schema is off.");
  table("waits", [["Waits", "n"], ["For", "n"], ["Since", "n"], ["Table", ""], ["Index", ""], ["Lock", ""], ["Statement", "q"]], (s.waits || []).map(x => [x.waiting, x.blocking, time(x.seconds), x.table, x.index, x.mode, x.query]), "Nobody waits for a lock.");
  table("threads", [["Id", "n"], ["User", ""], ["Host", ""], ["Database", ""], ["Command", ""], ["Time", "n"], ["State", ""], ["Statement", "q"]], (s.threads || []).map(t => [t.id, t.user, t.host, t.db, t.command, time(t.seconds), t.state, t.query]), "Nobody is connected.");
  list("replica", s.replica || [], "This server follows no source.");
  list("disk", [...(s.backups && s.backups.length ? s.backups.map(b => ({ name: "Backup under way", value: b })) : [{ name: "Backup", value: "none under way" }]),
    { name: "Free space", value: bytes(s.disk.free) }, { name: "Redo log", value: bytes(s.disk.redo) }, { name: "Binary logs", value: bytes(s.disk.binlog) }, { name: "Last recovery", value: s.recovery.last > 0 ? time(s.recovery.last) : "none" }], "");
  before = { s, at: now };
}

async function tick() {
  if (!paused && !document.hidden) {
    try {
      const r = await fetch("/dashboard/data", { cache: "no-store" });
      if (!r.ok) throw new Error("the server answers " + r.status);
      show(await r.json());
    } catch (e) {
      $("badge").textContent = "gone"; $("badge").className = "badge gone";
      $("text").textContent = "No answer: " + e.message;
    }
  }
  setTimeout(tick, period);
}
$("pause").addEventListener("click", () => { paused = !paused; $("pause").setAttribute("aria-pressed", paused); $("pause").textContent = paused ? "Go on" : "Pause"; });
tick();
