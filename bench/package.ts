import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type Figure, figure, median } from './figure';

const checkout = resolve(__dirname, '..');
const packages = ['cdk8s', 'cdk8s-plus-28', 'constructs', '@types/node', 'undici-types', 'typescript', 'yaml'];

/** Cost of importing the package, from lib/ as it is published: at run time, and in the type check. */
export function benchPackage(rounds: number): Figure[] {
  const folder = project();
  try {
    return [importTime(folder, rounds), checkTime(folder, rounds)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** An empty project with the package and its peers. */
function project(): string {
  const folder = mkdtempSync(join(tmpdir(), 'virt8s-bench-'));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  for (const name of packages) symlinkSync(join(checkout, 'node_modules', name), join(modules, name));
  symlinkSync(checkout, join(modules, 'virt8s'));
  return folder;
}

function importTime(folder: string, rounds: number): Figure {
  const program =
    "require('cdk8s'); const start = process.cpuUsage(); require('virt8s'); const { user, system } = process.cpuUsage(start); console.log((user + system) / 1000)";
  const run = (): number =>
    Number(execFileSync(process.execPath, ['--preserve-symlinks', '-e', program], { cwd: folder, encoding: 'utf8' }));
  const method = `processor time of require('virt8s') after require('cdk8s'); median of ${rounds} processes`;
  return figure('import', median(Array.from({ length: rounds }, run)), 'ms over cdk8s', 100, method);
}

const programs = {
  virt8s: `import { App, Chart, Size } from 'cdk8s';
import { CloudInit, Cpu, Disk, VirtualMachine, VmPort } from 'virt8s';
const chart = new Chart(new App(), 'web');
const vm = new VirtualMachine(chart, 'web', {
  cpu: Cpu.cores(1),
  memory: Size.mebibytes(256),
  disks: [Disk.containerDisk('registry.example/fedora:42')],
  cloudInit: CloudInit.noCloud({ packages: ['nginx'] }),
});
vm.exposeViaService('web', { ports: [VmPort.HTTP] });
`,
  plus: `import { App, Chart } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-28';
const chart = new Chart(new App(), 'web');
new Deployment(chart, 'web', { containers: [{ image: 'nginx', portNumber: 80 }] }).exposeViaService();
`,
};

function checkTime(folder: string, rounds: number): Figure {
  const seconds = (name: keyof typeof programs): number => {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'main.ts'), programs[name]);
    const options = { module: 'node16', target: 'es2022', strict: true, noEmit: true, skipLibCheck: true };
    const compilerOptions = { ...options, types: ['node'], preserveSymlinks: true, lib: ['es2022'] };
    writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['main.ts'] }));
    const args = [join(checkout, 'node_modules/typescript/bin/tsc'), '-p', own, '--diagnostics'];
    const text = execFileSync(process.execPath, args, { encoding: 'utf8' });
    return Number(/Total time:\s+([\d.]+)s/.exec(text)?.[1]);
  };
  const pairs = Array.from({ length: rounds }, () => [seconds('virt8s'), seconds('plus')] as const);
  const method = `tsc of a program with a VM against one with a Deployment of cdk8s-plus-28, in turn; median of ${rounds}`;
  const ratio = median(pairs.map(([own, plus]) => own / plus));
  return figure('type check', ratio, 'x one that imports only cdk8s-plus-28', 1.5, method);
}
