/** A PDF of one page with these lines on it: as small as one can be and still be read. */
export function aPdf(lines: readonly string[]): Buffer {
  const shown = lines.map((line, at) => `${at === 0 ? "72 720" : "0 -16"} Td (${line.replace(/[()\\]/g, "\\$&")}) Tj`).join("\n");
  return pdfOf(Buffer.from(`BT /F1 12 Tf\n${shown}\nET`, "latin1"));
}

/** A PDF of one page, drawn by this stream. */
export function pdfOf(stream: Uint8Array, filter = ""): Buffer {
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} ${filter} >>\nstream\n${Buffer.from(stream).toString("latin1")}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let text = "%PDF-1.4\n";
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  const end = `xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`;
  return Buffer.from(text + end, "latin1");
}
