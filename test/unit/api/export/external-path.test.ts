import { exportOfPath, externalPath } from '../../../../src/api/export/external-path';

const found = (rest: string) => ({ namespace: 'shop', name: 'web.1', rest });

test.each([
  [`${externalPath('shop', 'web.1')}/volumes/disk/disk.img`, found('/volumes/disk/disk.img')],
  ['/api/export.kubevirt.io/v1beta1/namespaces/shop/virtualmachineexports/web.1/', found('/')],
  ['/api/export.kubevirt.io/v2/namespaces/shop/virtualmachineexports/web.1/x', undefined],
  ['/api/export.kubevirt.io/v1/namespaces/shop/virtualmachineexports/web.1', undefined],
  ['/api/export.kubevirt.io/v1/namespaces/../virtualmachineexports/web.1/x', undefined],
  ['/v1beta1/upload', undefined],
])('the path %s is that of an export', (path, expected) => expect(exportOfPath(path)).toEqual(expected));
