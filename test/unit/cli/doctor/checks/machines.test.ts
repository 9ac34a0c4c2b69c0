import { machines } from '../../../../../src/cli/doctor/checks/machines';
import { expectRow, type Row } from '../healthy';

const machine = (name: string, printableStatus: string, ...conditions: object[]): object => ({
  ...{ kind: 'VirtualMachine', metadata: { name, namespace: 'shop' }, status: { printableStatus, conditions } },
});
const failure = (message: string): object => ({ type: 'Failure', status: 'True', message });
const instance = (name: string, reason: string, message: string): object => ({
  metadata: { name, namespace: 'shop' },
  status: { conditions: [{ type: 'Synchronized', status: 'False', reason, message }] },
});

test.each<Row>([
  ['VMs that run have no problem', (f) => (f.virtualMachines = [machine('a', 'Running'), machine('b', 'Stopped')]), []],
  [
    'one VM, with its cause',
    (f) => (f.virtualMachines = [machine('web', 'CrashLoopBackOff', failure('start failed twice: no kernel'))]),
    [
      'error VM "shop/web": CrashLoopBackOff: start failed twice: no kernel = read the log of the launcher, or the console of the guest: virt8s console web -n shop',
    ],
  ],
  [
    'many are counted, the most frequent cause first',
    (f) =>
      (f.virtualMachines = [
        machine('x', 'ErrorPvcNotFound'),
        ...['a', 'b', 'c'].map((name) =>
          machine(name, 'ErrorUnschedulable', { type: 'PodScheduled', status: 'False', message: 'no memory' }),
        ),
      ]),
    ['error 3 VMs (such as shop/a): ErrorUnschedulable: no memory', 'error VM "shop/x": ErrorPvcNotFound'],
  ],
  [
    'images have a check of their own',
    (f) => [(f.virtualMachines = [machine('a', 'ErrImagePull')]), (f.instances = [instance('a', 'ErrImagePull', '')])],
    [],
  ],
  [
    'a guest that runs with a problem is a warning',
    (f) => (f.instances = [instance('web', 'SpecNotApplied', 'the guest runs without cpu')]),
    ['warning VM "shop/web": SpecNotApplied: the guest runs without cpu'],
  ],
  [
    'a VM is reported once',
    (f) => [
      (f.virtualMachines = [machine('web', 'ErrorPvcNotFound')]),
      (f.instances = [instance('web', 'FailedPvcNotFound', '')]),
    ],
    ['error VM "shop/web"'],
  ],
  [
    'only some causes are shown',
    (f) => (f.instances = [1, 2, 3, 4, 5, 6, 7].map((i) => instance(`vm${i}`, `Reason${i}`, ''))),
    [...[1, 2, 3, 4, 5].map((i) => `VM "shop/vm${i}": Reason${i}`), 'warning 2 more VMs: other causes'],
  ],
])('%s', (...row) => expectRow(machines, row));
