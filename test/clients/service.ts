import { run, untilPrinted } from '../infra/run.ts';

/** Runs `npm start` on a free port. Resolves once its output matches `ready`. */
export async function startService(ready: RegExp, settings: NodeJS.ProcessEnv = {}) {
  const service = run('infra/local/start.ts', [], { ...process.env, PORT: '0', ...settings });
  await untilPrinted(service, ready);
  const stop = async () => {
    service.child.kill('SIGINT');
    await service.code;
  };
  return { url: /Ready: (\S+)/.exec(service.output.text)?.[1] as string, stop };
}
