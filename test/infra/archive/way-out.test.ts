import { expect, test } from '@jest/globals';
import { wayOutHtml } from '../../../infra/archive-site/render.ts';

test("the archive's way out has the guide's steps, and no word of a service", () => {
  const html = wayOutHtml();
  expect(html.match(/<li>/g)).toHaveLength(7);
  expect(html).not.toMatch(/dashboard|reload|copy button|this service|see below|\/withdrawals|\/holders/i);
  expect([...html.matchAll(/href="(?!https:)([^"]+)/g)].map(([, target]) => target)).toContain('#contracts');
});
