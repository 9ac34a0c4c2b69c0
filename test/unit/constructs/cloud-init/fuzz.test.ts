import { parse } from 'yaml';
import { CloudInit, CloudNetwork, CloudPart, Sysprep } from '../../../../src';
import { keysOf } from '../../../../src/api/cloud-init/schema';
import fc, { runs } from '../../../support/fast-check';

/** What a factory does with an argument: its result, or the mistake that it tells. Anything else fails the test. */
function outcome<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    expect((error as Error).name).toBe('ValidationError');
    return undefined;
  }
}

const anything = fc.anything({
  withNullPrototype: true,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSparseArray: true,
});
const config = fc.dictionary(
  fc.oneof(fc.constantFrom(...keysOf('cloudConfig'), '__proto__', 'constructor'), fc.string()),
  anything,
);
const network = fc.record({
  version: fc.constantFrom<unknown>(1, 2, 3, '2', undefined),
  config: anything,
  ethernets: fc.oneof(anything, fc.dictionary(fc.string(), anything)),
  bonds: fc.oneof(anything, fc.dictionary(fc.string(), fc.record({ interfaces: anything, addresses: anything }))),
  vlans: fc.oneof(anything, fc.dictionary(fc.string(), fc.record({ id: anything, link: anything }))),
});
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom('yes', '012', '1e3', '~', '2020-01-01', '12:30:45', '<<', '=', '', '\n', ' x ', '#', '- a', 'a: b'),
);
const parameters = { numRuns: runs(500) };

test('any raw configuration is taken or refused by a mistake', () => {
  fc.assert(
    fc.property(config, (raw) => void outcome(() => CloudInit.noCloud({ raw, sensitive: true })?._secretData())),
    parameters,
  );
});

test('any network configuration is taken or refused by a mistake', () => {
  fc.assert(
    fc.property(network, (document) => {
      outcome(() => CloudNetwork.raw(document));
      outcome(() => CloudInit.noCloud({ networkConfig: document as Record<string, unknown> })._renderVolume('x'));
      outcome(() => CloudInit.configDrive({ networkConfig: document as Record<string, unknown> })._renderVolume('x'));
    }),
    parameters,
  );
});

test('any text is taken or refused by a mistake', () => {
  fc.assert(
    fc.property(text, (some) => {
      for (const head of ['', '#cloud-config\n', '#!/bin/sh\n']) outcome(() => CloudInit.raw(`${head}${some}`));
      outcome(() => CloudInit.multipart([CloudPart.of('text/x-shellscript', some)]));
      outcome(() => Sysprep.raw(`<unattend xmlns="urn:schemas-microsoft-com:unattend">${some}</unattend>`));
    }),
    parameters,
  );
});

test('what is taken is read again as it was', () => {
  fc.assert(
    fc.property(fc.array(text, { minLength: 1 }), text, (runcmd, content) => {
      const props = { runcmd: [runcmd, ...runcmd], writeFiles: [{ path: '/x', content }], sensitive: true };
      const userdata = outcome(() => CloudInit.noCloud(props)._secretData()?.userdata);
      if (userdata === undefined) return;
      const read = parse(userdata, { version: '1.1' }) as { runcmd: unknown; write_files: { content: string }[] };
      expect(read.runcmd).toEqual(props.runcmd);
      expect(read.write_files[0].content).toBe(content);
    }),
    parameters,
  );
});

test('a configuration that contains itself is refused', () => {
  const raw: Record<string, unknown> = { zypper: {} };
  raw.zypper = { config: raw };
  expect(() => CloudInit.noCloud({ raw })).toThrow(
    'CloudInit.noCloud: raw.zypper.config: contains itself\n  remove the circular reference [cloud-init-plain]',
  );
});

test.each<[string, unknown]>([
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['a big number', 1n],
  ['a date', new Date(0)],
  [
    'an object with a class',
    new (class Secret {
      public value = 'hunter2';
    })(),
  ],
  ['no number', NaN],
])('%s is nothing that YAML can say', (_, value) => {
  expect(() => CloudInit.noCloud({ raw: { zypper: { x: value } } })).toThrow(
    /^CloudInit\.noCloud: raw\.zypper\.x: is .*\n.*\[cloud-init-plain\]$/,
  );
});
