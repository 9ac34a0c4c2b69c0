import { unitOf } from '../../../../src/cli/service/unit';

const options = {
  command: ['/usr/bin/node', '/usr/lib/node_modules/virt8s/bin/virt8s'],
  stateDir: '/var/lib/virt8s',
  path: '/usr/bin:/bin',
  cache: '/root/.cache/virt8s',
};

test('the unit runs the engine in the foreground and leaves guests alone when it crashes', () => {
  const unit = unitOf(options);
  expect(unit).toContain(
    'ExecStart=/usr/bin/node /usr/lib/node_modules/virt8s/bin/virt8s up --foreground --quiet --state-dir /var/lib/virt8s\n',
  );
  expect(unit).toContain('KillMode=process\n');
  expect(unit).toContain('WantedBy=multi-user.target\n');
});

test.each([
  ['a space', '/srv/my vms', '"/srv/my vms"'],
  ['a percent sign', '/srv/100%', '"/srv/100%%"'],
  ['a dollar', '/srv/$x', '"/srv/$$x"'],
  ['a quote', '/srv/a"b', '"/srv/a\\"b"'],
])('a path with %s is quoted', (_, stateDir, expected) => {
  expect(unitOf({ ...options, stateDir })).toContain(`--state-dir ${expected}\n`);
});
