import { hasOtherImage } from '../../../../../src/runtime/controller/instance/rendering';
import type { Pod } from '../../../../../src/runtime/controller/pod';
import { onNode, pod } from '../fixtures';

/** A placed Pod that was created for launcher:1. */
const placed = (change: (pod: Pod) => void = () => {}): Pod =>
  pod({}, (made) => {
    onNode(made);
    change(made);
  });
const withImage =
  (image: string) =>
  (made: Pod): void =>
    void (made.spec.containers[0].image = image);
const unmarked = (made: Pod): void => void delete made.metadata.annotations;

test.each([
  ['the current image', placed(), 'launcher:1', false],
  ['the image of an earlier version', placed(), 'launcher:2', true],
  ['the current image from the mirror of a webhook', placed(withImage('mirror/launcher:1')), 'launcher:1', false],
  ['an earlier image from that mirror', placed(withImage('mirror/launcher:1')), 'launcher:2', true],
  ['an earlier image, replaced by the current one', placed(withImage('launcher:2')), 'launcher:2', false],
  ['the current image and no mark', placed(unmarked), 'launcher:1', false],
  ['an earlier image and no mark', placed(unmarked), 'launcher:2', true],
  ['no launcher', placed((made) => (made.spec.containers = [])), 'launcher:2', false],
])('a Pod with %s', (_, of, current, isOther) => expect(hasOtherImage(of, current)).toBe(isOther));
