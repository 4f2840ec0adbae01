/** Makes the field above the contents leave only what has all of its words, and mark the rows that do. */
export function startFilter(): void {
  const page = document.querySelector('.reference') as HTMLElement;
  const field = page.querySelector('#filter') as HTMLInputElement;
  const told = page.querySelector('search output') as HTMLOutputElement;
  const articles = [...page.querySelectorAll<HTMLElement>('article')].map((article) => ({
    article,
    text: textOf(article),
    rows: [...article.querySelectorAll<HTMLElement>('.fields tbody tr')].map((row) => ({ row, text: textOf(row) })),
    entry: page.querySelector(`nav [href="#${CSS.escape(article.getAttribute('aria-labelledby') ?? '')}"]`)
      ?.parentElement,
  }));
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    const isFound = (text: string) => words.every((word) => text.includes(word));
    page.toggleAttribute('data-filtered', words.length > 0);
    for (const { article, text, rows, entry } of articles) {
      article.hidden = !isFound(text);
      if (entry) entry.hidden = article.hidden;
      for (const { row, text } of rows) row.toggleAttribute('data-found', words.length > 0 && isFound(text));
    }
    const count = articles.filter(({ article }) => !article.hidden).length;
    told.textContent = words.length > 0 ? `${count} of ${articles.length} found` : '';
  });
}

function textOf({ textContent }: HTMLElement): string {
  return (textContent ?? '').toLowerCase();
}
