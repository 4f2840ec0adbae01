import { run } from '../infra/run.ts';

/** Runs `npm start` on a free port. Resolves once its output matches `ready`. */
export async function startService(ready: RegExp, settings: NodeJS.ProcessEnv = {}) {
  const { child, output, code } = run('infra/local/start.ts', [], { ...process.env, PORT: '0', ...settings });
  while (!ready.test(output.text)) {
    if (child.exitCode !== null) throw new Error(`npm start ended: ${output.text}`);
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async () => {
    child.kill('SIGINT');
    await code;
  };
  return { url: /Ready: (\S+)/.exec(output.text)?.[1] as string, stop };
}
