export { findOperation } from '../resources';
export type { RunContext } from './connection/runContext';
export { execute } from './runNode';
export { isConstant } from './input/readFields';
export { noteCrash } from './ledger/crash';
export { named } from '../operation/hint';
export { count } from './output/hints';
export { hint } from '../operation/hint';
