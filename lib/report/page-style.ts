/** The style sheet of the HTML report: light and dark, on a screen and on A4. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1d2433;--soft:#5b667c;--line:#dde2eb;--box:#f6f8fb;--ok:#1a7f4b;--bad:#b3261e;--warn:#9a5b00;--accent:#c25e00;--bar:#2f6fb0}
@media (prefers-color-scheme:dark){:root{--bg:#151922;--fg:#e7ebf3;--soft:#9aa5ba;--line:#2d3546;--box:#1c2230;--ok:#55c58a;--bad:#ff8a80;--warn:#ffb454;--accent:#ffb454;--bar:#6ea8e0}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:2rem 1.25rem 4rem;background:var(--bg);color:var(--fg);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.15rem;margin:2.2rem 0 .6rem;padding-bottom:.25rem;border-bottom:1px solid var(--line)}
h3,h4,h5,h6{font-size:1rem;margin:1.3rem 0 .4rem}
.facts{display:flex;flex-wrap:wrap;gap:.4rem;margin:0;padding:0;list-style:none;font-size:.85rem}
.facts li{padding:.15rem .6rem;border:1px solid var(--line);border-radius:1rem;background:var(--box)}
.ok{color:var(--ok)}.bad{color:var(--bad)}.warn{color:var(--warn)}.soft{color:var(--soft)}
.notice{margin:1rem 0;padding:.6rem .9rem;border-left:3px solid var(--warn);background:var(--box)}
.notice-bad{margin:1rem 0;padding:.6rem .9rem;border-left:3px solid var(--bad);background:var(--box)}
.wide{overflow-x:auto}
table{border-collapse:collapse;font-size:.9rem;min-width:40%}
th,td{padding:.3rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600;overflow-wrap:break-word}
table.fixed{table-layout:fixed;width:100%}
.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
details{margin:.4rem 0;border:1px solid var(--line);border-radius:.5rem;background:var(--box)}
details details{background:var(--bg);margin:.5rem 0}
summary{cursor:pointer;padding:.45rem .8rem}
details>div{padding:0 .8rem .7rem}
.given-up{opacity:.65}.given-up>summary{text-decoration:line-through}
pre{margin:.3rem 0;padding:.5rem .7rem;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid var(--line);border-radius:.35rem;background:var(--bg);font:12.5px/1.5 ui-monospace,Menlo,Consolas,monospace}
blockquote{margin:.4rem 0;padding-left:.8rem;border-left:3px solid var(--line);color:var(--soft)}
.tag{padding:0 .4rem;border:1px solid var(--line);border-radius:.3rem;font-size:.8rem;color:var(--soft)}
.step{margin:.4rem 0;padding:.45rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:var(--box)}
.plan li{margin:.25rem 0}
svg.chart,img.chart{display:block;max-width:100%;height:auto;margin:.6rem 0 1rem}
.totals tbody tr:last-child td{font-weight:600;border-top:2px solid var(--line)}
.run{margin-top:2.5rem}
.run>h2{font-size:1.3rem}
.run>h3{padding-bottom:.2rem;border-bottom:1px solid var(--line);margin-top:1.6rem}
h4{font-size:.92rem}
a{color:var(--bar)}
.logo{max-height:56px;max-width:220px;margin-bottom:1rem}
@page{size:A4;margin:16mm}
@media print{body{max-width:none;padding:0;font-size:11pt}details{break-inside:avoid}h2,h3,h4,summary{break-after:avoid}.run{break-before:page}pre,tr,blockquote,.picture,svg.chart{break-inside:avoid}.wide{overflow:visible}}
`.trim();

/** The same look for e-mail programs, which read no style sheet: rules by tag or class. */
export const MAIL_STYLE: Readonly<Record<string, string>> = {
	body: 'margin:0;padding:24px;background:#f3f5f9;color:#1d2433;font-family:Arial,Helvetica,sans-serif;font-size:15px;line-height:1.5',
	'div.mail': 'max-width:680px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dde2eb;border-radius:8px;overflow-wrap:anywhere;word-break:break-word',
	'div.wide': 'overflow-x:auto',
	'table.fixed': 'table-layout:fixed',
	h1: 'font-size:22px;line-height:1.25;margin:0 0 12px',
	h2: 'font-size:17px;margin:28px 0 8px;padding-bottom:4px;border-bottom:1px solid #dde2eb',
	h3: 'font-size:15px;margin:18px 0 6px',
	p: 'margin:8px 0',
	table: 'border-collapse:collapse;font-size:13px;width:100%',
	th: 'padding:5px 8px;border-bottom:1px solid #c7cedb;text-align:left;color:#5b667c;overflow-wrap:break-word;word-break:normal',
	td: 'padding:5px 8px;border-bottom:1px solid #e8ecf2;text-align:left;vertical-align:top;overflow-wrap:anywhere;word-break:break-word',
	'.n': 'text-align:right',
	'ul.facts': 'margin:0;padding-left:18px;font-size:13px;color:#5b667c',
	'.notice': 'margin:14px 0;padding:8px 12px;border-left:3px solid #9a5b00;background:#fdf6ea',
	'.notice-bad': 'margin:14px 0;padding:8px 12px;border-left:3px solid #b3261e;background:#fdf0ef',
	h4: 'font-size:13px;margin:14px 0 4px',
	'.ok': 'color:#1a7f4b',
	'.bad': 'color:#b3261e',
	'.warn': 'color:#9a5b00',
	'.soft': 'color:#5b667c',
	pre: 'white-space:pre-wrap;overflow-wrap:anywhere;word-break:break-word;font-size:12px',
	'ul.said': 'margin:8px 0;padding-left:18px;font-size:13px',
	'img.chart': 'display:block;max-width:100%;height:auto;border:0',
	a: 'color:#2f6fb0',
	blockquote: 'margin:6px 0;padding-left:10px;border-left:3px solid #dde2eb;color:#5b667c',
	'img.logo': 'max-height:56px;max-width:220px;margin-bottom:12px',
};
