/** So many sections are unfolded if they match the filter. */
const UNFOLDED = 5;

/** Shows only the sections that contain all words of the filter, and marks the list items that do. */
export function startFilter(): void {
  const field = document.querySelector('#filter') as HTMLInputElement;
  const output = document.querySelector('search output') as HTMLOutputElement;
  const sections = [...document.querySelectorAll('details')];
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = ({ textContent }: Element) => words.every((word) => textContent?.toLowerCase().includes(word));
    const found = sections.filter(matches);
    document.body.toggleAttribute('data-filtered', words.length > 0);
    for (const section of sections) {
      section.hidden = !found.includes(section);
      section.open = words.length > 0 && !section.hidden && found.length <= UNFOLDED;
      // Matches of titles come first.
      section.style.order = matches(section.querySelector('summary') as Element) ? '0' : '1';
      for (const item of section.querySelectorAll('li'))
        item.toggleAttribute('data-found', words.length > 0 && matches(item));
    }
    output.textContent = words.length > 0 ? `${found.length} of ${sections.length} found` : '';
  });
}
