import { type Browser, chromium } from 'playwright-core';

/** Debian's Chromium, kept from contacting other hosts: no updates, no accounts. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      // The sandbox needs a non-root user; only pages of this project are opened.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-quic',
      '--no-first-run',
    ],
  });
}
