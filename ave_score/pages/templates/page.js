"use strict";
// Sorts and copies tables; filters, draws and opens questions. It uses no network and no storage,
// and everything that comes from files is set as text.
(() => {
  const collator = new Intl.Collator(undefined, { numeric: true });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const many = (number) => number.toLocaleString("en");

  // --- elements

  const el = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (value !== null && value !== undefined && value !== false) {
        made.setAttribute(key, value === true ? "" : value);
      }
    }
    made.append(...children);
    return made;
  };

  /** A name whose lines break where those of the page do: `BREAKS` of reports/style.py. */
  const BREAKS = /(?<=[_./…-])(?![\s_./-]|$)(?!(?<=\d[_./-])\d)/u;
  const breakable = (name) =>
    name.split(BREAKS).flatMap((part, n) => (n ? [el("wbr"), part] : [part]));

  const button = (label, click, attributes = {}) => {
    const made = el("button", { type: "button", ...attributes }, label);
    made.addEventListener("click", click);
    return made;
  };

  const status = () => el("p", { class: "status", role: "status", "aria-live": "polite" });

  // --- sorting

  const words = (cell) => (cell ? cell.textContent.replace(/\s+/g, " ").trim() : "");

  const headsOf = (table) => [...table.tHead.rows[0].cells];

  /** A number, a text, or null if the value is undefined. */
  const valueOf = (cell) => {
    const text = cell?.dataset.value ?? words(cell);
    if (text === "" || text === "n/a") return null;
    const isNumber = cell.dataset.value !== undefined || cell.classList.contains("r");
    const number = isNumber ? Number.parseFloat(text.replace(/,/g, "")) : NaN;
    return Number.isNaN(number) ? text : number;
  };

  const compare = (a, b) => (typeof a === "number" && typeof b === "number"
    ? a - b : collator.compare(String(a), String(b)));

  /** Sorted copies; what is undefined comes last in both directions, equal items stay in order. */
  const sorted = (items, key, direction) => {
    const keyed = items.map((item) => [key(item), item]);
    keyed.sort(([a], [b]) => (a === null || b === null
      ? (a === null) - (b === null) : direction * compare(a, b)));
    return keyed.map(([, item]) => item);
  };

  /** Put a button into each header cell; `sort` gets a column and 1, -1, or 0 for the old order. */
  const sortable = (table, firstOf, sort) => {
    const heads = headsOf(table);
    heads.forEach((head, column) => {
      const made = button("", () => {
        const first = firstOf(column);
        const now = { ascending: 1, descending: -1 }[head.getAttribute("aria-sort")] || 0;
        const next = now === 0 ? first : now === first ? -first : 0;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        if (next) head.setAttribute("aria-sort", next > 0 ? "ascending" : "descending");
        sort(column, next);
      }, { class: "sort" });
      made.append(...head.childNodes);
      head.append(made);
    });
  };

  const sortTable = (table) => {
    const parts = [...table.tBodies].map((body) => [body, [...body.rows]]);
    const isNumeric = (column) => parts.some(([, rows]) =>
      rows.some((row) => typeof valueOf(row.cells[column]) === "number"));
    sortable(table, (column) => (isNumeric(column) ? -1 : 1), (column, direction) => {
      for (const [body, rows] of parts) {
        body.append(...(direction
          ? sorted(rows, (row) => valueOf(row.cells[column]), direction) : rows));
      }
    });
  };

  // --- copying

  // What is special is escaped as `reports/latex.py` and `reports/markdown.py` do. In CSV, a
  // spreadsheet would compute a text that begins as a formula does.
  const TEX = {
    "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
    "<": "\\textless{}", ">": "\\textgreater{}", "|": "\\textbar{}", '"': "\\textquotedbl{}",
    "−": "$-$", "–": "--",
  };
  const LIGATURE = /(?<=[-,'`!?])(?=[-,'`])/;
  const tex = (text) => text.split(LIGATURE)
    .map((part) => part.replace(/[\\~^<>|"−–&%$#_{}]/g, (found) => TEX[found] || `\\${found}`))
    .join("{}").replace(/^[[*]/, "{$&}");
  const FIGURE = /^[-+−]?[\d.,]+$/;
  const field = (text) => {
    const safe = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/.test(text) && !/^[-+][\d.,]+( [[(].*)?$/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  const markdown = (text) => text.replace(/[\\`*_[\]<>|#~&$]/g, "\\$&")
    .replace(/(?<![A-Za-z0-9])@|@(?=[\w.-]*\.)/g, "@<!-- -->").replace(/:\/\//g, "&#58;//")
    .replace(/www\./g, "www&#46;");

  /** Format -> the lines of a table: texts of heads, and rows of cells. */
  const FORMATS = {
    LaTeX: (heads, rows, letters) => {
      const line = (texts) => `${texts.map(tex).join(" & ")} \\\\`;
      return [
        `\\begin{tabular}{${letters.join("")}}`, "\\toprule", line(heads), "\\midrule",
        ...rows.map((row) => line(row.map(({ text }) => text))), "\\bottomrule", "\\end{tabular}",
      ];
    },
    CSV: (heads, rows) =>
      [heads, ...rows.map((row) => row.map(({ text, exact }) => exact ?? text))]
        .map((row) => row.map(field).join(",")),
    Markdown: (heads, rows, letters) => {
      const line = (texts) => `| ${texts.join(" | ")} |`;
      return [
        line(heads.map(markdown)), line(letters.map((letter) => (letter === "r" ? "--:" : "---"))),
        ...rows.map((row) => line(row.map(({ text }) => markdown(text)))),
      ];
    },
  };

  /** Copy a text; false if the page may not. */
  const copied = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const area = el("textarea", { readonly: true, class: "copied", "aria-label": "Copied text" });
      area.value = text;
      document.body.append(area);
      area.select();
      const done = document.execCommand("copy");
      area.remove();
      return done;
    }
  };

  /** Buttons that copy a table with the rows of cells that `rows` returns, as shown and exact. */
  const copyBar = (table, formats, rows) => {
    const said = status();
    const shown = el("textarea", { readonly: true, hidden: true, "aria-label": "Text to copy" });
    const copy = async (format) => {
      const heads = headsOf(table);
      const letters = heads.map((head) => (head.matches(".r, .right") ? "r" : "l"));
      const text = `${FORMATS[format](heads.map(words), rows(), letters).join("\n")}\n`;
      const done = await copied(text);
      shown.hidden = done;
      if (!done) {
        shown.value = text;
        shown.focus();
        shown.select();
      }
      said.textContent = done ? `Copied as ${format}.` : "Press Ctrl+C to copy the selected text.";
    };
    const buttons = formats.map((format) =>
      button(format, () => copy(format), { "aria-label": `Copy as ${format}` }));
    const label = `Copy the table: ${words(table.caption)}`;
    return el("div", { class: "copy", role: "group", "aria-label": label }, "Copy as ", ...buttons,
      said, shown);
  };

  const copyTable = (table) => {
    const rows = () => [...table.tBodies].flatMap((body) => [...body.rows]).map((row) =>
      [...row.cells].map((cell) => {
        const text = words(cell);
        return { text, exact: FIGURE.test(text) ? cell.dataset.value : undefined };  // no interval
      }));
    const bar = copyBar(table, Object.keys(FORMATS), rows);
    (table.closest(".scroll") || table).after(bar);
  };

  // --- packed data

  const partElement = (name) => document.getElementById(`part-${name}`);
  const unpacked = new Map();

  /** A part of the data, unpacked once; null if the page does not have it. */
  const part = (name) => {
    if (!unpacked.has(name)) {
      const holder = partElement(name);
      unpacked.set(name, holder ? unpack(holder.textContent) : Promise.resolve(null));
    }
    return unpacked.get(name);
  };

  const unpack = async (text) => {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(stream).json();
  };

  // --- questions

  const WINDOW = 200;
  const RIGHT = new Set(["good", "silent"]);
  const WRONG = new Set(["bad", "void"]);
  const TONES = ["good", "silent", "mix", "none", "missed", "void", "bad", "absent"];

  /** Numbers of right, unanswered and all replicates, if their outcomes differ. */
  const mixOf = (tone) => tone.match(/^mix-(\d+)-(\d+)-(\d+)$/)?.slice(1).map(Number);

  const rightOf = (tone) => {
    const [right, , all] = mixOf(tone) ?? [RIGHT.has(tone), 0, 1];
    return right / all;
  };

  const rounded = (number) => {
    const whole = Math.round(number);
    return Math.abs(number - whole) < 1e-9 ? String(whole) : number.toFixed(2);
  };

  const isWrong = (tone) => {
    const [right, unanswered, all] = mixOf(tone) ?? [0, 0, WRONG.has(tone)];
    return right + unanswered < all;
  };

  const placeOf = (tone) => (mixOf(tone) ? TONES.indexOf("mix") - rightOf(tone) : TONES.indexOf(tone));

  const FILTERS = {
    All: () => true,
    Errors: (row) => row.tones.some(isWrong),
    Disagreements: (row) => new Set(row.tones.filter((tone) => tone !== "absent")).size > 1,
    "Nobody right": (row) => row.right === 0,
  };

  class Questions {
    constructor(root) {
      this.root = root;
      this.unit = root.dataset.unit;
      this.table = root.querySelector("table.matrix");
      this.list = root.querySelector(".details");
      this.isDrawn = !this.table;
      const data = document.getElementById("questions-data");
      this.data = data ? JSON.parse(data.textContent) : null;
      this.hasDetails = this.data ? this.data.details : this.list.children.length > 0;
      this.counting = Number(root.dataset.counting);
      this.unfold = root.querySelector("#unfold");
      this.filter = "All";
      this.query = "";
      this.start = 0;
      this.sorting = null;
    }

    async begin() {
      this.said = status();
      const isPacked = Boolean(partElement("outcomes"));
      if (isPacked && typeof DecompressionStream === "undefined") {
        this.root.append(el("p", { class: "note" }, "This browser cannot unpack the "
          + `${this.unit}s of this page (it has no DecompressionStream). A newer one shows them.`));
        if (this.isDrawn) return;
        this.hasDetails = false;
      }
      if (this.isDrawn && !isPacked) return;
      this.rows = this.isDrawn ? await this.unpackedRows() : this.tableRows();
      this.numbers = new Map(this.rows.map((row) => [row.id, row.number]));
      this.order = this.rows;
      this.root.classList.add("js");
      if (this.isDrawn) this.makeTable();
      this.makeControls();
      this.sortColumns();
      this.update();
      if (this.hasDetails) this.follow();
    }

    // --- rows

    tableRows() {
      const first = this.table.querySelector("thead .text") ? 2 : 1;
      return [...this.table.tBodies[0].rows].map((tr, number) => {
        const cells = [...tr.cells];
        const tones = cells.slice(first, -1).map((cell) => cell.className.split(" ")[0]);
        const [id, text] = [words(cells[0]), first > 1 ? words(cells[1]) : ""];
        return this.row(number, id, text, tones, tr);
      });
    }

    async unpackedRows() {
      const [{ ids, codes }, texts] = await Promise.all([part("outcomes"), part("questions")]);
      this.marks = new Map(this.data.marks.map((mark) => [mark[0], mark]));
      this.codes = codes;
      this.hasTexts = Boolean(texts);
      const toneOf = (code) => this.marks.get(code)[3];
      return ids.map((id, number) => this.row(
        number, id, texts?.[number] ?? "", codes.map((each) => toneOf(each[number]))));
    }

    row(number, id, text, every, tr = null) {
      return this.counted({ number, id, text, every, tr, searched: `${id} ${text}`.toLowerCase() });
    }

    /** A row whose filters and counts are of the runs that are shown. */
    counted(row) {
      row.tones = this.unfold?.checked ? row.every : row.every.slice(0, this.counting);
      row.right = row.tones.reduce((sum, tone) => sum + rightOf(tone), 0);
      if (row.tr) row.tr.cells[row.tr.cells.length - 1].textContent = rounded(row.right);
      return row;
    }

    beside(run) {
      return run < this.counting ? "" : " beside";
    }

    link(id) {
      return this.hasDetails ? el("a", { href: `#q=${encodeURIComponent(id)}` }, id) : id;
    }

    drawnRow(row) {
      if (!row.tr) {
        const symbols = this.symbols(row);
        row.tr = el("tr", {}, el("th", { scope: "row" }, this.link(row.id)));
        if (this.hasTexts) row.tr.append(el("td", { class: "text" }, row.text));
        row.tr.append(
          ...row.every.map((tone, run) => el("td", { class: tone + this.beside(run) }, symbols[run])),
          el("td", { class: "right" }, rounded(row.right)));
      }
      return row.tr;
    }

    symbols(row) {
      return this.codes.map((codes) => this.marks.get(codes[row.number])[1]);
    }

    /** The texts of a row, which need not be drawn. */
    texts(row) {
      if (!this.isDrawn) return [...row.tr.cells].map(words);
      return [row.id, ...(this.hasTexts ? [row.text] : []), ...this.symbols(row), rounded(row.right)];
    }

    makeTable() {
      const head = (attributes, ...children) => el("th", { scope: "col", ...attributes }, ...children);
      const unit = this.unit[0].toUpperCase() + this.unit.slice(1);
      const heads = [
        head({}, unit), ...(this.hasTexts ? [head({ class: "text" }, "Text")] : []),
        ...this.data.runs.map((name, run) =>
          head({ class: `run${this.beside(run)}` }, el("span", {}, ...breakable(name)))),
        head({ class: "right" }, "Runs right"),
      ];
      this.table = el("table", { class: `matrix${this.counting > 8 ? " many" : ""}` },
        el("caption", {}, `Outcomes of ${this.unit}s`),
        el("thead", {}, el("tr", {}, ...heads)), el("tbody"));
      this.list.before(el("div", {
        class: "scroll", tabindex: "0", role: "region", "aria-label": `Outcomes of ${this.unit}s`,
      }, this.table));
    }

    // --- sorting and filtering

    sortColumns() {
      const heads = headsOf(this.table);
      const first = heads.findIndex((head) => head.classList.contains("run"));
      const key = (column) => {
        if (column === 0) return (row) => row.id;
        if (column === heads.length - 1) return (row) => row.right;
        if (column < first) return (row) => row.text || null;
        return ({ every: { [column - first]: tone } }) =>
          (tone === "absent" ? null : placeOf(tone));
      };
      sortable(this.table, () => 1, (column, direction) => {
        this.order = direction ? sorted(this.rows, key(column), direction) : this.rows;
        this.start = 0;
        if (!this.isDrawn) this.table.tBodies[0].append(...this.order.map((row) => row.tr));
        this.update();
      });
    }

    makeControls() {
      const found = `search-${this.unit}s`;
      const search = el("input", { type: "search", id: found, autocomplete: "off" });
      search.addEventListener("input", () => {
        clearTimeout(this.typing);  // thousands of rows are not filtered, and read out, at each key
        this.typing = setTimeout(() => {
          this.query = search.value.trim().toLowerCase();
          this.start = 0;
          this.update();
        }, 120);
      });
      const names = Object.keys(FILTERS).filter((name, index) =>
        index < 2 || this.rows[0].every.length > 1);
      const labelOf = (name) => `${name} (${many(this.rows.filter(FILTERS[name]).length)})`;
      const filters = names.map((name) => {
        const made = button(labelOf(name), () => {
          this.filter = name;
          this.start = 0;
          filters.forEach((other) => other.setAttribute("aria-pressed", String(other === made)));
          this.update();
        }, { "aria-pressed": String(name === "All") });
        return made;
      });
      this.unfold?.addEventListener("change", () => {
        this.rows.forEach((row) => this.counted(row));
        filters.forEach((filter, index) => { filter.textContent = labelOf(names[index]); });
        this.update();
      });
      const parts = [
        el("div", { class: "filters", role: "group", "aria-label": `${this.unit}s shown` }, ...filters),
        el("label", { for: found }, "Search "), search, this.said,
      ];
      const box = this.table.closest(".scroll");
      box.before(el("div", { class: "controls" }, ...parts));
      const rowsShown = () => this.shown.map((row) => this.texts(row).map((text) => ({ text })));
      box.after(copyBar(this.table, ["CSV", "Markdown"], rowsShown));
      if (this.isDrawn) {
        const turn = (by) => () => {
          this.start += by;
          this.update();
          box.scrollTop = 0;
        };
        this.back = button(`Previous ${WINDOW}`, turn(-WINDOW));
        this.forth = button(`Next ${WINDOW}`, turn(WINDOW));
        box.after(el("div", { class: "pages" }, this.back, this.forth));
      }
    }

    update() {
      const matches = FILTERS[this.filter];
      this.shown = this.order.filter((row) => matches(row) && row.searched.includes(this.query));
      const [number, all] = [this.shown.length, this.rows.length];
      const end = this.isDrawn ? Math.min(this.start + WINDOW, number) : number;
      const drawn = end - this.start < number ? `, ${many(this.start + 1)}–${many(end)} drawn` : "";
      const said = `${many(number)} of ${many(all)} ${this.unit}s${drawn}`;
      this.said.textContent = said;
      const isWhole = number === all && !drawn;  // on paper, the caption alone says what is missing
      this.table.caption.textContent = `Outcomes of ${isWhole ? `${many(all)} ${this.unit}s` : said}`;
      if (this.isDrawn) {
        const rows = this.shown.slice(this.start, end).map((row) => this.drawnRow(row));
        this.table.tBodies[0].replaceChildren(...rows);
        this.back.disabled = this.start === 0;
        this.forth.disabled = end === number;
      } else {
        const kept = new Set(this.shown);
        this.rows.forEach((row) => { row.tr.hidden = !kept.has(row); });
      }
    }

    // --- questions one by one

    follow() {
      this.opened = null;
      this.bar = el("div", { class: "pages", hidden: true },
        button(`Previous ${this.unit}`, () => this.step(-1)),
        button(`Next ${this.unit}`, () => this.step(1)),
        button("Close", () => {
          const link = this.rows[this.opened]?.tr?.querySelector("a");
          this.close();
          link?.focus();
        }));
      this.list.before(el("p", { class: "hint" }, `Choose a ${this.unit} in the table to see it.`),
        this.bar);
      this.root.addEventListener("click", (event) => {
        const link = event.target.closest('a[href^="#q="]');
        if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();  // a page inside srcdoc has no address that the link could extend
        this.go(decoded(link.getAttribute("href")));
      });
      this.list.addEventListener("toggle", () => {
        this.bar.hidden = !this.list.querySelector("details[open]");
      }, true);
      window.addEventListener("hashchange", () => this.visit());
      this.visit("auto");
    }

    /** Open a question, and put it into the address, which a frame may ignore. */
    go(id) {
      this.open(id);
      location.hash = `#q=${encodeURIComponent(id)}`;
    }

    visit(behavior) {
      const id = decoded(location.hash);
      if (id === null) this.close();
      else if (id !== this.wanted) this.open(id, behavior);
    }

    step(by) {
      const now = this.shown.findIndex((row) => row.number === this.opened);
      const next = this.shown[now < 0 ? 0 : now + by];
      if (next) this.go(next.id);
    }

    close() {
      this.wanted = null;
      this.list.querySelectorAll("details[open]").forEach((each) => { each.open = false; });
      this.bar.hidden = true;
      this.mark(null);
    }

    mark(number) {
      this.root.querySelectorAll("tr[aria-current]").forEach((tr) => tr.removeAttribute("aria-current"));
      this.opened = number;
      if (number !== null) this.rows[number].tr?.setAttribute("aria-current", "true");
    }

    async open(id, behavior = still.matches ? "auto" : "smooth") {
      const number = this.numbers.get(id);
      this.wanted = id;
      if (number === undefined) {
        this.close();
        this.said.textContent = `This page has no such ${this.unit}.`;
        return;
      }
      const details = this.data ? await this.draw(number) : document.getElementById(`q=${id}`);
      if (this.wanted !== id) return;  // another one was chosen while this one was unpacked
      this.close();
      this.wanted = id;
      details.open = true;
      this.bar.hidden = false;
      this.mark(number);
      details.querySelector("summary").focus({ preventScroll: true });
      this.bar.scrollIntoView({ behavior, block: "start" });
    }

    async draw(number) {
      const names = ["outcomes", "verdicts", "said", "confidences", "questions", "answers", "supports"];
      const [outcomes, known, said, confidences, asked, answers, supports] =
        await Promise.all(names.map(part));
      if (known && !this.starts) {
        this.starts = [0];
        known.sizes.forEach((size) => this.starts.push(this.starts.at(-1) + size));
      }
      const span = known ? range(this.starts[number], this.starts[number + 1]) : [];
      const gold = (at) => {
        const label = this.data.labels[known.labels[at]];
        return el("span", { class: `gold ${label.toLowerCase()}` }, label);
      };
      const candidates = span.map((at) => {
        const [support, doc] = [supports?.[0][at], supports?.[1][at]];
        const item = el("li", {},
          el("p", {}, el("b", {}, known.answers[at]), " ", gold(at), " ", answers?.[at] ?? ""));
        if (support) {
          item.append(el("p", { class: "support" }, support, ...(doc ? [" ", el("cite", {}, doc)] : [])));
        }
        return item;
      });
      const heads = span.map((at) => el("th", { scope: "col" }, known.answers[at], " ", gold(at)));
      if (!heads.length) heads.push(el("th", { scope: "col" }, "Answer"));
      const lines = this.data.runs.map((name, run) => {
        const mark = this.data.marks.find(([code]) => code === outcomes.codes[run][number]);
        const cells = known?.verdicts[run] ? span.map((at) => {
          const word = this.data.verdicts[known.verdicts[run][at]];
          return el("td", { class: `verdict ${word}` }, word, " ",
            el("span", {}, digits(confidences, run, at)));
        }) : [el("td", { colspan: heads.length }, said?.[run][number] ?? "")];
        return el("tr", { class: this.beside(run) }, el("th", { scope: "row" }, ...breakable(name)),
          el("td", {}, el("span", { class: `mark ${mark[3]}` }, mark[1]), ` ${mark[2]}`), ...cells);
      });
      const { id, right } = this.rows[number];
      const details = el("details", { class: "question", id: `q=${id}` },
        el("summary", {}, el("b", {}, id), " ", el("span", { class: "asked" }, asked?.[number] ?? ""),
          " ", el("span", { class: "tally" }, `${rounded(right)} of ${this.unfold?.checked ? lines.length : this.counting} right`)),
        el("ol", { class: "candidates" }, ...candidates),
        el("div", {
          class: "scroll", tabindex: "0", role: "region", "aria-label": `Runs on ${this.unit} ${id}`,
        }, el("table", { class: "verdicts" },
          el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Run"),
            el("th", { scope: "col" }, "Outcome"), ...heads)),
          el("tbody", {}, ...lines))));
      this.list.replaceChildren(details);
      return details;
    }
  }

  const range = (start, end) => Array.from({ length: end - start }, (_, index) => start + index);

  const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  /** The confidence of a run in an answer, which is coded in digits to base 64. */
  const digits = (confidences, run, at) => confidences?.values[confidences.digits[run].reduce(
    (sum, column, power) => sum + DIGITS.indexOf(column[at]) * 64 ** power, 0)] ?? "";

  /** The question that an address names, or null. */
  const decoded = (hash) => {
    if (!hash.startsWith("#q=")) return null;
    try {
      return decodeURIComponent(hash.slice(3));
    } catch {
      return hash.slice(3);
    }
  };

  document.querySelectorAll("table.data").forEach((table) => {
    if (!table.tHead) return;
    copyTable(table);
    sortTable(table);
  });
  const root = document.getElementById("questions-part");
  if (root) new Questions(root).begin();
})();
