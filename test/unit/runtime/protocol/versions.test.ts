import { CmdDefinition, NotifyDefinition } from '../../../../src/runtime/protocol';

/* A guest keeps its launcher when virt-handler is updated: each side may be newer than the other. */

/** Fields that no version has yet: a text with the number 1000, and a number with the number 1001. */
const NEWER = Buffer.from([...[0xc2, 0x3e, 0x03, 0x6e, 0x65, 0x77], ...[0xc8, 0x3e, 0x2a]]);

const methods = [CmdDefinition, NotifyDefinition].flatMap(({ name, methods: all }) =>
  Object.values(all).flatMap(({ name: method, requestType, responseType }) => [
    [`request of ${name}/${method}`, requestType] as const,
    [`response of ${name}/${method}`, responseType] as const,
  ]),
);

test.each(methods)('a %s with newer fields is read without them', (_, type) => {
  const read = (bytes: Uint8Array): unknown => type.decode(bytes);
  expect(read(NEWER)).toEqual(read(new Uint8Array()));
});

test('the fields beside newer ones keep their values', () => {
  const { requestType } = CmdDefinition.methods.freezeVirtualMachine;
  const known = requestType.encode({ unfreezeTimeoutSeconds: 60 }).finish();
  expect(requestType.decode(Buffer.concat([NEWER, known, NEWER]))).toMatchObject({ unfreezeTimeoutSeconds: 60 });
});
