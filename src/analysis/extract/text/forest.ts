/**
 * Decision forest in the learning script's format: one tree per line, its questions ("chars>3.2"), then one answer for
 * each combination of yes and no.
 */
import { TreeQuestions } from "./questions.ts";
import type { Signs } from "./sign-table.ts";

export interface LearnedForest {
  readonly bias: number;
  readonly trees: readonly string[];
}

/** All trees in flat arrays: a question is a column and a threshold; the answers of the trees follow one another. */
export class Forest {
  readonly #bias: number;
  readonly #depths: Uint8Array;
  readonly #columns: Uint16Array;
  readonly #thresholds: Float32Array;
  readonly #answers: Float32Array;

  constructor({ bias, trees }: LearnedForest, names: readonly string[]) {
    const columns = new Map(names.map((name, at) => [name, at]));
    const read = trees.map((line) => treeOf(line, columns));
    this.#bias = bias;
    this.#depths = Uint8Array.from(read, ({ questions }) => questions.length);
    this.#columns = Uint16Array.from(read.flatMap(({ questions }) => questions.map(({ column }) => column)));
    this.#thresholds = Float32Array.from(read.flatMap(({ questions }) => questions.map(({ bound: threshold }) => threshold)));
    this.#answers = Float32Array.from(read.flatMap(({ answers }) => answers));
  }

  /**
   * The probability of each row. Signs are stored by column, and the trees are evaluated by column too: many questions
   * have the same answer for all blocks of a page (no block is near a comment, say). The minimum and maximum of the
   * column show that, so few questions remain to be asked per row.
   */
  predict({ count, values, least, greatest }: Signs): Float32Array {
    const [depths, columns, thresholds, answers] = [this.#depths, this.#columns, this.#thresholds, this.#answers];
    const sums = new Float64Array(count);
    const questions = new TreeQuestions(values, answers, sums);
    let baseSum = this.#bias;
    let question = 0;
    let first = 0;
    for (let tree = 0; tree < depths.length; tree += 1) {
      const depth = depths[tree]!;
      let common = first;
      for (let bit = depth - 1; bit >= 0; bit -= 1, question += 1) {
        const column = columns[question]!;
        const threshold = thresholds[question]!;
        if (!(greatest[column]! > threshold)) continue;
        if (least[column]! > threshold) common += 1 << bit;
        else questions.add(column * count, threshold, bit);
      }
      if (questions.count > 0) questions.ask(common);
      else baseSum += answers[common]!;
      first += 1 << depth;
    }
    const probabilities = new Float32Array(count);
    for (let at = 0; at < count; at += 1) probabilities[at] = 1 / (1 + Math.exp(-(sums[at]! + baseSum)));
    return probabilities;
  }
}

function treeOf(line: string, columns: ReadonlyMap<string, number>) {
  const [questionText = "", answerText = ""] = line.split(" = ");
  const questions = questionText.split(" ").map((question) => {
    const [name = "", threshold] = question.split(">");
    const column = columns.get(name);
    if (column === undefined) throw new Error(`the forest asks for ${name}, which is no sign: learn it again`);
    return { column, bound: Number(threshold) };
  });
  return { questions, answers: answerText.split(" ").map(Number) };
}
