import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { cloudInitPackage } from '../../../scripts/cloud-init-package';
import { CloudInit, CloudNetwork, CloudPart } from '../../../src';
import { brokenConfigs, brokenNetworks, soundConfigs, soundNetworks } from '../../unit/constructs/cloud-init/configs';
import { everyNetwork, everyProperty } from '../../unit/constructs/cloud-init/everything';

// cloud-init's own validator, from Debian's package, which is only unpacked
const PYTHONPATH = join(cloudInitPackage(), 'usr/lib/python3/dist-packages');
const PYTHON = '/usr/bin/python3';

interface Verdict {
  accepted: boolean;
  validated?: boolean;
  said: string;
  read?: unknown;
}
type Question = { kind: 'cloud-config' | 'network-config' | 'multipart' | 'network' | 'openstack'; text: string };

function ask<T>(questions: readonly Question[]): T[] {
  const script = join(__dirname, 'cloud-init-oracle.py');
  const env = { ...process.env, PYTHONPATH };
  const answer = execFileSync(PYTHON, [script], { input: JSON.stringify(questions), env, encoding: 'utf8' });
  return JSON.parse(answer) as T[];
}

/** Cloud-init documents in the manifest of the VM. */
function data(cloudInit: CloudInit): { userData: string; networkData: string } {
  const volume = cloudInit._renderVolume('x').cloudInitNoCloud ?? {};
  const secret = cloudInit._secretData();
  return {
    userData: secret?.userdata ?? volume.userData ?? '',
    networkData: secret?.networkdata ?? volume.networkData ?? '',
  };
}

const yaml = (config: object): string => stringify(config, { version: '1.1' });

describe("our rules and cloud-init's validator agree", () => {
  const configs = [...soundConfigs, ...brokenConfigs];
  const networks = [...soundNetworks, ...brokenNetworks];
  const verdicts = ask<Verdict>([
    ...configs.map(({ config }): Question => ({ kind: 'cloud-config', text: `#cloud-config\n${yaml(config)}` })),
    ...networks.map(({ config }): Question => ({ kind: 'network-config', text: yaml(config) })),
  ]);

  test.each([...configs, ...networks].map((one, i) => ({ ...one, verdict: verdicts[i] })))(
    '$name',
    ({ mistakes, stricter, verdict }) => {
      const accepted = mistakes.length === 0 || stricter === true;
      expect(verdict).toMatchObject(accepted ? { accepted, validated: true } : { accepted });
    },
  );

  test('on more than 110 configurations', () => expect(configs.length + networks.length).toBeGreaterThan(110));
});

describe('typed properties render valid documents, which cloud-init reads as intended', () => {
  const made = everyProperty.map(([props]) => data(CloudInit.noCloud(props)).userData);
  const networks = everyNetwork().map(([network]) => data(CloudInit.noCloud({ networkConfig: network })).networkData);
  const verdicts = ask<Verdict>([
    ...made.map((text): Question => ({ kind: 'cloud-config', text })),
    ...networks.map((text): Question => ({ kind: 'network-config', text })),
  ]);
  const wanted = [...everyProperty, ...everyNetwork()].map(([, want]) => want);

  test.each(wanted.map((want, i) => [Object.keys(want).join(', '), want, verdicts[i]] as const))(
    '%s',
    (_, want, verdict) => expect(verdict).toEqual({ accepted: true, validated: true, said: '', read: want }),
  );
});

test('cloud-init reads every text as it was written', () => {
  const words =
    'yes No ON off y n true null ~ 012 0o17 0x1f 0b11 1_000 1e3 .5 +1 .inf 2020-01-01 12:30:45 1:30 = << - ? | > % @ ` ! &a *a {';
  const others = [
    '',
    ' ',
    ' x ',
    '\t',
    '#',
    'a #b',
    'a: b',
    '- a',
    '"q"',
    "it's",
    '\\',
    '\n',
    'a\n',
    '\n a\n\n',
    'a\r\nb',
  ];
  const rare = ['\u0000', '\u0007', '\u007f', '\u0085', '\u00a0', '\u2028', '\ufeff', '日本', '😀', '$HOME {{ x }}'];
  const texts = [...words.split(' '), ...others, ...rare, 'x'.repeat(300), 'word '.repeat(60)];
  const writeFiles = texts.map((content, i) => ({ path: `/${i}`, content }));
  const { userData } = data(CloudInit.noCloud({ runcmd: [texts, ...texts], writeFiles }));
  const [{ accepted, said, read }] = ask<Verdict>([{ kind: 'cloud-config', text: userData }]);
  expect([accepted, said]).toEqual([true, '']);
  const { runcmd, write_files: files } = read as { runcmd: unknown[]; write_files: { content: string }[] };
  expect(runcmd).toEqual([texts, ...texts]);
  expect(files.map(({ content }) => content)).toEqual(texts);
});

describe('the guest can set its network up', () => {
  const networks = everyNetwork().map(([networkConfig]) => data(CloudInit.noCloud({ networkConfig })).networkData);
  const written = ask<Record<string, string>>(networks.map((text): Question => ({ kind: 'network', text })));

  test.each(['ifupdown', 'networkd', 'netplan'])('by %s', (renderer) => {
    const [dhcp, ...statics] = written.map((files) => files[renderer]);
    expect(dhcp).toMatch(/inet dhcp|DHCP=ipv4|dhcp4: true/);
    for (const text of statics) expect(text).toContain('192.0.2.10/24');
  });

  test("from OpenStack's format, by ConfigDrive", () => {
    const networkConfig = CloudNetwork.openStack({
      links: [{ id: 'a', type: 'phy', ethernet_mac_address: '02:00:00:00:00:01' }],
      networks: [{ id: 'n', link: 'a', type: 'ipv4', ip_address: '192.0.2.10', netmask: '255.255.255.0' }],
      services: [{ type: 'dns', address: '192.0.2.53' }],
    });
    const text = CloudInit.configDrive({ networkConfig })._renderVolume('x').cloudInitConfigDrive?.networkData ?? '';
    const [{ version, config }] = ask<{ version: number; config: object[] }>([{ kind: 'openstack', text }]);
    expect(version).toBe(1);
    expect(config).toContainEqual(expect.objectContaining({ type: 'physical', name: 'eth0' }));
  });
});

test('cloud-init finds every part of a multi-part message', () => {
  const script = '#!/bin/sh\necho "ü $HOME"\n';
  const long = `#!/bin/sh\n# ${'x'.repeat(2000)}\n`;
  const cloudInit = CloudInit.multipart([
    CloudPart.cloudConfig({ packages: ['nginx'] }),
    CloudPart.shellScript(script),
    CloudPart.shellScriptPerBoot(long),
    CloudPart.boothook('#!/bin/sh\ntrue'),
    CloudPart.jinja('## template: jinja\n#cloud-config\nhostname: {{ v1.local_hostname }}\n'),
  ]);
  const [parts] = ask<{ type: string; text: string }[]>([{ kind: 'multipart', text: data(cloudInit).userData }]);
  // the line break before a boundary belongs to the boundary
  expect(parts.map(({ type, text }) => [type, text.trimEnd()])).toEqual([
    ['text/cloud-config', '#cloud-config\npackages:\n  - nginx'],
    ['text/x-shellscript', script.trimEnd()],
    ['text/x-shellscript-per-boot', long.trimEnd()],
    ['text/cloud-boothook', '#!/bin/sh\ntrue'],
    ['text/jinja2', '## template: jinja\n#cloud-config\nhostname: {{ v1.local_hostname }}'],
  ]);
});

test('the command `cloud-init schema` accepts them as well', () => {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-cloud-init-'));
  const program = 'import sys; from cloudinit.cmd.main import main; sys.exit(main(sys.argv))';
  const schema = (text: string): { status: number | null; out: string } => {
    const file = join(folder, 'user-data');
    writeFileSync(file, text);
    const args = ['-c', program, 'schema', '--config-file', file];
    const { status, stdout, stderr } = spawnSync(PYTHON, args, {
      env: { ...process.env, PYTHONPATH },
      encoding: 'utf8',
    });
    return { status, out: `${stdout}${stderr}` };
  };
  expect(schema(data(CloudInit.noCloud(everyProperty[0][0])).userData)).toMatchObject({ status: 0 });
  const broken = schema('#cloud-config\npakages: [nginx]\n');
  expect(broken.status).toBe(1);
  expect(broken.out).toContain('pakages');
  rmSync(folder, { recursive: true });
});
