/**
 * `npm run bench`: of each endpoint, the milliseconds of a cold response (from a container that finds only addresses, pools and
 * recorded rates in the cache), of one from the cache and of one from memory, and the cold one's requests to the chain and to the
 * tables. Budgets of requests are in `test/integration` and `test/resilience`.
 */

import { ENDPOINTS } from '../../functions/index.ts';
import { type EndpointUse, median, print, startBench } from './measure.ts';

const RUNS = 5;

const bench = await startBench(5, 0);
await bench.fill();
console.log(`Medians of ${RUNS} runs. Milliseconds; cold / memory; requests of the cold response.\n`);
print('', ['cold', 'cache', 'memory', 'ratio', 'chain', 'tables']);
for (const endpoint of Object.values(ENDPOINTS)) {
  const runs: EndpointUse[] = [];
  while (runs.length < RUNS) runs.push(await bench.measure(endpoint));
  const of = (figure: (use: EndpointUse) => number) => median(runs.map(figure));
  const [cold, memory] = [of(({ miss }) => miss.ms), of(({ warmMs }) => warmMs)];
  print(endpoint.path, [
    ...[cold.toFixed(1), of(({ hit }) => hit.ms).toFixed(1), memory.toFixed(2), (cold / memory).toFixed(0)],
    ...[of(({ miss }) => miss.chainRequests), of(({ miss }) => miss.requests)],
  ]);
}
await bench.stop();
