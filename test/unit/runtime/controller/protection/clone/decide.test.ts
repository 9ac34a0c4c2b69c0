import { decide, type Observed } from '../../../../../../src/runtime/controller/protection/clone/decide';
import { clone, condition, content, claim, lines, NOW, restore, snapshot, vm, written } from '../fixtures';

const see = (more: Partial<Observed>): Observed => ({ clone: clone(), vm: vm(), claims: [], now: NOW, ...more });
const STATUS = 'patch VirtualMachineClone/status c';
const ready = snapshot({ metadata: { name: 'tmp-snapshot-clone-uid' }, status: { readyToUse: true } });
const complete = restore({ metadata: { name: 'tmp-restore-clone-uid' }, spec: {}, status: { complete: true } });
const succeeded = clone({
  status: { phase: 'Succeeded', snapshotName: 'tmp-snapshot-clone-uid', restoreName: 'tmp-restore-clone-uid' },
});
const fromSnapshot = { source: { apiGroup: 'snapshot.kubevirt.io', kind: 'VirtualMachineSnapshot', name: 's' } };

test.each<[string, Partial<Observed>, string[], string | undefined]>([
  [
    'takes a snapshot of its source',
    {},
    [STATUS, 'create VirtualMachineSnapshot tmp-snapshot-clone-uid', 'Normal SnapshotCreated'],
    'SnapshotInProgress',
  ],
  ['waits for it', { snapshot: snapshot() }, [STATUS], 'SnapshotInProgress'],
  [
    'restores it to the new VM',
    { snapshot: ready, content: content() },
    [STATUS, 'create VirtualMachineRestore tmp-restore-clone-uid', 'Normal RestoreCreated'],
    'RestoreInProgress',
  ],
  ['waits for the restore', { snapshot: ready, content: content(), restore: restore() }, [STATUS], 'RestoreInProgress'],
  ['succeeds', { restore: complete, target: vm() }, [STATUS, 'Normal TargetVMCreated'], 'Succeeded'],
  [
    'keeps its snapshot until the claims are bound',
    { clone: succeeded, snapshot: ready, restore: complete, claims: [claim('a', { phase: 'Pending' })] },
    [],
    undefined,
  ],
  [
    'then removes what it used',
    { clone: succeeded, snapshot: ready, restore: complete, claims: [claim('a')] },
    [
      'delete VirtualMachineRestore tmp-restore-clone-uid',
      'delete VirtualMachineSnapshot tmp-snapshot-clone-uid',
      STATUS,
    ],
    'Succeeded',
  ],
  [
    'never removes the snapshot of a user',
    {
      clone: clone({ spec: fromSnapshot, status: succeeded.status }),
      snapshot: snapshot({ status: { readyToUse: true } }),
      restore: complete,
    },
    ['delete VirtualMachineRestore tmp-restore-clone-uid', STATUS],
    'Succeeded',
  ],
  ['waits for a VM that does not exist', { vm: undefined }, [STATUS, 'recheck 5000'], 'SnapshotInProgress'],
  [
    'waits for a snapshot that does not exist',
    { clone: clone({ spec: fromSnapshot }), vm: undefined },
    [STATUS, 'recheck 5000'],
    'SnapshotInProgress',
  ],
  [
    'fails with its snapshot',
    { snapshot: snapshot({ status: { phase: 'Failed' } }) },
    [STATUS, 'Warning SnapshotContentInvalid'],
    'Failed',
  ],
  [
    'fails with its restore',
    { restore: restore({ status: { conditions: [{ type: 'Failure', status: 'True', message: 'no' }] } }) },
    [STATUS, 'Warning RestoreFailed'],
    'Failed',
  ],
  [
    'fails if its snapshot is deleted',
    { clone: clone({ status: { phase: 'RestoreInProgress' } }) },
    [STATUS, 'Warning SnapshotDeleted'],
    'Failed',
  ],
  ['fails if the new VM is deleted', { restore: complete }, [STATUS, 'Warning TargetVMDeleted'], 'Failed'],
])('%s', (_, seen, want, phase) => {
  const actions = decide(see(seen));
  expect(lines(actions)).toEqual(want);
  expect(written(actions).phase).toBe(phase);
});

test('the restore names the source of the claims and the policy of their names', () => {
  const named = clone({ spec: { ...fromSnapshot, volumeNamePolicy: 'PrefixTargetName' } });
  const seen = { clone: named, snapshot: snapshot({ status: { readyToUse: true } }), content: content() };
  expect(decide(see(seen)).find((action) => action.do === 'create')).toMatchObject({
    object: {
      spec: {
        target: { kind: 'VirtualMachine', name: 'copy' },
        virtualMachineSnapshotName: 's',
        volumeRestorePolicy: 'PrefixTargetName',
      },
    },
  });
});

test('reports what it waits for', () => {
  const conditions = [
    { type: 'Progressing', status: 'False' as const, reason: 'Source not locked', message: 'it starts' },
  ];
  const actions = decide(see({ snapshot: snapshot({ status: { conditions } }) }));
  expect(condition(actions, 'Progressing')).toBe('True Still processing Source not locked: it starts');
});
