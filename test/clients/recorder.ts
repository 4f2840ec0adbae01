import { createServer } from 'node:http';
import { listen } from '../../infra/devnet/listen.ts';

/** A proxy in front of a service. `bodies` has what the service answered, in the order of the requests. */
export async function startRecorder(url: string) {
  const bodies: unknown[] = [];
  const server = createServer(async ({ url: path, headers: { accept = '*/*' } }, response) => {
    const answer = await fetch(`${url}${path}`, { headers: { accept } });
    const type = answer.headers.get('content-type') ?? '';
    const text = await answer.text();
    bodies.push(type.includes('json') ? JSON.parse(text) : text);
    response.writeHead(answer.status, { 'content-type': type }).end(text);
  });
  return { ...(await listen(server)), bodies };
}
