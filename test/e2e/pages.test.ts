/** @needs guest checkout */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { cacheDir } from '../../src/local/engine/cache';
import { type CodeBlock, codeBlocks } from '../support/code-blocks';
import { eventually, TestEngine } from '../support/engine';
import { fileNameOf } from '../support/scenes';
import { isComplete } from '../support/tier';

const checkout = resolve(__dirname, '../..');
const stateDir = mkdtempSync('/var/lib/virt8s-pages-');
const home = mkdtempSync(join(tmpdir(), 'virt8s-home-'));
const key = join(home, '.ssh/id_ed25519');
/** A reader's own copy of an example. */
const web = join(checkout, 'examples/web');
/** Folder of a guide's files: in the checkout, as in the guide. */
const work = join(checkout, 'examples/.pages');
const engine = TestEngine.at(stateDir);

beforeAll(async () => {
  if (existsSync(web))
    throw new Error('examples/web exists; move it, because this test creates it by the steps of the README');
  mkdirSync(work, { recursive: true });
  rmSync(stateDir, { recursive: true });
  mkdirSync(join(home, '.ssh'));
  const { stderr } = await engine.run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  expect(stderr).toBe('');
  // ssh takes the home of its user from the system and does not read HOME
  const config = join(home, '.ssh/config');
  writeFileSync(config, `IdentityFile ${key}\nUserKnownHostsFile ${join(home, '.ssh/known_hosts')}\n`);
  mkdirSync(join(home, 'bin'));
  writeFileSync(join(home, 'bin/ssh'), `#!/bin/sh\nexec /usr/bin/ssh -F ${config} "$@"\n`, { mode: 0o755 });
});
afterEach(async () => {
  await engine.virt8s('down');
  expect(await engine.leftovers()).toEqual([]);
  rmSync(web, { recursive: true, force: true });
});
afterAll(() => [work, home].forEach((path) => rmSync(path, { recursive: true, force: true })));

const blocksOf = (page: string): CodeBlock[] => codeBlocks(join(checkout, page), page);
const programOf = (page: string): string => blocksOf(page).find(({ language }) => language === 'ts')!.text;
const commandsOf = (page: string): CodeBlock[] => blocksOf(page).filter(({ words }) => words.includes('engine'));

/** Text that a reader types, and the output after which it is typed. */
const ANSWERS = [
  ['Successfully connected', '\x1d'],
  ['Are you sure you want to continue connecting', 'yes\n'],
  ['configured by cloud-init', 'exit\n'],
] as const;

/** Runs a block in a folder and on a terminal, as a reader does. A console is left as soon as it is connected. */
async function run({ where, words, text }: CodeBlock, cwd: string): Promise<string> {
  const { KUBECONFIG: _, ...env } = engine.env;
  const script = join(home, 'block.sh');
  writeFileSync(script, text.replaceAll('/var/lib/virt8s/', `${stateDir}/`));
  const shell = spawn('script', ['-qec', `sh -e ${script}`, '/dev/null'], {
    cwd,
    env: {
      ...env,
      // what the page had the reader export before
      KUBECONFIG: engine.kubeconfig,
      HOME: home,
      VIRT8S_CACHE: cacheDir(),
      // cdk8s asks a registry for newer versions of itself, and waits for its answer
      CDK8S_CHECK_UPGRADE: 'false',
      PATH: [join(home, 'bin'), join(checkout, 'bin'), join(cacheDir(), 'bin'), process.env.PATH].join(':'),
    },
  });
  let printed = '';
  const unanswered = new Map(ANSWERS);
  const heard = (data: Buffer): void => {
    printed += data;
    for (const [question, answer] of unanswered) {
      if (printed.includes(question) && unanswered.delete(question)) shell.stdin.write(answer);
    }
  };
  shell.stdout.on('data', heard);
  shell.stderr.on('data', heard);
  const code = await new Promise((done) => shell.once('close', done));
  if ((code !== 0) !== words.includes('fails')) throw new Error(`${where} ends with ${code}:\n${printed}`);
  return printed;
}

test('the README leads from the demo to a VM of the reader, and cleans up', async () => {
  const [demo, look, copy, own] = commandsOf('README.md');
  expect(await run(demo!, checkout)).toMatch(/HTTP\s+\S[^]*ssh\s+hello[^]*console\s+.*cloud-init/);
  expect(await run(look!, checkout)).toMatch(/virtualmachine\S*\/hello .*Running[^]*Successfully connected/);
  await run(copy!, checkout);
  writeFileSync(join(web, 'main.ts'), programOf('README.md'));
  expect(await run(own!, web)).toContain('it works');
});

if (isComplete) {
  test('the first guide leads from setup to the console of a guest', async () => {
    const page = 'docs/guides/start.md';
    const [setup, own] = commandsOf(page);
    cpSync(join(checkout, 'examples/hello-vm'), web, { recursive: true });
    writeFileSync(join(web, 'main.ts'), programOf(page));
    await run(setup!, checkout);
    expect(await run(own!, web)).toContain('Successfully connected');
  });

  test('the guide of the engine stops, disconnects and drains a node, and creates an Ingress', async () => {
    const [nodes, ingress] = commandsOf('docs/guides/engine.md');
    const printed = await run(nodes!, checkout);
    expect(printed).toMatch(/was disconnected[^]*was stopped[^]*drained[^]*is down/);
    expect(await run(ingress!, checkout)).toMatch(
      /shop\s+virt8s\s+shop\.example[^]*503 [^]*Service "shop" does not exist/,
    );
  });

  describe('with an engine that is up', () => {
    beforeEach(async () => {
      const { code, stderr } = await engine.virt8s('up', '--port=0');
      expect([code, stderr]).toEqual([0, '']);
    });

    test.each([
      ['hello-vm', /Successfully connected/],
      ['instancetype-catalogue', /web[^]*build|build[^]*web/],
      ['gitops', /valid/],
    ])('the page of %s shows commands that work', async (example, prints) => {
      const folder = join(work, example);
      cpSync(join(checkout, 'examples', example), folder, { recursive: true });
      const [first, ...later] = commandsOf(`examples/${example}/README.md`);
      expect(await run(first!, folder)).toMatch(prints);
      // what a reader does once the guest has booted
      for (const block of later) await eventually(() => run(block, folder));
    });

    test.each(['docs/guides/from-kubevirt.md', 'docs/guides/from-yaml-to-code.md'])('%s', async (page) => {
      const folder = join(work, page.replace(/\W/g, '-'));
      mkdirSync(folder, { recursive: true });
      let ran = 0;
      for (const block of blocksOf(page)) {
        const file = fileNameOf(block);
        if (file) writeFileSync(join(folder, file), block.text);
        if (!block.words.includes('engine') && !block.words.includes('run')) continue;
        await run(block, folder);
        ran += 1;
      }
      expect(ran).toBeGreaterThan(1);
    });
  });
}
