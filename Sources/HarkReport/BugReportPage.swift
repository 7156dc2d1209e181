/// The style sheet and script of the page: no other file is needed.
enum BugReportPage {
  static let style = """
    :root { color-scheme: light dark; --ink: #1b2027; --faint: #5c6773; --paper: #fff;
      --panel: #f5f7f9; --rule: #dce1e6; --link: #1d5fd1; --error: #b3261e; --warning: #8f5a00;
      --info: #3b5fa8; --sent: #1d5fd1; --received: #0d8577; --mark: #fff3d6; }
    @media screen and (prefers-color-scheme: dark) { :root { --ink: #e4e8ec; --faint: #98a4b0;
      --paper: #12161b; --panel: #1b2128; --rule: #2d3640; --link: #7fb0ff; --error: #ff8a80;
      --warning: #f2b64c; --info: #9db8f0; --sent: #7fb0ff; --received: #54c8b8; --mark: #3a3016; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
    main { max-width: 1180px; margin: 0 auto; padding: 24px 20px 64px; }
    h1 { font-size: 26px; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 18px; margin: 36px 0 10px; padding-bottom: 4px; border-bottom: 1px solid var(--rule); }
    h2.capture { font-size: 22px; border: 0; overflow-wrap: anywhere; }
    h3 { font-size: 16px; margin: 0 0 8px; } dl + h3 { margin-top: 20px; }
    .by, .note, figcaption, summary { color: var(--faint); }
    .by { margin: 4px 0 0; }
    .summary { font-size: 17px; }
    code, pre, .time, .frames { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 13px; }
    h3 code { font-weight: normal; color: var(--faint); }
    a { color: var(--link); }
    .finding { border: 1px solid var(--rule); border-left: 5px solid var(--info); border-radius: 8px;
      padding: 12px 16px; margin: 12px 0; background: var(--panel); break-inside: avoid; }
    .finding.error { border-left-color: var(--error); }
    .finding.warning { border-left-color: var(--warning); }
    .severity { text-transform: uppercase; font-size: 12px; letter-spacing: .05em; color: var(--info); }
    .error .severity { color: var(--error); } .warning .severity { color: var(--warning); }
    dl { display: grid; grid-template-columns: 130px 1fr; gap: 3px 14px; margin: 0; }
    td, dd, li, h1, figcaption { unicode-bidi: isolate; }
    dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
    .scroll { overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-size: 14px; }
    th { text-align: left; font-weight: 600; color: var(--faint); }
    th, td { padding: 4px 10px 4px 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
    .timeline td, .timeline th { white-space: nowrap; }
    .timeline td:nth-child(5) { white-space: normal; min-width: 320px; overflow-wrap: anywhere; }
    .timeline td:nth-child(-n+2), .timeline td:last-child { font-family: ui-monospace, "DejaVu Sans Mono", monospace;
      font-size: 12.5px; color: var(--faint); }
    .timeline th { position: sticky; top: 0; background: var(--paper); }
    tr.warning td:nth-child(5) { color: var(--warning); } tr.error td:nth-child(5) { color: var(--error); }
    .lane { border-radius: 9px; padding: 1px 8px; background: var(--panel); border: 1px solid var(--rule); font-size: 12px; }
    .tools { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; margin: 0 0 10px; }
    .tools input[type=search] { font: inherit; padding: 4px 10px; min-width: 220px; color: inherit;
      background: var(--paper); border: 1px solid var(--rule); border-radius: 6px; }
    .tools label, .tools output { font-size: 13px; color: var(--faint); }
    figure { margin: 14px 0 22px; overflow-x: auto; break-inside: avoid; }
    figure > svg { width: 100%; height: auto; display: block; background: var(--panel);
      border: 1px solid var(--rule); border-radius: 8px; margin-top: 6px; }
    svg.plot { height: 130px; } svg.narrow { display: none; }
    svg text { font: 13px system-ui, sans-serif; fill: var(--ink); text-anchor: middle; }
    svg .party { font-weight: 600; font-size: 14px; }
    svg .time, svg .frames, svg .axis { text-anchor: start; fill: var(--faint); font-size: 12px; }
    svg .from { text-anchor: start; } svg .to, svg .end { text-anchor: end; }
    svg .count { fill: var(--faint); font-size: 11px; }
    svg .life { stroke: var(--rule); stroke-width: 1.5; }
    svg .arrow { stroke: var(--faint); stroke-width: 1.3; } svg .step path { fill: var(--faint); }
    svg .warning .text { fill: var(--warning); } svg .error .text { fill: var(--error); }
    svg .error .arrow { stroke: var(--error); } svg .error path { fill: var(--error); }
    svg .marked rect { fill: var(--mark); }
    svg .errors { fill: var(--error); } svg .sent { fill: var(--sent); } svg .received { fill: var(--received); }
    pre { background: var(--panel); border: 1px solid var(--rule); border-radius: 8px; padding: 12px; overflow-x: auto; }
    summary { cursor: pointer; padding: 3px 0; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    .overview { border: 1px solid var(--rule); border-radius: 8px; background: var(--panel); padding: 6px 12px;
      margin: 0 0 12px; break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
    .overview div { display: flex; align-items: center; height: 20px; } .overview div[hidden] { display: none; }
    .overview span { flex: 0 0 62px; font-size: 12px; color: var(--faint); }
    .overview p { flex: 1; position: relative; height: 14px; margin: 0 8px 0 0; border-bottom: 1px solid var(--rule); }
    .overview a { position: absolute; top: 1px; width: 8px; height: 12px; margin-left: -2px; background: var(--info);
      border: solid var(--panel); border-width: 0 2px; }
    .overview .warning { background: var(--warning); } .overview .error { background: var(--error); }
    .timeline tr:target td { background: var(--mark); }
    @media screen { .long .scroll { max-height: 85vh; overflow: auto; } }
    @media screen and (max-width: 640px) { svg.wide { display: none; } svg.narrow { display: block; }
      .stack thead, .timeline thead { display: none; } .scroll { overflow: visible; }
      .stack tr { display: block; padding: 6px 0; border-bottom: 1px solid var(--rule); }
      .stack td { display: block; position: relative; border: 0; padding: 2px 0 2px 102px; overflow-wrap: anywhere; }
      .stack td:empty { display: none; }
      .stack td::before { content: attr(data-name); color: var(--faint); position: absolute; left: 0; }
      .stack td:not([data-name]) { padding-left: 0; font-weight: 600; }
      .timeline tr { display: flex; flex-wrap: wrap; align-items: baseline; gap: 1px 10px; padding: 5px 0;
        border-bottom: 1px solid var(--rule); }
      .timeline tr[hidden] { display: none; }
      .timeline td, .timeline td:nth-child(5) { border: 0; padding: 0; white-space: normal; min-width: 0; overflow-wrap: anywhere; }
      .timeline td:nth-child(2) { display: none; } .timeline td:nth-child(5) { flex: 1 0 100%; order: 1; } .timeline td:last-child { margin-left: auto; }
      .tools input[type=search] { min-width: 0; flex: 1 0 100%; font-size: 16px; } .tools label { padding: 4px 0; }
      pre { font-size: 11.5px; } .overview span { flex-basis: 54px; } }
    @media (max-width: 640px) { dl { grid-template-columns: 1fr; } dt { margin-top: 6px; } main { padding: 16px 12px 40px; } }
    .differences td:first-child { color: var(--faint); }
    .differences td { overflow-wrap: anywhere; min-width: 90px; }
    .differences .missing td:first-child, .differences .additional td:first-child { color: var(--error); }
    .differences .changed td:first-child { color: var(--warning); }
    @media print { @page { margin: 14mm; } :root { color-scheme: light; } .tools { display: none; }
      main { max-width: none; padding: 0; } .scroll, figure, pre { overflow: visible; }
      figure { margin: 8px 0 12px; } svg.wide { width: 94%; }
      body { font-size: 10.5px; } h1 { font-size: 20px; } h2 { font-size: 14px; margin-top: 22px; }
      h3 { font-size: 12px; margin-top: 10px; } .summary { font-size: 12px; } table { font-size: 9.5px; }
      code, pre, .time, .frames, .timeline td:nth-child(-n+2), .timeline td:last-child { font-size: 8.5px; }
      .severity, .lane { font-size: 9px; } .timeline th { position: static; }
      .timeline td:nth-child(5) { min-width: 0; } .timeline td:nth-child(3) { white-space: normal; }
      h2, h3, figcaption, summary { break-after: avoid; } tr { break-inside: avoid; }
      pre { white-space: pre-wrap; overflow-wrap: anywhere; box-decoration-break: clone;
        -webkit-box-decoration-break: clone; } }

    """

  /// Search and lanes of the timeline; packets and lines that are linked open. Without it all is shown.
  static let script = """
    for (const article of document.querySelectorAll("article")) {
      const tools = article.querySelector(".tools");
      if (!tools) continue;
      const rows = [...article.querySelectorAll(".timeline tbody tr")];
      const update = () => {
        const words = tools.querySelector("[type=search]").value.toLowerCase().split(/\\s+/);
        const lanes = new Set([...tools.querySelectorAll(":checked")].map(box => box.value));
        let shown = 0;
        for (const row of rows) {
          const text = row.textContent.toLowerCase();
          row.hidden = !lanes.has(row.dataset.lane) || !words.every(word => text.includes(word));
          if (!row.hidden) shown++;
        }
        for (const lane of article.querySelectorAll(".overview div")) lane.hidden = !lanes.has(lane.dataset.lane);
        tools.querySelector("output").textContent = shown === rows.length ? "" : `${shown} of ${rows.length}`;
      };
      tools.addEventListener("input", update);
      tools.addEventListener("submit", event => event.preventDefault());
    }
    const reveal = () => {
      const wanted = location.hash && document.getElementById(location.hash.slice(1));
      if (!wanted) return;
      for (let one = wanted.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
      if (wanted.hidden) {
        const tools = wanted.closest("article").querySelector(".tools");
        tools.reset();
        tools.dispatchEvent(new Event("input"));
      }
      wanted.scrollIntoView({ block: wanted.tagName === "TR" ? "center" : "start" });
    };
    addEventListener("hashchange", reveal);
    addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(one => one.open = true));
    reveal();

    """
}
