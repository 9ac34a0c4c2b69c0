import { loginsFor, parseLogins, type RegistryLogins } from '../../../../src/local/images';

const login = (name: string): RegistryLogins[string] => ({ username: name, password: `${name}:secret` });

describe('logins of registries', () => {
  test.each<[string, string, unknown, RegistryLogins]>([
    [
      'a user and a password',
      '.dockerconfigjson',
      { auths: { 'r.example': { username: 'a', password: 'a:secret' } } },
      { 'r.example': login('a') },
    ],
    [
      'both in base64, which win',
      '.dockerconfigjson',
      { auths: { r: { username: 'other', auth: Buffer.from('a:a:secret').toString('base64') } } },
      { r: login('a') },
    ],
    ['the old format', '.dockercfg', { r: { username: 'a', password: 'a:secret' } }, { r: login('a') }],
    ['an entry without a login', '.dockerconfigjson', { auths: { r: {}, s: null } }, {}],
  ])('are read from a Secret: %s', (_, key, content, expected) => {
    expect(parseLogins(key, JSON.stringify(content))).toEqual(expected);
  });

  test.each([
    ['no JSON', '{'],
    ['no registries', '{}'],
    ['a list of none', 'null'],
    ['a text', '{"auths":"x"}'],
  ])('are rejected: %s', (_, text) => {
    expect(() => parseLogins('.dockerconfigjson', text)).toThrow();
  });

  test.each<[string, string, string, boolean]>([
    ['the host', 'r.example', 'r.example/a/b:1', true],
    ['another host', 'r.example', 's.example/a:1', false],
    ['a host below it', 'r.example', 'x.r.example/a:1', false],
    ['a URL with the protocol version', 'https://r.example/v2/', 'r.example/a:1', true],
    ['its port', 'r.example:5000', 'r.example:5000/a:1', true],
    ['another port', 'r.example:5000', 'r.example:5001/a:1', false],
    ['no port', 'r.example', 'r.example:5000/a:1', false],
    ['a path that contains it', 'r.example/team', 'r.example/team/a:1', true],
    ['another path', 'r.example/team', 'r.example/other/a:1', false],
    ['any first part of the host', '*.example', 'r.example/a:1', true],
    ['a part of a part', 'r*1.example', 'r-x1.example/a:1', true],
    ['overlapping ends of a part', 'ab*ba.example', 'aba.example/a:1', false],
    ['more parts than the pattern', '*.example', 'x.r.example/a:1', false],
    ['the Docker Hub by its old URL', 'https://index.docker.io/v1/', 'busybox', true],
    ['the Docker Hub by its name', 'docker.io', 'docker.io/team/a:1', true],
  ])('fit an image by %s', (_, key, image, fits) => {
    expect(loginsFor(image, [{ [key]: login('a') }])).toEqual(fits ? [login('a')] : []);
  });

  test('of the longest path come first, then in the order of the Secrets', () => {
    const logins: RegistryLogins[] = [
      { 'r.example': login('first') },
      { 'r.example/team': login('team'), 'r.example': login('second') },
    ];
    expect(loginsFor('r.example/team/a:1', logins).map(({ username }) => username)).toEqual([
      'team',
      'first',
      'second',
    ]);
  });
});
