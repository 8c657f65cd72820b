import type { PageSpec } from "../serve.ts";
import { document, type House, layout, link } from "./layout.ts";

const minutes: { date: string; title: string; text: string[] }[] = [
  {
    date: "2026-10-14",
    title: "Minutes of 14 October 2026",
    text: [
      "Present: the mayor, nineteen members, the clerk, and eleven residents in the gallery.",
      "## Lamp posts",
      "The council took note of the finished work in the old quarter and asked for a count of bats in spring.",
      "## Motion on benches",
      "Twelve benches with backs are to be placed along the towpath. Carried with two abstentions.",
    ],
  },
  {
    date: "2026-09-09",
    title: "Minutes of 9 September 2026",
    text: [
      "Present: the deputy mayor in the chair, seventeen members, the clerk.",
      "## Bridge",
      "The surveyor reported that the last arch would be closed by the end of October. No additional money was asked for, which was received with surprise.",
    ],
  },
  {
    date: "2026-07-08",
    title: "Minutes of 8 July 2026",
    text: [
      "Present: the mayor, twenty members, the clerk.",
      "## First reading of the budget",
      `The treasurer introduced the ${link("/council/budget", "draft budget")}. Members asked why the swimming pool heats itself more cheaply than the town hall; the answer was insulation.`,
    ],
  },
  {
    date: "2026-06-10",
    title: "Minutes of 10 June 2026",
    text: [
      "Present: the mayor, eighteen members, the clerk, one jackdaw.",
      "## The clock",
      "It was agreed to move the nest, and that the bird was not to blame. The meeting began four minutes late by common consent.",
    ],
  },
];

const budgetRows: [string, string, string][] = [
  ["Roads and bridges", "2,140,000", "1,985,000"],
  ["Parks and cemeteries", "610,000", "640,000"],
  ["Waste and recycling", "980,000", "955,000"],
  ["Schools and the library", "3,420,000", "3,510,000"],
  ["Flood protection", "300,000", "450,000"],
];

export function councilPages(house: House): Record<string, PageSpec> {
  const page = (title: string, text: string[], head = "") => ({ body: layout(house, title, text, { head }), etag: true });
  const table = budgetRows.map(([what, last, now]) => `<tr><td>${what}</td><td>${last}</td><td>${now}</td></tr>`).join("");
  return {
    "/council/": page("The council", [
      "Twenty members sit on the council of Sittaford. They meet on the second Wednesday of each month at half past six in the long room, and every meeting is public.",
      `- ${link("/council/minutes/", "Minutes of the meetings")}`,
      `- ${link("/council/budget", "The budget")}`,
      `- ${link("/council/standing-orders.md", "Standing orders")} and ${link("/council/bye-laws.txt", "bye-laws")}`,
      `- ${link("/council/drafts", "Drafts under discussion")}`,
      `- ${link("/council/neighbours", "Neighbouring councils")}`,
      `- ${link("/internal/annual-report", "The annual report")} (the ${link("/internal/rota", "staff rota")} is not public)`,
    ]),
    "/council/minutes/": page(
      "Minutes",
      minutes.map(({ date, title }) => `- ${link(date, title)}`),
    ),
    ...Object.fromEntries(minutes.map(({ date, title, text }) => [`/council/minutes/${date}`, page(title, text)])),
    "/council/budget": page("The budget for 2027", [
      "The town plans to spend seven and a half million next year, about as much as this year. The bridge is paid for, and part of what it no longer needs goes into flood protection.",
      `<table><tr><th>Department</th><th>2026</th><th>2027</th></tr>${table}</table>`,
      `The whole budget, with every line, can be ${link("/council/budget.pdf", "read as a PDF")}.`,
    ]),
    "/council/budget.pdf": document("application/pdf", smallPdf("Sittaford: the budget for 2027")),
    "/council/standing-orders.md": document("text/markdown; charset=utf-8", standingOrders),
    "/council/bye-laws.txt": document("text/plain; charset=utf-8", byeLaws),
    "/council/drafts": {
      ...page("Drafts under discussion", [
        "These papers are not decided and will change. Please do not quote them.",
        `- ${link("/council/drafts/bench-plan", "Where the benches might go")}`,
      ]),
      headers: { "X-Robots-Tag": "noindex, nofollow" },
    },
    "/council/drafts/bench-plan": page("Where the benches might go", [
      "A bench every two hundred steps, and one more where the view is best.",
    ]),
    "/council/neighbours": page(
      "Neighbouring councils",
      [
        "The councils up and down the river keep pages of their own; we do not vouch for what they say.",
        `- ${link("/council/neighbours/upper-wend", "Upper Wend")}`,
        `- ${link("https://lower-wend.example/", "Lower Wend")}`,
      ],
      '<meta name="robots" content="nofollow">',
    ),
    "/council/neighbours/upper-wend": page("Upper Wend", ["Upper Wend has a castle, a cattle fair and no railway station."]),
    "/old-council.html": `<!doctype html><title>We have moved</title><meta http-equiv="refresh" content="0; url=/council/"><p>The council has moved.</p>`,
    "/internal/annual-report": page("The annual report", [
      "A year in numbers: 212 weddings, 4 floods, 1,900 library cards, 61 hedgehogs carried across the ring road, and one lost tuba, returned.",
    ]),
    "/internal/rota": page("Staff rota", ["If a crawler reads this, it has not obeyed robots.txt."]),
  };
}

const standingOrders = `# Standing orders of the council

1. The mayor opens the meeting when the clock in the long room says so.
2. Nobody speaks twice to a motion before everybody who wishes has spoken once.
3. Papers are published five days before, see [the minutes](/council/minutes/).

## Money

No motion that costs money is voted on without a line in [the budget](/council/budget).
`;

const byeLaws = `BYE-LAWS OF THE TOWN OF SITTAFORD

1. Geese have right of way on the towpath.
2. Bells are not rung between nine at night and six in the morning, floods excepted.
3. Who borrows the town ladder brings it back.
`;

/** One page with one line, with a cross-reference table whose offsets are right. */
function smallPdf(text: string): Buffer {
  const content = `BT /F1 18 Tf 72 760 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((object, before) => {
    const offset = file.length;
    file += `${before + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 6\n0000000000 65535 f \n${offsets.join("")}`;
  return Buffer.from(`${file}${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`, "latin1");
}
