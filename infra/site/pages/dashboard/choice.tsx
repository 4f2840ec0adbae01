/** Buttons for choosing one of a few options. */
export function Choice<Name extends string>({
  label,
  of,
  chosen,
  onChoose,
}: {
  label: string;
  of: readonly (readonly [Name, string])[];
  chosen: Name;
  onChoose: (name: Name) => void;
}) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{label}</legend>
      {of.map(([name, text]) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
