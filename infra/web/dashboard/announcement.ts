let timer: ReturnType<typeof setTimeout> | undefined;

/** Tells people who do not see the page, and for a moment those who do. */
export function announce(text: string): void {
  const status = document.querySelector('#announcement') as HTMLElement;
  status.textContent = text;
  status.dataset.shown = 'true';
  clearTimeout(timer);
  timer = setTimeout(() => {
    delete status.dataset.shown;
  }, 1_500);
}
