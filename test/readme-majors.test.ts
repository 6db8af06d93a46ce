// @vitest-environment node
/** The README says that its examples work under `ai` 6 and 7 with no more changed than the import. */
import { readPage, testUnderOtherMajors } from './readme/page.js';

testUnderOtherMajors(readPage('README.md').examples);
