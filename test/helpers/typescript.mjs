/** Lets a thread of tests read TypeScript, on each version of Node.js. */
import { register as registerCommonJs } from 'tsx/cjs/api';
import { register as registerModules } from 'tsx/esm/api';

registerCommonJs();
registerModules();
