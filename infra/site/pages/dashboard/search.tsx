import { useEffect, useState } from 'preact/hooks';
import { memory, remember, remembered, setParams } from './location.ts';
import { type Subject, subjectIn, toParams } from './subject.ts';

const NO_SUBJECT =
  'This is neither an address (0x and 40 hex digits), nor several with commas between them, nor a node ID (NodeID-…). Check for missing or extra characters.';

interface SearchProps {
  /** The text in the page's URL. */
  asked: string;
  /** The address, addresses or node that the text names, if it is valid. */
  subject: Subject | undefined;
}

/** The field for an address, several addresses or a node, and the choice to remember it on this device. */
export function Search({ asked, subject }: SearchProps) {
  const problemOfURL = asked && !subject ? NO_SUBJECT : '';
  const [typed, setTyped] = useState(asked);
  const [problem, setProblem] = useState(problemOfURL);
  const [isKept, setKept] = useState(remembered() !== undefined);
  useEffect(() => {
    setTyped(asked);
    setProblem(problemOfURL);
  }, [asked]);

  const submit = (event: Event) => {
    event.preventDefault();
    const found = subjectIn(typed);
    if (!found) return setProblem(NO_SUBJECT);
    setProblem('');
    if (isKept) remember(found);
    setParams(toParams(found), 'push');
  };
  const keep = (isChosen: boolean) => {
    setKept(isChosen);
    remember(isChosen ? subject : undefined);
  };
  return (
    <search>
      <form id="look-up" onSubmit={submit}>
        <label for="look-up-field">Your address, several of them, or a node ID</label>
        <div class="field">
          <input
            id="look-up-field"
            name="subject"
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
        <p key={problem} id="look-up-problem" class="problem" role="alert">
          {problem}
        </p>
        {subject && memory && (
          <label class="check">
            <input
              type="checkbox"
              name="remember"
              checked={isKept}
              onChange={(event) => keep(event.currentTarget.checked)}
            />
            Remember on this device
          </label>
        )}
      </form>
    </search>
  );
}
