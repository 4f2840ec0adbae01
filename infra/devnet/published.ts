import { createRequire } from 'node:module';
import type { JsonFragment } from 'ethers';

const require = createRequire(import.meta.url);

interface Published {
  abi: JsonFragment[];
  bytecode: string;
}

/** The exchanges' contracts as their authors have built and published them. */
export function publishedArtifacts(): Record<string, Published> {
  const files: Record<string, Published> = {
    UniswapV2Factory: require('@uniswap/v2-core/build/UniswapV2Factory.json'),
    UniswapV2Pair: require('@uniswap/v2-core/build/UniswapV2Pair.json'),
    UniswapV3Factory: require('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    UniswapV3Pool: require('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'),
    AlgebraFactory: require('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraFactory.sol/AlgebraFactory.json'),
    AlgebraPoolDeployer: require('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json'),
    AlgebraPool: require('@cryptoalgebra/integral-core/artifacts/contracts/AlgebraPool.sol/AlgebraPool.json'),
  };
  return Object.fromEntries(
    Object.entries(files).map(([name, { abi, bytecode }]) => [
      name,
      { abi, bytecode: bytecode.startsWith('0x') ? bytecode : `0x${bytecode}` },
    ]),
  );
}
