/** A forest as the learning script writes it down: each line a tree, its questions of a row ("chars>3.2"), then an answer for each way to answer them. */

export interface LearnedForest {
  readonly bias: number;
  readonly trees: readonly string[];
}

/** All trees in flat arrays: a question is a column and a bound, and the answers of a tree begin where the last one's end. */
export class Forest {
  readonly #bias: number;
  readonly #depths: Uint8Array;
  readonly #columns: Uint16Array;
  readonly #bounds: Float32Array;
  readonly #answers: Float32Array;

  constructor({ bias, trees }: LearnedForest, names: readonly string[]) {
    const columns = new Map(names.map((name, at) => [name, at]));
    const read = trees.map((line) => treeOf(line, columns));
    this.#bias = bias;
    this.#depths = Uint8Array.from(read, ({ questions }) => questions.length);
    this.#columns = Uint16Array.from(read.flatMap(({ questions }) => questions.map(({ column }) => column)));
    this.#bounds = Float32Array.from(read.flatMap(({ questions }) => questions.map(({ bound }) => bound)));
    this.#answers = Float32Array.from(read.flatMap(({ answers }) => answers));
  }

  /** How likely each row is what was learned. */
  judge(rows: Float32Array, width: number): Float32Array {
    const chances = new Float32Array(rows.length / width);
    for (let at = 0; at < chances.length; at += 1) chances[at] = 1 / (1 + Math.exp(-this.#sum(rows, at * width)));
    return chances;
  }

  #sum(rows: Float32Array, start: number): number {
    let sum = this.#bias;
    let question = 0;
    let answers = 0;
    for (const depth of this.#depths) {
      let leaf = 0;
      for (const end = question + depth; question < end; question += 1)
        leaf = (leaf << 1) | (rows[start + this.#columns[question]!]! > this.#bounds[question]! ? 1 : 0);
      sum += this.#answers[answers + leaf]!;
      answers += 1 << depth;
    }
    return sum;
  }
}

function treeOf(line: string, columns: ReadonlyMap<string, number>) {
  const [asked = "", answered = ""] = line.split(" = ");
  const questions = asked.split(" ").map((question) => {
    const [name = "", bound] = question.split(">");
    const column = columns.get(name);
    if (column === undefined) throw new Error(`the forest asks for ${name}, which is no sign: learn it again`);
    return { column, bound: Number(bound) };
  });
  return { questions, answers: answered.split(" ").map(Number) };
}
