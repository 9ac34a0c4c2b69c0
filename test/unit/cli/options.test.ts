import { asCommanderReads } from '../../../src/cli/options';
import { createProgram } from '../../../src/cli/program';

const line = (text: string): string[] => text.split(' ');

/** virtctl's lines, and the same for commander. */
test.each([
  ['stop web --force=true --grace-period=0', 'stop web --force --grace-period=0'],
  ['start --paused=false web', 'start web'],
  ['start --paused=T web', 'start --paused web'],
  ['port-forward --stdio=true vm/web 22', 'port-forward --stdio vm/web 22'],
  ['start --unknown=true', 'start --unknown=true'],
  ['start --paused=maybe web', 'start --paused=maybe web'],
  ['ssh --namespace=true vm/web', 'ssh --namespace=true vm/web'],
  ['scp -- --force=true -n=web', 'scp -- --force=true -n=web'],
  // a short option's value after a "="
  ['-n=ns start web', '-n ns start web'],
  ['start web -n=ns', 'start web -n ns'],
  ['ssh -i=id -t=-oUser=me -tX -t -oY=z -p=2222 vm/web', 'ssh -i id -t -oUser=me -t X -t -oY=z -p 2222 vm/web'],
  ['version -c=true', 'version --client'],
  ['version -c=false', 'version'],
  ['ssh -c=true vm/web', 'ssh -c true vm/web'],
  ['scp -rn=ns a vm/web:b', 'scp -r -n ns a vm/web:b'],
  ['scp -rx a', 'scp -rx a'],
  // what an option takes is its own
  ['ssh -c -n=1 vm/web', 'ssh -c -n=1 vm/web'],
  ['ssh --command -n=1 vm/web', 'ssh --command -n=1 vm/web'],
  ['restart web --grace-period -1', 'restart web --grace-period -1'],
  ['scp - vm/web:b', 'scp - vm/web:b'],
])('%s is read as %s', (given, expected) => {
  expect(asCommanderReads(createProgram(), line(given))).toEqual(line(expected));
});

test('values keep their spaces, and may be empty', () => {
  const program = createProgram();
  expect(asCommanderReads(program, ['ssh', '-t=-o A=b c', '-l=', 'vm/web'])).toEqual([
    'ssh',
    '-t',
    '-o A=b c',
    '-l',
    '',
    'vm/web',
  ]);
});
