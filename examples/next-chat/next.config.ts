import type { NextConfig } from 'next';

const config: NextConfig = {
  // The repository has lockfiles further up; this folder is the app's root.
  turbopack: { root: import.meta.dirname },
};

export default config;
