// Reads a .d.ts file as tsc writes it: which names it declares, with their comments, and which it has from elsewhere.

/** Comments and quoted words are blanked, so that only code is left; its length stays the same. */
export function withoutWords(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, (words) => " ".repeat(words.length));
}

/** Statements at the top level. Blocks end with their bracket, everything else with its semicolon. */
function* statementsOf(text) {
  const code = withoutWords(text);
  let start = 0;
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    if ("({[".includes(code[at])) depth += 1;
    if (")}]".includes(code[at])) depth -= 1;
    if (depth > 0) continue;
    const isBlock = /^\s*(export )?(declare )?(abstract )?(interface|class|namespace) /.test(code.slice(start, at + 1));
    if (code[at] !== ";" && !(isBlock && code[at] === "}")) continue;
    yield text.slice(start, at + 1).trim();
    start = at + 1;
  }
}

const DECLARED = /^(export )?(?:declare )?(?:abstract )?(?:interface|class|type|const|function|let) (\w+)/;

export function readDeclarations(text) {
  const declared = new Map();
  const linked = new Map();
  const exported = new Set();
  const stars = [];
  for (const statement of statementsOf(text)) {
    const code = statement.replace(/^(\s*\/\*[\s\S]*?\*\/)+\s*/, "");
    const [, isImport, names, from] = /^(import|export) (?:type )?\{([^}]*)\}(?: from "([^"]+)")?/.exec(code) ?? [];
    const star = /^export \* from "([^"]+)"/.exec(code)?.[1];
    const own = DECLARED.exec(code);
    if (star) stars.push(star);
    else if (names !== undefined) readNames(names, from, isImport === "import", { linked, exported });
    else if (own) {
      const [, isExported, name] = own;
      // Overloads are one declaration.
      declared.set(name, declared.has(name) ? `${declared.get(name)}\n${lastComment(statement)}` : lastComment(statement));
      if (isExported) exported.add(name);
    }
  }
  return { declared, linked, exported, stars };
}

/** Of several comments only the last belongs to the declaration; the others speak of the file. */
const lastComment = (statement) => statement.replace(/^\/\*(?:(?!\*\/)[\s\S])*\*\/\s*(?=\/\*)/, "");

function readNames(names, from, isImport, { linked, exported }) {
  for (const each of names.split(",")) {
    const [, name, as] = /^\s*(?:type )?(\w+)(?: as (\w+))?\s*$/.exec(each) ?? [];
    if (name === undefined) continue;
    if (from !== undefined) linked.set(as ?? name, { from, name });
    if (!isImport) exported.add(as ?? name);
  }
}
