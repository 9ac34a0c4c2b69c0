import { bareArguments } from '../../../bench/bare-qemu';
import { figure, median } from '../../../bench/figure';
import { benchStages } from '../../../bench/render';
import { benchSynth } from '../../../bench/synth';

test('the bench of synth runs, small', () => {
  const [result] = benchSynth(3, 1);
  expect(result).toMatchObject({ name: 'synth', target: 1.7 });
  expect(result!.value).toBeGreaterThan(0);
});

test('a figure is met up to its target', () => {
  expect(figure('a', 3, 's', 3, '').met).toBe(true);
  expect(figure('a', 3.001, 's', 3, '').met).toBe(false);
  expect(median([3, 1, 2])).toBe(2);
});

test("libvirt's command line becomes one to start by hand: same devices, own disk, user network, no sockets", () => {
  const argv = [
    ...['/usr/bin/qemu', '-name', 'guest=a', '-S', '-object', '{"qom-type":"secret","id":"masterKey0"}'],
    ...['-machine', 'q35', '-chardev', 'socket,id=charmonitor,fd=17,server=on', '-mon', 'chardev=charmonitor'],
    ...['-no-shutdown', '-chardev', 'socket,id=charserial0,fd=14', '-device', '{"driver":"isa-serial"}'],
    ...['-blockdev', '{"driver":"file","filename":"/var/run/kubevirt-ephemeral-disks/disk-data/root/disk.qcow2"}'],
    ...['-netdev', '{"type":"tap","fd":"20","id":"hostua-default"}', '-vnc', 'vnc=unix:/x', '-sandbox', 'on'],
  ];
  expect(bareArguments(argv, { overlay: '/o.qcow2', httpPort: 8080 })).toEqual([
    ...['-name', 'guest=a', '-machine', 'q35', '-chardev', 'null,id=charserial0', '-device', '{"driver":"isa-serial"}'],
    ...['-blockdev', '{"driver":"file","filename":"/o.qcow2"}'],
    ...['-netdev', 'user,id=hostua-default,hostfwd=tcp:127.0.0.1:8080-:80', '-display', 'none'],
  ]);
});

test('the bench of rendering runs, small', () => {
  expect(benchStages(2)).toMatchObject({ name: 'validate, default and render', unit: 'µs per VM', target: 500 });
});
