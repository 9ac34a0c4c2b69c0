import { npmCause } from '../../../../src/cli/images/node';

test.each([
  [
    'an untrusted certificate',
    [
      'npm error code SELF_SIGNED_CERT_IN_CHAIN',
      'npm error request to https://registry.example/node failed, reason: self-signed certificate in certificate chain',
      'npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log',
    ],
    'self-signed certificate in certificate chain',
  ],
  ['a missing version', ['npm error code ETARGET', 'npm error notarget No matching version found'], 'ETARGET'],
  ['nothing', [], undefined],
])('the cause of npm: %s', (_, lines, cause) => {
  expect(npmCause(lines.join('\n'))).toBe(cause);
});
