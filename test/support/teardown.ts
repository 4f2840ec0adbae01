import { deleteTemporaryDirectory } from './temporary-folder.ts';

/** Runs once, after the tests of all projects. */
export default async function teardown(): Promise<void> {
  await globalThis.stopDevnet?.();
  deleteTemporaryDirectory();
}
