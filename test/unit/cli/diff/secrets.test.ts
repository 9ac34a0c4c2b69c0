import { veiledLines } from '../../../../src/cli/diff/secrets';

test.each([
  ['url: https://me:hunter2@mirror.example/os', 'url: https://(hidden)@mirror.example/os'],
  ['url: https://mirror.example/os?size=1&sig=hunter2#x', 'url: https://mirror.example/os?size=1&sig=(hidden)#x'],
  ['url: https://mirror.example/os?X-Amz-Signature=hunter2', 'url: https://mirror.example/os?X-Amz-Signature=(hidden)'],
  ['wget https://mirror.example/os?v=2 # as the docs say', 'wget https://mirror.example/os?v=2 # as the docs say'],
  ['image: docker://registry.example/os:1', 'image: docker://registry.example/os:1'],
  ['curl -H password:hunter2 https://me:hunter2@mirror.example', '(hidden)'],
  ['Authorization: Bearer hunter2', 'Authorization: (hidden)'],
  ['Set-Cookie: a=hunter2', 'Set-Cookie: (hidden)'],
])('%s is shown without credentials', (line, want) => {
  const [shown] = veiledLines([line], '(hidden)');
  expect(shown).not.toContain('hunter2');
  if (want !== '(hidden)') expect(shown).toBe(want);
});
