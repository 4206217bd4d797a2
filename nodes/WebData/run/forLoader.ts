export { findOperation } from '../resources';
export type { RunContext } from './connection/runContext';
export { execute } from './runNode';
export { isConstant } from './input/readFields';
export { noteCrash } from './ledger/crash';
export { named } from '../operation/hint';
export { hint } from '../operation/hint';
