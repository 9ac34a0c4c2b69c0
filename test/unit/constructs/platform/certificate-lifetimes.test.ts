import { Chart, Duration, Testing } from 'cdk8s';
import {
  type CertificateLifetimes,
  KubeVirt,
  PlatformCertificates,
  PlatformImages,
  VirtPlatform,
} from '../../../../src';
import { lifetimesOf } from '../../../../src/runtime/operator/certificates/lifetimes';
import { testApp } from '../../../support/app';
import { mistakeOf } from '../fixtures';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- manifests are data
type Manifest = any;

const chart = (): Chart => new Chart(testApp(), 'virt');
const kubeVirt = (certificates: CertificateLifetimes): Manifest[] => {
  const own = chart();
  new KubeVirt(own, 'kubevirt', { certificates });
  return Testing.synth(own);
};
const strategyOf = (objects: Manifest[]): Manifest =>
  objects.find(({ kind }) => kind === 'KubeVirt').spec.certificateRotateStrategy;

test('writes the lifetimes, which virt-operator reads', () => {
  const [object] = kubeVirt({
    authority: { duration: Duration.days(30), renewBefore: Duration.days(10) },
    leaf: { duration: Duration.hours(12) },
  });
  const { selfSigned } = strategyOf([object]);
  expect(selfSigned).toEqual({ ca: { duration: '720h', renewBefore: '240h' }, server: { duration: '12h' } });
  const hours = 3_600_000;
  expect(lifetimesOf(selfSigned)).toEqual({
    authority: { durationMs: 720 * hours, renewBeforeMs: 240 * hours },
    leaf: { durationMs: 12 * hours, renewBeforeMs: 2.4 * hours },
    overlapMs: 300_000,
  });
});

test('writes nothing without a lifetime', () => {
  expect(strategyOf(kubeVirt({}))).toBeUndefined();
  expect(strategyOf(kubeVirt({ authority: {}, leaf: {} }))).toBeUndefined();
});

test('the platform passes on the lifetimes of certificates that it manages itself', () => {
  const images = PlatformImages.of({ registry: 'registry.example', tag: 'v1' });
  const synth = (certificates: PlatformCertificates): Manifest[] => {
    const own = chart();
    new VirtPlatform(own, 'platform', { images, definitions: false, certificates });
    return Testing.synth(own);
  };
  const own = PlatformCertificates.selfManaged({ leaf: { renewBefore: Duration.hours(6) } });
  expect(strategyOf(synth(own))).toEqual({ selfSigned: { server: { renewBefore: '6h' } } });
  expect(strategyOf(synth(PlatformCertificates.certManager()))).toBeUndefined();
});

test.each<[string, CertificateLifetimes, string]>([
  [
    'leaves that outlive the authority',
    { leaf: { duration: Duration.days(30) } },
    'certificates.leaf.duration (spec.certificateRotateStrategy.selfSigned.server.duration)',
  ],
  [
    'a renewal before the authority begins',
    { authority: { duration: Duration.days(2), renewBefore: Duration.days(3) } },
    'certificates.authority.renewBefore (spec.certificateRotateStrategy.selfSigned.ca.renewBefore)',
  ],
  [
    'certificates of less than a minute',
    { leaf: { duration: Duration.seconds(59) } },
    'certificates.leaf.duration: 59 seconds is too short\n  use Duration.seconds(60) or more',
  ],
  [
    'fractions of seconds',
    { authority: { renewBefore: Duration.millis(1500) } },
    'certificates.authority.renewBefore: 1.5 is not a whole number of seconds',
  ],
])('rejects %s', (_, certificates, message) => expect(mistakeOf(() => kubeVirt(certificates))).toContain(message));
