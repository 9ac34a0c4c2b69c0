/** @needs guest */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../../src/client';
import { eventually, tinyVm } from '../../support/engine';
import { SuiteEngine } from '../../support/shared-engine';

/** The client against the real engine, libvirt, QEMU and guest: one VM. */
describe('a virtual machine, by the client', () => {
  let engine: SuiteEngine;
  let client: Client;
  let keys: string;
  beforeAll(async () => {
    engine = await SuiteEngine.begin();
    keys = mkdtempSync(join(tmpdir(), 'virt8s-client-'));
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', join(keys, 'id')]);
    client = Client.fromKubeconfig({ kubeconfig: engine.kubeconfig });
  });
  afterAll(async () => {
    await client?.close();
    rmSync(keys, { recursive: true, force: true });
    if (engine) expect(await engine.end()).toEqual([]);
  });

  test('is applied, started, logged in to, paused, stopped and deleted', async () => {
    const publicKey = execFileSync('ssh-keygen', ['-y', '-f', join(keys, 'id')], { encoding: 'utf8' }).trim();
    const userData = `#cloud-config\nssh_authorized_keys:\n  - ${publicKey}\n`;
    const [stored] = await client.apply([tinyVm('web', { userData, runStrategy: 'Halted', graceSeconds: 5 }) as never]);
    expect(stored).toMatchObject({ kind: 'VirtualMachine', metadata: { namespace: engine.namespace } });

    const vm = client.vm('web');
    await vm.waitFor('Stopped');
    await expect(vm.pause()).rejects.toThrow(/^VirtualMachine web is not running; start it first$/);

    await vm.start();
    expect((await vm.waitFor('Ready')).status?.printableStatus).toBe('Running');
    await expect(vm.start()).rejects.toMatchObject({ name: 'ApiError', code: 409 });
    expect((await vm.instance.get()).status?.phase).toBe('Running');

    const http = await vm.portForward(80);
    const page = await eventually(() => httpOn(http.port));
    http.close();
    expect(page).toContain('hostname=web');
    await expect(httpOn(http.port)).rejects.toThrow();

    const login = { user: 'root', identityFile: join(keys, 'id') };
    const { exitCode, stdout } = await eventually(() => vm.ssh('hostname; cat; exit 3', { ...login, input: 'typed' }));
    expect([exitCode, stdout]).toEqual([3, 'web\ntyped']);
    await expect(vm.ssh('true', { user: 'root', port: 7 })).rejects.toThrow(/port 7 of vmi\/web/);

    const console_ = await vm.console();
    // typed again, because a serial port loses what is typed before the guest reads it
    const typing = setInterval(() => console_.write('\necho from-$((40 + 2))\n'), 1_000);
    let seen = '';
    for await (const chunk of console_) {
      seen += String(chunk);
      if (seen.includes('from-42')) break;
    }
    clearInterval(typing);
    expect(seen).toContain('from-42');

    await vm.pause();
    await vm.waitFor('Paused');
    await vm.unpause();
    await vm.waitFor(({ status }) => !status?.conditions?.some(({ type }) => type === 'Paused'));

    // a timeout reports the last conditions, and what to do
    // eslint-disable-next-line virt8s/patience-of-programs -- the condition never becomes true
    const waited = vm.waitFor('AgentConnected', { timeoutMs: 1_000 });
    await expect(waited).rejects.toMatchObject({
      code: 504,
      reason: 'Timeout',
      remedy: expect.stringContaining('raise timeoutMs'),
    });
    await expect(waited).rejects.toThrow(
      /^VirtualMachine suite-\w+\/web is not AgentConnected after 1 s; it is Running; .*\n(.*\n)* {2}Ready=True/,
    );

    await vm.stop({ gracePeriodSeconds: 1 });
    await vm.waitFor('Stopped');
    await vm.delete({ wait: true });
    expect(await vm.exists()).toBe(false);
    await expect(vm.waitFor('Ready')).rejects.toMatchObject({ code: 404 });
  });
});

function httpOn(port: number): Promise<string> {
  return new Promise((done, fail) => {
    get({ host: '127.0.0.1', port, path: '/cgi-bin/status', agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () => done(body)).on('error', fail);
    })
      .on('error', fail)
      .setTimeout(15_000, () => fail(new Error('no answer')));
  });
}
