import { restartsIn } from '../../../../src/cli/doctor/restarts';
import { ago, NOW } from './healthy';

const line = (minutes: number, message: string): string => JSON.stringify({ time: ago(minutes), message });
const ended = 'ended (SIGKILL); starting it again in 100 ms';

test('recent ends of programs are counted, in a log that begins in the middle of a line', () => {
  const log = [
    'rting it again"}',
    line(20, `virt-api ${ended}`),
    line(9, `virt-api ${ended}`),
    line(1, `virt-api ${ended}`),
    line(1, `virt-controller ${ended}`),
    line(1, 'virt-handler is ready'),
    'null',
    '',
  ].join('\n');
  expect(restartsIn(log, NOW)).toEqual({ 'virt-api': 2, 'virt-controller': 1 });
});
