import { db } from 'ponder:api';
import { entry } from 'ponder:schema';
import { Hono } from 'hono';
import { desc } from 'ponder';

const app = new Hono();
app.get('/activity', async (c) => {
  const limit = Number(c.req.query('limit') ?? 100);
  const entries = await db.select().from(entry).orderBy(desc(entry.block), desc(entry.logIndex)).limit(limit);
  return c.json({ entries: entries.map(({ id, args, ...fields }) => ({ ...fields, ...args })) });
});
app.get('/count', async (c) => c.json(await db.$count(entry)));

export default app;
