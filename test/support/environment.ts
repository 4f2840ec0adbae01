import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/**
 * Jest's environment with a plain object as the global. In Jest's own environment, node:vm intercepts each access to a
 * global such as `Uint8Array` or `parseInt`, which takes a tenth of the suite's time
 * (https://github.com/nodejs/node/issues/31658).
 */
export default class PlainEnvironment extends TestEnvironment {
  constructor(...args: ConstructorParameters<typeof TestEnvironment>) {
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY);
    try {
      super(...args);
    } finally {
      vm.createContext = createContext;
    }
  }
}
