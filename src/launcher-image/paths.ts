/** Resolves the symbolic links of Debian's merged `/usr` in a path: `/lib` to `/usr/lib`. */
export const plainPath = (path: string): string => path.replace(/^\/(bin|sbin|lib|lib64)\//, '/usr/$1/');
