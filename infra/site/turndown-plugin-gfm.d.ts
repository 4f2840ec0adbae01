declare module 'turndown-plugin-gfm' {
  import type { Plugin } from 'turndown';

  /** Tables, and other Markdown of GitHub. */
  export const gfm: Plugin;
}
