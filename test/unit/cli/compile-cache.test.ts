import { keepCompiledCode } from '../../../src/cli/compile-cache';

test('a user without a home directory can use the command', () => {
  const noHome = (): string => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(() => keepCompiledCode(noHome)).not.toThrow();
});
