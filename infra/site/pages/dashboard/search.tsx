import { useEffect, useState } from 'preact/hooks';
import { show } from './location.ts';
import { type Subject, subjectIn } from './subject.ts';

const NO_SUBJECT =
  'This is neither an address (0x and 40 hex digits), nor several with commas between them, nor a node ID (NodeID-…). Check for missing or extra characters.';

/** The field for an address, several addresses or a node. `text` is that of the page's URL, `subject` what it names if it is valid. */
export function Search({ text, subject }: { text: string; subject: Subject | undefined }) {
  const [typed, setTyped] = useState(text);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    setTyped(text);
    setProblem(text && !subject ? NO_SUBJECT : '');
  }, [text]);
  const submit = (event: Event) => {
    event.preventDefault();
    const found = subjectIn(typed);
    setProblem(found ? '' : NO_SUBJECT);
    if (found) show(found);
  };
  return (
    <search>
      <form id="look-up" onSubmit={submit}>
        <label for="look-up-field">Your address, several of them, or a node ID</label>
        <div class="field">
          <input
            id="look-up-field"
            type="search"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            placeholder="0x…, 0x… or NodeID-…"
            value={typed}
            aria-invalid={problem !== ''}
            aria-describedby="look-up-problem"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <button type="submit">Show</button>
        </div>
        <p id="look-up-problem" class="problem" role="alert">
          {problem}
        </p>
      </form>
    </search>
  );
}
