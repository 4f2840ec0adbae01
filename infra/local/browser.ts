import { type Browser, chromium } from 'playwright-core';

/** Debian's chromium, which asks no other host: without updates, without accounts. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      // Its sandbox needs a user that is not root; only pages of this project are opened.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--no-first-run',
    ],
  });
}
