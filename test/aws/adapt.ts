import { adaptAssembly } from './assembly.ts';

/** Makes what is in `cdk.out` deployable into moto: the second half of `npm run synth:aws`. */

await adaptAssembly('cdk.out');
