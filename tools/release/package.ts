// Lays out what is published in `.package`: `npm run package`, then `npm publish ./.package`.
import path from 'node:path';

import { layOutPackage } from './packageFolder.ts';

const root = path.join(import.meta.dirname, '../..');
const into = path.join(root, '.package');
layOutPackage(root, into);
console.log(into);
