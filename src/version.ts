declare const __PACKAGE_VERSION__: string;

/** Version of this package; the build puts it in. */
export const VERSION: string = __PACKAGE_VERSION__;
