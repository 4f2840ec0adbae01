import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs `npm start` on a free port. Resolves once its output matches `ready`. */
export async function startService(ready: RegExp, settings: NodeJS.ProcessEnv = {}) {
  const service = spawn(process.execPath, ['infra/local/start.ts'], {
    env: { ...process.env, PORT: '0', ...settings },
  });
  let output = '';
  service.stdout.on('data', (chunk) => (output += chunk));
  while (!ready.test(output)) {
    if (service.exitCode !== null) throw new Error(`npm start ended: ${output}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async () => {
    service.kill('SIGINT');
    await once(service, 'exit');
  };
  return { url: /Ready: (\S+)/.exec(output)?.[1] as string, stop };
}
