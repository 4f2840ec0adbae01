import { adaptAssembly } from './assembly.ts';

/** The second half of `npm run synth:aws`: makes `cdk.out` deployable to moto. */

await adaptAssembly('cdk.out');
