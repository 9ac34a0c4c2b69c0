import { createHash, createHmac } from 'node:crypto';
import { regionOf, signedHeaders } from '../../../../../src/runtime/importer/source/s3';

test.each([
  ['s3.eu-central-1.amazonaws.com', 'eu-central-1'],
  ['s3-us-west-2.amazonaws.com', 'us-west-2'],
  ['s3.dualstack.ap-southeast-2.amazonaws.com', 'ap-southeast-2'],
  ['images.s3.us-gov-west-1.amazonaws.com', 'us-gov-west-1'],
  ['s3.cn-north-1.amazonaws.com.cn', 'cn-north-1'],
  ['s3.amazonaws.com', 'us-east-1'],
  ['minio.example', 'us-east-1'],
  ['s3.eu-central-1.amazonaws.com.example', 'us-east-1'],
])('the region of %s is %s', (host, region) => {
  expect(regionOf(host)).toBe(region);
});

test('a request names host, time, region and key, and not the secret', () => {
  const url = new URL('https://s3.eu-central-1.amazonaws.com:9000/images/a%20disk.qcow2');
  const headers = signedHeaders(url, { user: 'KEY', password: 'very secret' });
  expect(headers).toMatchObject({ Host: 's3.eu-central-1.amazonaws.com:9000', 'X-Amz-Date': expect.any(String) });
  expect(headers.Authorization).toMatch(
    /^AWS4-HMAC-SHA256 Credential=KEY\/\d{8}\/eu-central-1\/s3\/aws4_request, SignedHeaders=host;/,
  );
  expect(JSON.stringify(headers)).not.toContain('very secret');
});

/** The algorithm of Amazon's document "Signature Calculations for the Authorization Header", which the server repeats. */
function calculated(path: string, headers: Record<string, string>, secret: string): string {
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}\n`).join('');
  const canonical = ['GET', path, '', lines, names.join(';'), headers['x-amz-content-sha256']].join('\n');
  const time = headers['x-amz-date']!;
  const scope = [time.slice(0, 8), 'eu-central-1', 's3', 'aws4_request'];
  const hash = createHash('sha256').update(canonical).digest('hex');
  const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')).toString('hex');
}

test.each(['/images/disk.qcow2', '/images/a%20disk.qcow2', '/images/%C3%A4%2Bb/disk.raw'])(
  'a server calculates the same signature for %s',
  (path) => {
    const url = new URL(`https://s3.eu-central-1.amazonaws.com${path}`);
    const { Authorization, ...sent } = signedHeaders(url, { user: 'KEY', password: 'very secret' });
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const [, names, signature] = /SignedHeaders=(\S+), Signature=(\w+)$/.exec(String(Authorization)) ?? [];
    expect(names).toBe(Object.keys(headers).sort().join(';'));
    expect(signature).toBe(calculated(path, headers, 'very secret'));
    expect(signature).not.toBe(calculated(path, headers, 'guess'));
  },
);
