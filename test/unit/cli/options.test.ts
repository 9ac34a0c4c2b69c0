import { withPlainSwitches } from '../../../src/cli/options';
import { createProgram } from '../../../src/cli/program';

test.each([
  [
    ['stop', 'web', '--force=true', '--grace-period=0'],
    ['stop', 'web', '--force', '--grace-period=0'],
  ],
  [
    ['start', '--paused=false', 'web'],
    ['start', 'web'],
  ],
  [
    ['port-forward', '--stdio=true', 'vm/web', '22'],
    ['port-forward', '--stdio', 'vm/web', '22'],
  ],
  [
    ['start', '--unknown=true'],
    ['start', '--unknown=true'],
  ],
  [
    ['ssh', '--namespace=true', 'vm/web'],
    ['ssh', '--namespace=true', 'vm/web'],
  ],
  [
    ['scp', '--', '--force=true'],
    ['scp', '--', '--force=true'],
  ],
])('%j is read as %j', (line, expected) => {
  expect(withPlainSwitches(createProgram(), line)).toEqual(expected);
});
