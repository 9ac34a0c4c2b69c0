import { Yaml } from 'cdk8s';
import { plainYaml } from '../../../../src/constructs/cloud-init/plain-yaml';
import fc, { runs } from '../../../support/fast-check';

const word = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'nginx',
      'name',
      'ssh-ed25519 AAAAC3Nz me@host',
      'ALL=(ALL) NOPASSWD:ALL',
      '/etc/motd',
      'a:b',
    ),
  },
  fc.constantFrom('yes', 'on', 'null', '1', '0x1', '1e3', '~'),
  fc.string({ unit: fc.constantFrom(...'aZ_/ :.-#0159,\'"{}[]&*!|>%@`=+()~\n') }),
);
const leaf = fc.oneof({ weight: 4, arbitrary: word }, fc.boolean(), fc.integer(), fc.double(), fc.constant(null));
const { document } = fc.letrec<{ document: object; value: unknown }>((tie) => ({
  document: fc.dictionary(word, tie('value'), { maxKeys: 4 }),
  value: fc.oneof({ depthSize: 'small' }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('document')),
}));

const numRuns = runs(5000);

test("a plain document is written as the library writes it; others are the library's", () => {
  let plain = 0;
  fc.assert(
    fc.property(document, (given) => {
      const own = plainYaml(given);
      if (own === undefined) return;
      plain += 1;
      expect(own).toBe(Yaml.stringify(given));
    }),
    { numRuns },
  );
  expect(plain).toBeGreaterThan(numRuns / 50);
});

test.each<[string, object, boolean]>([
  ['the usual', { users: [{ name: 'me', sudo: 'ALL=(ALL) NOPASSWD:ALL' }], packages: ['nginx'] }, true],
  ['a word that is a boolean', { locale: 'no' }, false],
  ['a mapping in a text', { runcmd: ['echo a: b'] }, false],
  ['a comment in a text', { runcmd: ['ls # all'] }, false],
  ['a text that is a number', { version: '1.2' }, false],
  ['several lines', { content: 'a\nb\n' }, false],
])('%s', (_, given, isPlain) => expect(plainYaml(given) !== undefined).toBe(isPlain));
