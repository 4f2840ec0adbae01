import { type Answer, ApiFailure, get } from './api.ts';
import { duration, element } from './format.ts';

/** A panel shows what some paths answer, and is honest about what it does not know: while it waits, when a source fails, and when what it shows is old. */

export interface Panel {
  /** Id of its place in the page. */
  id: string;
  paths: readonly string[];
  /** Draws the bodies, in the order of the paths. */
  // biome-ignore lint/suspicious/noExplicitAny: each panel knows the bodies of its paths (bodies.ts)
  draw: (place: HTMLElement, ...bodies: any[]) => void;
}

interface Shown {
  answers: Answer<{ block?: { number: number } }>[];
  at: number;
}

/** Answers are asked for once, however many panels show them. */
export type Fetched = Map<string, Promise<Answer<unknown>>>;

const shown = new Map<string, Shown>();

/** Shows a panel anew. If that fails, what it shows stays, with its age. */
export async function refresh({ id, paths, draw }: Panel, fetched: Fetched): Promise<void> {
  const panel = document.querySelector(`#${id}`) as HTMLElement;
  const place = panel.querySelector('.content') as HTMLElement;
  const ask = (path: string) => {
    const answer = fetched.get(path) ?? get(path);
    fetched.set(path, answer);
    return answer as Promise<Answer<{ block?: { number: number } }>>;
  };
  try {
    const answers = await Promise.all(paths.map(ask));
    shown.set(id, { answers, at: Date.now() });
    draw(place, ...answers.map(({ body }) => body));
    const oldest = answers.filter(({ stale }) => stale).sort((a, b) => b.ageSeconds - a.ageSeconds)[0];
    note(
      panel,
      oldest ? 'stale' : 'fresh',
      oldest ? `The source cannot be read: this is ${ageOf(oldest.ageSeconds, oldest.body)} old.` : '',
    );
  } catch (error) {
    const reason = error instanceof ApiFailure ? error.message : 'This cannot be shown.';
    if (!(error instanceof ApiFailure)) console.error(error);
    const last = shown.get(id);
    if (!last) {
      place.replaceChildren(element('p', { class: 'empty' }, 'Not available at the moment.'));
      note(panel, 'error', reason);
      return;
    }
    const oldest = Math.max(...last.answers.map(({ ageSeconds }) => ageSeconds)) + (Date.now() - last.at) / 1_000;
    note(panel, 'stale', `${reason} What is shown is ${ageOf(oldest, last.answers[0]?.body)} old.`);
  } finally {
    panel.removeAttribute('aria-busy');
  }
}

function ageOf(seconds: number, body?: { block?: { number: number } }): string {
  return `${body?.block ? `of block ${body.block.number} and ` : ''}${duration(Math.max(1, seconds))}`;
}

function note(panel: HTMLElement, state: 'fresh' | 'stale' | 'error', text: string): void {
  panel.dataset.state = state;
  const line = panel.querySelector('.note') ?? panel.appendChild(element('p', { class: 'note', role: 'status' }));
  line.textContent = text;
}
