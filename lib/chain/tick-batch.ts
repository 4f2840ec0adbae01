import { setImmediate } from 'node:timers/promises';

/**
 * Returns a function that collects the questions of one tick, which `answerAll` answers together, in their order. It
 * resolves to the answer of its question, or rejects with the error of `answerAll`.
 */
export function tickBatch<Question, Answer>(answerAll: (questions: Question[]) => Promise<readonly Answer[]>) {
  let questions: Question[] = [];
  let answers: Promise<readonly Answer[]> | undefined;
  return async (question: Question): Promise<Answer> => {
    answers ??= setImmediate().then(() => {
      const asked = questions;
      questions = [];
      answers = undefined;
      return answerAll(asked);
    });
    const place = questions.push(question) - 1;
    return (await answers)[place] as Answer;
  };
}
