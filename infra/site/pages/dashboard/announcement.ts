let timer: ReturnType<typeof setTimeout> | undefined;

/** Announces a text to screen readers, and shows it for a moment. */
export function announce(text: string): void {
  const status = document.querySelector('#announcement') as HTMLElement;
  status.textContent = text;
  status.dataset.shown = 'true';
  clearTimeout(timer);
  timer = setTimeout(() => {
    delete status.dataset.shown;
  }, 1_500);
}
