import vm from 'node:vm';
import { TestEnvironment } from 'jest-environment-node';

const { createContext } = vm;

/**
 * Jest's environment, whose globals are properties of a plain object. Jest's own stand behind a proxy and the interceptors of node:vm,
 * which makes each `Uint8Array` and `parseInt` in the code under test a call: a tenth of the suite's time
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
