import { setImmediate } from 'node:timers/promises';

/** Collects the questions of one tick, so that they are answered together. */
export class TickBatch<Question, Answer> {
  readonly #answerAll: (questions: Question[]) => Promise<readonly Answer[]>;
  #questions: Question[] = [];
  #answers: Promise<readonly Answer[]> | undefined;

  /** `answerAll` answers in the order of the questions. */
  constructor(answerAll: (questions: Question[]) => Promise<readonly Answer[]>) {
    this.#answerAll = answerAll;
  }

  /** The answer to this question. Rejects with the error of `answerAll`. */
  async ask(question: Question): Promise<Answer> {
    this.#answers ??= setImmediate().then(() => {
      const questions = this.#questions;
      this.#questions = [];
      this.#answers = undefined;
      return this.#answerAll(questions);
    });
    const place = this.#questions.push(question) - 1;
    return (await this.#answers)[place] as Answer;
  }
}
